import { CreateRequest } from "@pulumi/pulumi/proto/provider_pb";
import { Struct, Value } from "google-protobuf/google/protobuf/struct_pb";
import { at } from "../../components/kube/objects/object";
import { OWNER } from "../../components/deploy/objects/ownership";
import { Fault } from "../fault";
import { absent, created, plain, read, UNCHANGED } from "./answers";
import type { Inventory } from "./inventory";
import type { Answers } from "./plugin-front";

/**
 * Answers in place of the Kubernetes plugin: a creation finds the object of that name, if it belongs to the same
 * instance, and reads it with the inputs of the program.
 */
export function kubernetesAnswers(inventory: Inventory): Answers {
  return {
    ...UNCHANGED,
    Create: async (bytes, pass) => {
      const request = CreateRequest.deserializeBinary(bytes);
      const urn = request.getUrn();
      const inputs = request.getProperties() ?? new Struct();
      const { metadata } = plain(inputs);
      const answer = await read(request, idOf(metadata), inputs, pass);
      const properties = answer?.getProperties();
      if (properties === undefined) {
        inventory.lacks(urn);
        return absent(inputs);
      }
      const live = plain(properties)["metadata"];
      const [owner, expected] = [live, metadata].map((one) => at(one, "annotations", OWNER));
      if (owner !== expected)
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
