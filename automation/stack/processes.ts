import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Number of searches, because a process may start others while it ends. */
const ROUNDS = 5;

/** A process and its arguments. */
interface Process {
  readonly pid: number;
  readonly command: readonly string[];
}

/**
 * Arguments of a process, starting with the program.
 * @returns undefined if the process has ended, or the system has no /proc
 */
export function commandLine(pid: number): readonly string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").slice(0, -1);
  } catch {
    return undefined;
  }
}

/**
 * Environment of a process.
 * @returns undefined if the process has ended, belongs to another user, or the system has no /proc
 */
export function environmentOf(pid: number): Readonly<Record<string, string>> | undefined {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").filter(Boolean);
    return Object.fromEntries(variables.map((one) => [one.replace(/=.*/s, ""), one.replace(/^[^=]*=/, "")]));
  } catch {
    return undefined;
  }
}

/**
 * Ends plugins and programs of this project whose Pulumi has ended. Their results are lost, but a plugin runs on for
 * minutes and a program without limit. They are found in /proc, so on other systems than Linux nothing is ended.
 * @param folder of the project
 * @returns number of ended processes
 */
export async function endOrphans(folder: string): Promise<number> {
  let ended = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const orphans = await orphansOf(folder);
    if (orphans.length === 0) break;
    ended += orphans.length;
    for (const { pid } of orphans) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // it has ended by itself
      }
    }
    await sleep(500);
  }
  return ended;
}

async function orphansOf(folder: string): Promise<readonly Process[]> {
  const candidates = pids().flatMap((pid): Process[] => {
    const command = commandLine(pid) ?? [];
    const isPlugin = /^pulumi-(resource|language|analyzer)-/.test(command[0]?.split("/").at(-1) ?? "");
    const isProgram = command.includes("--engine") && command.includes("--monitor");
    return (isPlugin || isProgram) && folderOf(pid) === folder ? [{ pid, command }] : [];
  });
  const orphaned = await Promise.all(candidates.map(async (one) => !(await hasEngine(one))));
  return candidates.filter((_, index) => orphaned[index]);
}

function pids(): readonly number[] {
  try {
    return readdirSync("/proc").map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** Folder of a process; undefined for a process of another user, whose folder is not visible. */
function folderOf(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/**
 * Returns true if the Pulumi that started a process is running. Pulumi passes its address as an argument; after its end
 * connections to the address are refused.
 */
function hasEngine({ command }: Process): Promise<boolean> {
  const address = command.map((word) => /^127\.0\.0\.1:(\d+)$/.exec(word)).find((found) => found !== null);
  if (address === undefined) return Promise.resolve(true);
  return new Promise((answer) => {
    const socket = connect({ host: "127.0.0.1", port: Number(address[1]), timeout: 2000 });
    const done = (listens: boolean): void => {
      socket.destroy();
      answer(listens);
    };
    socket.on("connect", () => done(true));
    socket.on("timeout", () => done(true));
    socket.on("error", () => done(false));
  });
}
