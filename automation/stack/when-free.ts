import { setTimeout as sleep } from "node:timers/promises";
import { isStopping, emit, type RunOptions } from "../run";
import { UsageFault, Fault } from "../fault";
import { EditedFault } from "./config-file";
import { HeldFault, describeHolder } from "./lock";
import { isShared } from "./locks";
import type { PulumiStack } from "./pulumi";

/** Interval in milliseconds between checks of a locked stack. */
const INTERVAL = 2_000;

/** Minimum time to wait for a lock in a shared store, in seconds: reading the locks takes the lock for a moment. */
const MOMENT = 3;

/**
 * Calls a function once no other run has locked the stack. If the lock is taken meanwhile, it is called again from its
 * beginning, because its results may be outdated: a run that has just begun may have edited the stack config before it
 * locks the stack.
 * @throws HeldFault or EditedFault after the time limit; Fault if the wait is ended
 */
export async function whenFree<T>(
  stack: PulumiStack,
  options: RunOptions,
  work: () => Promise<T>,
): Promise<T> {
  const { wait = 0 } = options;
  if (!(wait >= 0)) throw new UsageFault(`wait: ${wait} is not a number of seconds`);
  const end = Date.now() + Math.max(wait, isShared(stack) ? MOMENT : 0) * 1000;
  let reported = "";
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof HeldFault || error instanceof EditedFault) || Date.now() >= end) throw error;
      const { message } = error;
      const holder = error instanceof HeldFault ? error.holder : undefined;
      const text = `waiting: ${holder === undefined ? message : `locked by ${describeHolder(holder)}`}`;
      if (wait > 0 && message !== reported) emit(options, { kind: "held", text, ...(holder && { holder }) });
      reported = message;
      const signal = options.signal;
      await sleep(Math.min(INTERVAL, end - Date.now()), undefined, { signal }).catch(() => undefined);
      if (isStopping(options)) throw new Fault(`stopped: ${message}`);
    }
  }
}
