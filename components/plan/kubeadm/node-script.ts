import type { ClusterInstallation } from "../../settings/model";
import type { ClusterContext } from "./cluster";
import { runnable } from "../../base/text";
import { readTextFile } from "./text-file";

/**
 * Text of the script that prepares every node, or undefined where the operator names none. One that begins a cluster, or
 * joins one, is a fault: it would do so on every node, and the program does it afterwards.
 */
export function readNodeScript(
  { script_path: file }: ClusterInstallation,
  context: Pick<ClusterContext, "place" | "readText">,
): string | undefined {
  if (file === undefined) return undefined;
  const place = context.place.get("script_path");
  const text = runnable(readTextFile(file, place, context) ?? "");
  const found = kubeadmCommands(text);
  if (found.length > 0) {
    place.fault(
      `${file} runs ${found.join(" and ")}, which the program itself does after this script: take it out, ` +
        "so that the script only installs what the image lacks; or leave script_path out, with an image or an " +
        "apt_repository that brings kubeadm",
    );
  }
  return text;
}

/** Which of `kubeadm init` and `kubeadm join` are commands of a shell script, as far as they are written plainly. */
function kubeadmCommands(script: string): string[] {
  const commands = script
    .replaceAll(/(^|\s)#.*/gm, "$1")
    .replaceAll(/\\\n/g, " ")
    .split(/[;&|(){}`\n]+/);
  const found = commands.flatMap((command) => KUBEADM.exec(command)?.[1] ?? []);
  return [...new Set(found)].sort().map((verb) => `kubeadm ${verb}`);
}

/** What may stand before the name of a command, then kubeadm, its options, and what it shall do. */
const KUBEADM = new RegExp(
  String.raw`^\s*(?:(?:${[
    String.raw`\w+=\S*`,
    String.raw`-\S+`,
    ...["sudo", "env", "exec", "eval", "command", "nohup", "nice", "time", "root"],
    String.raw`timeout\s+\S+`,
    ...["if", "elif", "then", "else", "while", "until", "do", "!"],
  ].join("|")})\s+)*(?:\S*/)?kubeadm(?:\s+-\S+)*\s+(init|join)(?!\S)`,
);
