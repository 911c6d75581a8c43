import type { ResourceState, State } from "../../automation/state";

/**
 * The state of a cluster of one master and one worker with the worker's resources multiplied. The copies
 * differ by their URNs, names and ids.
 */
export function multiplyWorkers(exported: string, workers: number): string {
  const state = JSON.parse(exported) as State;
  const { resources = [] } = state.deployment;
  const ofWorker = resources.filter(({ urn }) => /workerNode-1(?!\d)/.test(urn));
  const ids = ofWorker.flatMap(({ id }) => id ?? []);
  const text = JSON.stringify(ofWorker);
  const copies = Array.from({ length: workers - 1 }, (_, i) => copy(text, ids, i + 2));
  const all = [...resources, ...copies.flat()];
  return JSON.stringify({ ...state, deployment: { ...state.deployment, resources: all } });
}

function copy(text: string, ids: readonly string[], ordinal: number): ResourceState[] {
  const named = text.replaceAll(/(worker[Nn]ode-)1(?!\d)/g, `$1${ordinal}`);
  const suffix = String(ordinal).padStart(4, "0");
  return JSON.parse(
    ids.reduce((all, id) => all.replaceAll(id, `${id.slice(0, -suffix.length)}${suffix}`), named),
  ) as ResourceState[];
}
