import { hostname } from "node:os";
import { Fault } from "../fault";
import { pulumi } from "./cli";
import { lockFiles, type StackPlace, type Lock } from "./file-backend";
import { commandLine } from "./processes";

/**
 * The locks of a stack; none for Pulumi Cloud, which shows running updates itself. A lock of an ended process is read
 * twice, because a process that is just ending removes its lock.
 */
export async function readLocks(stack: StackPlace): Promise<readonly Lock[]> {
  const locks = await readOnce(stack);
  if (locks.every(isHeld)) return locks;
  const wereThere = new Set(locks.map(keyOf));
  return (await readOnce(stack)).filter((lock) => isHeld(lock) || wereThere.has(keyOf(lock)));
}

function readOnce(stack: StackPlace): Promise<readonly Lock[]> {
  return isShared(stack) ? askForLocks(stack) : Promise.resolve(lockFiles(stack));
}

function keyOf({ hostname: host, pid, timestamp }: Lock): string {
  return `${host} ${pid} ${timestamp}`;
}

/** Returns true if the state is in a store for several machines, such as PostgreSQL or S3, and not in Pulumi Cloud. */
export function isShared({ backend }: Pick<StackPlace, "backend">): boolean {
  return !/^(file|https?):/.test(backend);
}

/**
 * Reads the locks in a shared store. Pulumi reports them only to a command that needs the lock itself, so this renames
 * the stack to its present name: the command takes the lock for a moment, finds that the name is in use, and ends
 * without a change.
 * @throws Fault if the store does not answer
 */
async function askForLocks({ folder, name, qualifiedName }: StackPlace): Promise<readonly Lock[]> {
  try {
    await pulumi(folder, ["stack", "rename", name, "--stack", qualifiedName]);
    return [];
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const locks = locksIn(error.message);
    if (locks.length > 0 || error.message.includes("already exists")) return locks;
    throw error;
  }
}

/** The locks in Pulumi's error message about a locked stack. */
export function locksIn(text: string): readonly Lock[] {
  // one run of non-space characters: two of them around an "@" would try each "@" of a long word
  const found = text.matchAll(/created by (\S+) \(pid (\d+)\) at (\S+)/g);
  return [...found].flatMap(([, owner = "", pid, timestamp = ""]) => {
    // a user of a directory may have an "@" too
    const at = owner.lastIndexOf("@");
    if (at < 1 || at === owner.length - 1) return [];
    return [{ username: owner.slice(0, at), hostname: owner.slice(at + 1), pid: Number(pid), timestamp }];
  });
}

/** Returns true if the process of the lock may still be running. A process on another machine counts as running. */
export function isHeld(lock: Lock): boolean {
  if (!isHere(lock)) return true;
  try {
    process.kill(lock.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  // the process id may belong to another program by now
  const command = commandLine(lock.pid);
  return command === undefined || command[0]?.split("/").at(-1) === "pulumi";
}

/** Returns true if the process of the lock is on this machine. */
export function isHere(lock: Lock): boolean {
  return lock.hostname === hostname();
}
