import { PERSISTENT_VOLUMES, STORAGE_SERVER } from "../../components/deploy/steps";
import { askAll } from "../checks/ask";
import { linesOf } from "../checks/checks";
import { Places } from "../stack/places";
import type { StackState } from "../stack/stack-state";
import { actionsOf, type Step } from "../stack/steps";

/** Components whose deletion deletes the storage of PersistentVolumes, or the volumes themselves. */
const STORAGE: readonly string[] = [STORAGE_SERVER, PERSISTENT_VOLUMES];

/**
 * Warnings about PersistentVolumes in use, for VNF instances whose storage server or PersistentVolumes a run replaces
 * or deletes. Only clusters of such instances are queried.
 * @param steps of the run's preview
 * @param state returns that of the last run
 */
export async function volumesInUse(
  steps: readonly Step[],
  state: () => Promise<StackState>,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const places = new Places(steps);
  const concerned = [...actionsOf(steps)]
    .filter(([, action]) => action === "replace" || action === "delete")
    .map(([step]) => places.of(step))
    .filter(({ within }) => within.some((type) => STORAGE.includes(type)))
    .map(({ vnf }) => vnf);
  if (concerned.length === 0) return [];
  const made = await state();
  const scripts = [...new Set(concerned)].flatMap((vnf) => made.scripts(vnf, "use"));
  const answers = await askAll(scripts, "use", signal);
  return answers.flatMap(([{ vnf, step }, { status, stdout }]) => {
    const lines = status === 0 ? linesOf(stdout) : [`vnfm cannot query whether a PVC uses it: ${step}`];
    return lines.map((line) => `${vnf}: ${line}`);
  });
}
