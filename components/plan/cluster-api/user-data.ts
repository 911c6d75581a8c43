import type { Place } from "../../base/findings";
import { at, fields, items, shown, text, type KubeObject } from "../../kube/objects/object";
import { limits } from "../../base/limits";

/**
 * Records machines whose user data Nova would refuse as too large: that of their KubeadmConfig, and the additions of
 * Cluster API.
 * @param objects of a cluster, with the Secret of the files
 * @param place of the setting with the content
 */
export function checkUserData(objects: readonly KubeObject[], place: Place): void {
  const contents = objects.map((object) => fields(object["stringData"]));
  const bytesOf = (file: unknown): number => {
    const key = text(at(file, "contentFrom", "secret", "key")) ?? "";
    const content = text(at(file, "content")) ?? contents.map((entries) => entries[key]).find(Boolean);
    return Buffer.byteLength(typeof content === "string" ? content : "");
  };
  for (const object of objects) {
    const config = at(object, "spec", "kubeadmConfigSpec") ?? at(object, "spec", "template", "spec");
    const files = items(at(config, "files")).map(bytesOf);
    const commands = ["preKubeadmCommands", "postKubeadmCommands"].flatMap((key) => items(at(config, key)));
    const bytes = [...files, ...commands.map((command) => Buffer.byteLength(String(command)))];
    const sum = bytes.reduce((all, one) => all + one, 0);
    if (sum > limits.bootDataBytes)
      place.fault(
        `the files and commands of the machines of ${shown(object)} have ${sum} bytes; at most ` +
          `${limits.bootDataBytes} fit into the user data of Nova: let a command download them, or put them into the image`,
      );
  }
}
