import { oneOf } from "../../components/base/nearest";
import type { Subject } from "../changes/subject";
import { describeReleased } from "../changes/words";
import { Fault, UsageFault } from "../fault";
import { assertFree } from "../stack/lock";
import { isStopping, type Run } from "../run";
import { assertConfirmed, outcomeOf, type Outcome } from "./operation";
import type { OperationPreview } from "../changes/changes";
import type { PulumiStack } from "../stack/pulumi";
import { StackState } from "../stack/stack-state";
import { keyOfObject } from "../stack/steps";
import { letGo, releasedAmong } from "../checks/released-volumes";
import { vimsOf, type StackVim } from "../checks/vims";

/**
 * Releases PersistentVolumes with the status Released, with their data, so that other PVCs can bind them.
 * @param vnf a cluster, or a CNF, whose cluster has the volumes
 * @throws HeldFault if another run has locked the stack, RefusedFault without a confirmation, UsageFault if there is no
 * such instance or a volume is not Released, Fault if the cluster refuses
 */
export async function release(
  stack: PulumiStack,
  vnf: string,
  names: readonly string[],
  run: Run,
): Promise<Outcome> {
  const begin = Date.now();
  await assertFree(stack);
  const state = new StackState(await stack.plainState());
  state.assertMade(vnf);
  const vim = vimsOf(state).find(({ vnfs }) => vnfs.includes(vnf));
  if (vim === undefined) throw new Fault(`${vnf} is not on a Kubernetes cluster`);
  const preview = await previewOf(vim, vnf, names, run.signal);
  await assertConfirmed(preview, run);
  if (isStopping(run)) throw new Fault("stopped before the volumes were released");
  await letGo(vim, names, run.signal);
  return outcomeOf(preview, begin);
}

async function previewOf(
  vim: StackVim,
  vnf: string,
  names: readonly string[],
  signal?: AbortSignal,
): Promise<OperationPreview> {
  const released = await releasedAmong(vim, names, signal);
  const other = names.find((name) => !released.some((volume) => volume.name === name));
  if (other !== undefined) {
    const known = await releasedAmong(
      vim,
      vim.volumes.map(({ name }) => name),
      signal,
    );
    throw new UsageFault(
      `no PersistentVolume "${other}" of the stack is Released with the reclaim policy Retain; ` +
        `those that are: ${oneOf(known.map(({ name }) => name))}`,
    );
  }
  const changes = released.map(({ name, claim }) => {
    const object = { apiVersion: "v1", kind: "PersistentVolume", name };
    const subject: Subject = { vnf, kind: "object", key: keyOfObject(object), object };
    const action = "update" as const;
    return { action, subject, text: describeReleased(name, claim), parts: [{ action, subject }] };
  });
  return { changes, stays: {}, warnings: [], unrequested: [] };
}
