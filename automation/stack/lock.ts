import { Fault } from "../fault";
import { isHeld, isHere, readLocks } from "./locks";
import type { Lock, StackPlace } from "./file-backend";
import { commandLine, environmentOf } from "./processes";

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
export async function holderOf(stack: StackPlace): Promise<Holder | undefined> {
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
export async function assertFree(stack: StackPlace): Promise<void> {
  const locks = await readLocks(stack);
  const held = locks.find(isHeld);
  if (held !== undefined) throw heldFault(held);
  if (locks.length === 0) return;
  const dead = locks.map(({ pid }) => pid).join(", ");
  throw new Fault(
    `process ${dead} was interrupted while it had locked stack ${stack.qualifiedName}: run 'vnfm recover' first`,
  );
}
