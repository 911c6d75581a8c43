import { nameOf, type ResourceState, type State } from "../stack/state";

/** The VNFCs of a VNF instance that are members of its cluster. */
export function membersOf({ deployment }: State, vnf: string): ReadonlySet<string> {
  const there = (deployment.resources ?? []).filter((it) => it.custom && !it.delete);
  const byName = new Map(there.map((resource) => [nameOf(resource), resource]));
  // for a sole master `restore` stands for the control plane on its server
  const ofMember = new RegExp(`^${vnf}-(.*)-(?:ready|restore)$`);
  return new Set(
    [...byName].flatMap(([name, resource]) => {
      const key = ofMember.exec(name)?.[1];
      return key !== undefined && isThere(resource, byName.get(`${vnf}-${key}-member`)) ? [key] : [];
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
