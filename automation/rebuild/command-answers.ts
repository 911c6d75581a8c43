import { randomUUID } from "node:crypto";
import { CreateRequest } from "@pulumi/pulumi/proto/provider_pb";
import { MAKE_ENCRYPTION_KEY } from "../../components/deploy/kubeadm/api-servers";
import { MAKE_KEY } from "../../components/remote/ssh-keys";
import { reveal, type Properties, type ResourceState } from "../stack/state";
import { created, plain, UNCHANGED, withValues } from "./answers";
import type { Inventory } from "./inventory";
import type { Answers } from "./plugin-front";

/** Commands that only print a random key. */
const KEY_MAKERS: readonly string[] = [MAKE_KEY, MAKE_ENCRYPTION_KEY];

/**
 * Answers in place of the command plugin: a command has the output of an earlier state, and does not run. Only a key
 * that no earlier state has is generated again; the effects of other commands on servers exist already.
 * @param former resources of an earlier state by URN, with secrets in plain text
 */
export function commandAnswers(
  former: ReadonlyMap<string, Pick<ResourceState, "inputs" | "outputs">>,
  inventory: Inventory,
): Answers {
  return {
    ...UNCHANGED,
    Create: (bytes, pass) => {
      const request = CreateRequest.deserializeBinary(bytes);
      const urn = request.getUrn();
      const inputs = request.getProperties();
      const { stdin, create } = plain(inputs);
      const known = former.get(urn);
      if (known === undefined && KEY_MAKERS.includes(String(create))) {
        inventory.renew(urn);
        return pass("Create", bytes);
      }
      const before = (reveal(known?.inputs ?? {}) ?? {}) as Properties;
      if (known === undefined || before["stdin"] !== stdin) inventory.takesForDone(urn);
      const { stdout = "", stderr = "" } = (reveal(known?.outputs ?? {}) ?? {}) as Record<string, string>;
      return Promise.resolve(created(randomUUID(), withValues(inputs, { stdout, stderr })));
    },
  };
}
