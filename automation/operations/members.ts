import { Places } from "../stack/places";
import { resourcesOf, stepOf } from "../checks/checks";
import type { ResourceState, State } from "../stack/state";

/** The VNFCs of a VNF instance that are members of its cluster. */
export function membersOf(state: State, vnf: string): ReadonlySet<string> {
  const resources = resourcesOf(state).map((resource) => ({ resource, step: stepOf(resource) }));
  const places = new Places(resources.map(({ step }) => step));
  const steps = resources
    .map(({ resource, step }) => ({ resource, ...places.of(step) }))
    .filter((one) => one.vnf === vnf && one.kind !== undefined);
  const memberships = new Map(
    steps.filter(({ kind }) => kind === "membership").map(({ vnfc, resource }) => [vnfc, resource]),
  );
  // for a sole master `restore` stands for the control plane on its server
  const joined = steps.filter(({ kind }) => kind === "nodeReady" || kind === "restore");
  return new Set(
    joined.flatMap(({ resource, vnfc }) =>
      vnfc !== undefined && isThere(resource, memberships.get(vnfc)) ? [vnfc] : [],
    ),
  );
}

/**
 * Returns true if a node is in its cluster. Where its leaving has failed, the engine has deleted what came after its
 * joining, and the membership is still there.
 */
function isThere(ready: ResourceState, membership: ResourceState | undefined): boolean {
  if (ready.pendingReplacement !== true) return true;
  const ofServer = ({ inputs }: ResourceState): string => JSON.stringify(inputs?.["triggers"]);
  return (
    membership !== undefined &&
    membership.pendingReplacement !== true &&
    ofServer(membership) === ofServer(ready)
  );
}
