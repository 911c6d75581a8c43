import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir, hostname } from "node:os";
import { join } from "node:path";
import { commandLine } from "./processes";
import type { PulumiStack } from "./pulumi";

/** Who locked a stack, as the engine writes it down. */
export interface Lock {
  readonly pid: number;
  readonly username: string;
  readonly hostname: string;
  readonly timestamp: string;
}

/**
 * The locks of a stack whose state is in files on this machine; none for other backends, where the engine
 * itself says who holds a lock.
 */
export function readLocks({ backend, qualifiedName }: PulumiStack): readonly Lock[] {
  if (!backend.startsWith("file://")) return [];
  const root = backend.slice("file://".length).replace(/^~/, homedir());
  const folder = join(root, ".pulumi/locks", qualifiedName);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as Lock);
}

/** Whether the process that took the lock may still be at work: on another machine it may. */
export function isHeld(lock: Lock): boolean {
  if (lock.hostname !== hostname()) return true;
  try {
    process.kill(lock.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false;
  }
  // the number may be another program's by now
  const command = commandLine(lock.pid);
  return command === undefined || command[0]?.split("/").at(-1) === "pulumi";
}
