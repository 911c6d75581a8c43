/*
 * When members of etcd may leave it and join it: https://etcd.io/docs/v3.6/faq
 *
 * A write counts once a majority of the voters has it. So a voter may leave where the others that are well are a
 * majority of all that vote now: then they alone have every write that was acknowledged, and agree without it that it
 * goes.
 *
 * Of two voters neither may leave by this rule. There are two where a master of three has left and has not come back.
 * The command line knows which master is missing, and asks for its heal first, so that etcd never has one member alone.
 * A run does not know what came before it: membership.sh waits for a third voter, and where none comes lets one go if
 * both are well, as the two agree on that. Else a run that was cut off between two heals could never end.
 *
 * Scripts count what etcd says of itself at that moment, which nobody knows before, and compare with a majority of
 * that.
 */

/** State of a control-plane node in etcd: a voter that answers, a voter that does not, or no voter. */
export const VOTES = ["well", "dead", "none"] as const;
export type Vote = (typeof VOTES)[number];

/**
 * Allowed numbers of control-plane nodes. An even number tolerates no more failures than the next smaller one, and more
 * than seven would slow down every write.
 */
export const ETCD_SIZES: readonly number[] = [1, 3, 5, 7];

/** Returns the number of voters that must store a write. */
export function majorityOf(voters: number): number {
  return Math.floor(voters / 2) + 1;
}

/**
 * Returns true if a voter may leave.
 * @param othersWell number of the other voters that answer
 */
export function mayLeave(voters: number, othersWell: number): boolean {
  return othersWell >= majorityOf(voters);
}
