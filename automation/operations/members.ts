import { Places } from "../changes/places";
import { resourcesOf, stepOf } from "../checks/checks";
import type { ResourceState, State } from "../stack/state";

/** The VNFCs of a VNF instance that are members of its cluster. */
export function membersOf(state: State, vnf: string): ReadonlySet<string> {
  const resources = resourcesOf(state);
  const places = new Places(resources.map(stepOf));
  const there = resources
    .map((resource) => ({ resource, ...places.of(stepOf(resource)) }))
    .filter((one) => one.vnf === vnf);
  return new Set(
    there.flatMap(({ resource, vnfc, kind }) => {
      // for a sole master `restore` stands for the control plane on its server
      if (vnfc === undefined || (kind !== "nodeReady" && kind !== "restore")) return [];
      const membership = there.find((one) => one.vnfc === vnfc && one.kind === "membership");
      return isThere(resource, membership?.resource) ? [vnfc] : [];
    }),
  );
}

/**
 * Whether a node is in its cluster. Where its leaving has failed, the engine has deleted what came after its joining,
 * and the membership is still there.
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
