import type { ResourceState, State } from "../../automation/stack/state";

/**
 * Multiplies the worker in the state of a cluster with one control-plane node and one worker. The copies of its
 * resources have other URNs, names and ids.
 */
export function multiplyWorkers(exported: string, workers: number): string {
  const state = JSON.parse(exported) as State;
  const ordinals = Array.from({ length: workers }, (_, i) => i + 1);
  const { resources = [] } = state.deployment;
  // only the first worker stores the copy of a single control plane
  const ofWorker = resources.filter(({ urn }) => /workerNode-1(?!\d)/.test(urn) && !urn.endsWith("-store"));
  const ids = ofWorker.flatMap(({ id }) => id ?? []);
  const copies = ordinals.slice(1).flatMap((ordinal) => copy(JSON.stringify(ofWorker), ids, ordinal));
  return JSON.stringify({
    ...state,
    deployment: { ...state.deployment, resources: [...resources, ...copies] },
  });
}

function copy(text: string, ids: readonly string[], ordinal: number): ResourceState[] {
  const named = text.replaceAll(/(worker[Nn]ode-)1(?!\d)/g, `$1${ordinal}`);
  const suffix = String(ordinal).padStart(4, "0");
  return JSON.parse(
    ids.reduce((all, id) => all.replaceAll(id, `${id.slice(0, -suffix.length)}${suffix}`), named),
  ) as ResourceState[];
}
