import { setTimeout as sleep } from "node:timers/promises";
import { Fault, UsageFault } from "../fault";
import { isStopping, emit, type RunOptions } from "../run";
import { EditedFault } from "./config-file";
import { isHeld, isHere, isShared, readLocks, type Lock } from "./locks";
import { commandLine, environmentOf } from "./processes";
import type { PulumiStack } from "./pulumi";

/** The run that has locked a stack. */
export interface Holder {
  readonly pid: number;
  readonly user: string;
  readonly host: string;
  /** Start of the run, ISO 8601. */
  readonly since: string;
  /**
   * The operation, such as `vnfm scale vnf-a` or `pulumi up`. Undefined: not known, because it runs on another machine,
   * or as another user.
   */
  readonly verb?: string;
}

/** Another run has locked the stack. */
export class HeldFault extends Fault {
  constructor(
    message: string,
    readonly holder?: Holder,
  ) {
    super(message);
  }
}

/** Environment variable of Pulumi with the operation, which other runs read. */
const VERB = "VNFM_VERB";

/** Variables for the environment of a run's engine. */
export function environmentFor(verb: string): Readonly<Record<string, string>> {
  return { [VERB]: verb };
}

/** The run that has locked a stack; undefined if there is none. */
export async function holderOf(stack: PulumiStack): Promise<Holder | undefined> {
  const held = (await readLocks(stack)).find(isHeld);
  return held && holderBy(held);
}

/** The run that created a lock. */
export function holderBy(lock: Lock): Holder {
  const { pid, username: user, hostname: host, timestamp: since } = lock;
  const verb = isHere(lock) ? verbOf(pid) : undefined;
  return { pid, user, host, since, ...(verb !== undefined && { verb }) };
}

function verbOf(pid: number): string | undefined {
  const verb = environmentOf(pid)?.[VERB];
  if (verb !== undefined) return `vnfm ${verb}`;
  const [, command] = commandLine(pid) ?? [];
  return command && `pulumi ${command}`;
}

export function describeHolder({ pid, user, host, since, verb }: Holder): string {
  return `process ${pid} of ${user} on ${host} since ${since}${verb === undefined ? "" : ` (${verb})`}`;
}

/** The error about a stack with a lock. */
export function heldFault(lock: Lock): HeldFault {
  const holder = holderBy(lock);
  const wayOut = isHere(lock) ? "" : "; if that run has certainly ended, run 'vnfm recover --yes'";
  const text = `the stack is locked by ${describeHolder(holder)}: wait for it, for example with --wait 10m`;
  return new HeldFault(`${text}${wayOut}`, holder);
}

/**
 * @throws HeldFault if another run has locked the stack, Fault if it has the lock of a run that was cut off
 */
export async function assertFree(stack: PulumiStack): Promise<void> {
  const locks = await readLocks(stack);
  const held = locks.find(isHeld);
  if (held !== undefined) throw heldFault(held);
  if (locks.length === 0) return;
  const dead = locks.map(({ pid }) => pid).join(", ");
  throw new Fault(
    `process ${dead} was interrupted while it had locked stack ${stack.qualifiedName}: run 'vnfm recover' first`,
  );
}

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
