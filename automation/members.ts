import { nameOf, type ResourceState, type State } from "./state";

/** VNFCs that are members of their cluster. */
export function membersOf({ deployment }: State, vnf: string): ReadonlySet<string> {
  const there = (deployment.resources ?? []).filter((it) => it.custom && !it.delete);
  const byName = new Map(there.map((resource) => [nameOf(resource), resource]));
  // of a sole master: that its server has the control plane
  const ofMember = new RegExp(`^${vnf}-(.*)-(?:ready|restore)$`);
  return new Set(
    [...byName].flatMap(([name, resource]) => {
      const key = ofMember.exec(name)?.[1];
      return key !== undefined && isThere(resource, byName.get(`${vnf}-${key}-member`)) ? [key] : [];
    }),
  );
}

/** Where a node's leaving has failed, what comes after its joining counts as deleted, and the node is still there. */
function isThere(ready: ResourceState, membership: ResourceState | undefined): boolean {
  if (ready.pendingReplacement !== true) return true;
  const ofServer = ({ inputs }: ResourceState): string => JSON.stringify(inputs?.["triggers"]);
  return (
    membership !== undefined &&
    membership.pendingReplacement !== true &&
    ofServer(membership) === ofServer(ready)
  );
}
