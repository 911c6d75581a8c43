import type { OwnedResource, StackState } from "../stack/stack-state";

/** The VNFCs of a VNF instance that are members of its cluster. */
export function membersOf(state: StackState, vnf: string): ReadonlySet<string> {
  const steps = state.of(vnf).filter(({ kind }) => kind !== undefined);
  const memberships = new Map(
    steps.filter(({ kind }) => kind === "membership").map((one) => [one.vnfc, one]),
  );
  // for a sole master `restore` stands for the control plane on its server
  const joined = steps.filter(({ kind }) => kind === "nodeReady" || kind === "restore");
  return new Set(
    joined.flatMap((one) =>
      one.vnfc !== undefined && isThere(one, memberships.get(one.vnfc)) ? [one.vnfc] : [],
    ),
  );
}

/**
 * Returns true if a node is in its cluster. If the removal of a node has failed, Pulumi has already deleted the
 * resources that depend on its membership, while the membership still exists.
 */
function isThere(ready: OwnedResource, membership: OwnedResource | undefined): boolean {
  if (ready.pendingReplacement !== true) return true;
  const ofServer = ({ inputs }: OwnedResource): string => JSON.stringify(inputs?.["triggers"]);
  return (
    membership !== undefined &&
    membership.pendingReplacement !== true &&
    ofServer(membership) === ofServer(ready)
  );
}
