import { Fault } from "../fault";
import { isHeld, readLocks } from "./file-backend";
import type { PulumiStack } from "./pulumi";

/** Says that another run is at work on the stack, and whose it is. */
export class HeldFault extends Fault {}

/** Who is at work on a stack; undefined if nobody is. */
export function holderOf(stack: PulumiStack): string | undefined {
  const held = readLocks(stack).find(isHeld);
  return held && `process ${held.pid} of ${held.username} on ${held.hostname} since ${held.timestamp}`;
}

/**
 * Finds out whether a run is at work on a stack.
 *
 * @returns process ids of runs that are dead and have left their lock
 * @throws HeldFault which says who holds the stack
 */
export function deadHolders(stack: PulumiStack): readonly number[] {
  const holder = holderOf(stack);
  if (holder === undefined) return readLocks(stack).map(({ pid }) => pid);
  throw new HeldFault(
    `stack ${stack.qualifiedName} is held by ${holder}: wait for it; if it is dead for certain, run 'pulumi cancel'`,
  );
}

/** @throws Fault unless a run can begin */
export function assertFree(stack: PulumiStack): void {
  const dead = deadHolders(stack);
  if (dead.length === 0) return;
  throw new Fault(
    `process ${dead.join(", ")} was cut off while it held stack ${stack.qualifiedName}: run 'vnfm recover' first`,
  );
}
