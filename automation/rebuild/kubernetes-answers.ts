import { CreateRequest } from "@pulumi/pulumi/proto/provider_pb";
import { Struct, Value } from "google-protobuf/google/protobuf/struct_pb";
import { at } from "../../components/kube/objects/object";
import { OWNER } from "../../components/deploy/objects/ownership";
import { Fault } from "../fault";
import type { ResourceState } from "../stack/state";
import { RELEASE, typeOfUrn } from "../stack/steps";
import { absent, created, formerOutputs, plain, read, UNCHANGED, withValues } from "./answers";
import type { Inventory } from "./inventory";
import type { Answers, Pass } from "./plugin-front";

/**
 * Answers in place of the Kubernetes plugin: a creation finds the object of that name, if it belongs to the same
 * instance, and reads it with the inputs of the program. A release of Helm has no owner, so a former state must have it.
 * @param former resources of an earlier state by URN, with secrets in plain text
 */
export function kubernetesAnswers(former: ReadonlyMap<string, ResourceState>, inventory: Inventory): Answers {
  const release = async (request: CreateRequest, pass: Pass): Promise<Uint8Array> => {
    const urn = request.getUrn();
    const before = former.get(urn);
    const id = before?.id ?? idOf(plain(request.getProperties()));
    const properties = before === undefined ? new Struct() : formerOutputs(before);
    const answer = await read(request, id, properties, pass);
    if (answer === undefined) {
      inventory.lacks(urn);
      // the program continues with the revision
      return absent(withValues(request.getProperties(), { status: { revision: 0 } }));
    }
    if (before === undefined)
      throw new Fault(
        `the release ${id} exists, and the former state does not have it: give a newer export with --former`,
      );
    return created(id, answer.getProperties());
  };
  return {
    ...UNCHANGED,
    Create: async (bytes, pass) => {
      const request = CreateRequest.deserializeBinary(bytes);
      const urn = request.getUrn();
      const inputs = request.getProperties() ?? new Struct();
      if (typeOfUrn(urn) === RELEASE) return release(request, pass);
      const { metadata } = plain(inputs);
      const answer = await read(request, idOf(metadata), inputs, pass);
      const properties = answer?.getProperties();
      if (properties === undefined) {
        inventory.lacks(urn);
        return absent(inputs);
      }
      const live = plain(properties)["metadata"];
      const [owner, expected] = [live, metadata].map((one) => at(one, "annotations", OWNER));
      // the object that a patch is for has been compared itself
      if (owner !== expected && !typeOfUrn(urn).endsWith("Patch"))
        throw new Fault(
          `${idOf(live)} exists, and belongs to ${typeof owner === "string" ? owner : "others"}`,
        );
      // as a creation records them: what differs is then a change of the next update
      properties.getFieldsMap().set("__inputs", new Value().setStructValue(inputs));
      return created(idOf(live), properties);
    },
  };
}

/** The id of an object: `<namespace>/<name>`, or its name. */
function idOf(metadata: unknown): string {
  const [namespace, name] = [at(metadata, "namespace"), at(metadata, "name")];
  return [namespace, name].filter((part) => typeof part === "string").join("/");
}
