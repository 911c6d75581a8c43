import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { Fault, UsageFault } from "../fault";
import { isStopping, stopOf, tell, type RunOptions } from "../run";
import { EditedFault } from "./config-file";
import { isHeld, readLocks } from "./file-backend";
import { commandLine, environmentOf } from "./processes";
import type { PulumiStack } from "./pulumi";

/** Who is at work on a stack. */
export interface Holder {
  readonly pid: number;
  readonly user: string;
  readonly host: string;
  /** ISO 8601. */
  readonly since: string;
  /** What it is at, such as `vnfm scale vnf-a` or `pulumi up`. Undefined: it is on another machine, or another user's. */
  readonly verb?: string;
}

/** Says that another run is at work on the stack, and whose it is. */
export class HeldFault extends Fault {
  constructor(
    message: string,
    readonly holder?: Holder,
  ) {
    super(message);
  }
}

/** By this variable of the engine's environment others find what it is at. */
const VERB = "VNFM_VERB";

/** What a run's engine is to have in its environment. */
export function environmentFor(verb: string): Readonly<Record<string, string>> {
  return { [VERB]: verb };
}

/** Who is at work on a stack; undefined if nobody is. */
export function holderOf(stack: PulumiStack): Holder | undefined {
  const held = readLocks(stack).find(isHeld);
  if (held === undefined) return undefined;
  const { pid, username: user, hostname: host, timestamp: since } = held;
  const verb = host === hostname() ? verbOf(pid) : undefined;
  return { pid, user, host, since, ...(verb !== undefined && { verb }) };
}

function verbOf(pid: number): string | undefined {
  const verb = environmentOf(pid)?.[VERB];
  if (verb !== undefined) return `vnfm ${verb}`;
  const [, command] = commandLine(pid) ?? [];
  return command && `pulumi ${command}`;
}

export function sayHolder({ pid, user, host, since, verb }: Holder): string {
  return `process ${pid} of ${user} on ${host} since ${since}${verb === undefined ? "" : ` (${verb})`}`;
}

/**
 * Who holds a stack, by what the engine says where it finds it locked: of a backend without files on this machine nobody
 * else knows.
 */
export function readHolder(text: string): Holder | undefined {
  const [, user, host, pid, since] = /created by (\S+)@(\S+) \(pid (\d+)\) at (\S+)/.exec(text) ?? [];
  if (user === undefined || host === undefined || since === undefined) return undefined;
  return { pid: Number(pid), user, host, since };
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
    `stack ${stack.qualifiedName} is held by ${sayHolder(holder)}: wait for it, with --wait 10m for example; ` +
      "if it is dead for certain, run 'pulumi cancel'",
    holder,
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

/** How often a stack that is held is looked at, in milliseconds. */
const INTERVAL = 2_000;

/**
 * Does a work once nobody else holds the stack: again from its beginning, for what it has found out may have changed. A
 * run that has just begun has edited the stack config, and does not hold the stack yet.
 *
 * @throws HeldFault or EditedFault where that lasts for longer than is waited; Fault where the waiting is ended
 */
export async function whenFree<T>(options: RunOptions, work: () => Promise<T>): Promise<T> {
  const { wait = 0 } = options;
  if (!(wait >= 0)) throw new UsageFault(`wait: ${wait} is no number of seconds`);
  const end = Date.now() + wait * 1000;
  let told = "";
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof HeldFault || error instanceof EditedFault) || Date.now() >= end) throw error;
      const { message } = error;
      const holder = error instanceof HeldFault ? error.holder : undefined;
      const text = `waiting: ${holder === undefined ? message : `held by ${sayHolder(holder)}`}`;
      if (message !== told) tell(options, { kind: "held", text, ...(holder && { holder }) });
      told = message;
      const signal = stopOf(options);
      await sleep(Math.min(INTERVAL, end - Date.now()), undefined, { signal }).catch(() => undefined);
      if (isStopping(options)) throw new Fault(`stopped: ${message}`);
    }
  }
}
