import { randomUUID } from "node:crypto";
import { CreateRequest } from "@pulumi/pulumi/proto/provider_pb";
import { reveal, type ResourceState } from "../stack/state";
import { created, plain, UNCHANGED, withValues } from "./answers";
import type { Inventory } from "./inventory";
import type { Answers } from "./plugin-front";

/**
 * Answers in place of the command plugin: a command has the output of an earlier state, and does not run. Only a key
 * that no earlier state has is generated again; the effects of other commands on servers exist already.
 * @param former resources of an earlier state by URN, with secrets in plain text
 */
export function commandAnswers(
  former: ReadonlyMap<string, Pick<ResourceState, "outputs">>,
  inventory: Inventory,
): Answers {
  return {
    ...UNCHANGED,
    Create: (bytes, pass) => {
      const request = CreateRequest.deserializeBinary(bytes);
      const urn = request.getUrn();
      const inputs = request.getProperties();
      // data for a script of vnfm; a key is made without
      const { stdin, create } = plain(inputs);
      const known = former.get(urn);
      if (known === undefined && stdin === undefined) {
        if (create !== undefined) inventory.renew(urn);
        return pass("Create", bytes);
      }
      const { stdout = "", stderr = "" } = (reveal(known?.outputs ?? {}) ?? {}) as Record<string, string>;
      return Promise.resolve(created(randomUUID(), withValues(inputs, { stdout, stderr })));
    },
  };
}
