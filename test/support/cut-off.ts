import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { lookupOf } from "../../automation/recovery/lookups";
import type { State } from "../../automation/stack/state";
import { nameOfUrn } from "../../automation/stack/steps";
import type { CommandResult } from "./command";
import type { Command, TestStack } from "./stack";

/** Returns the text of the stack's state file, also during a run; empty if there is none yet. */
export function stateOnDisk({ folder, name }: TestStack): string {
  const file = join(folder, `.pulumi/stacks/vnfm/${name}.json`);
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/** Returns true if the state file contains the resource, or its pending creation. */
export function reached(stack: TestStack, resource: string): boolean {
  return stateOnDisk(stack).includes(`::${resource}"`);
}

/** Returns true while the engine creates, updates or deletes the resource. */
export function isPending(
  stack: TestStack,
  operation: "creating" | "updating" | "deleting",
  resource: string,
): boolean {
  const pending = deploymentOnDisk(stack)?.pending_operations ?? [];
  return pending.some(({ type, resource: { urn } }) => type === operation && nameOfUrn(urn) === resource);
}

/** Parses the state file. @returns undefined if there is none yet */
export function deploymentOnDisk(stack: TestStack): State["deployment"] | undefined {
  const text = stateOnDisk(stack);
  if (text === "") return undefined;
  return (JSON.parse(text) as Checkpoint).checkpoint.latest ?? {};
}

interface Checkpoint {
  readonly checkpoint: { readonly latest?: State["deployment"] };
}

/**
 * Runs `up` without a preview, and kills the CLI with SIGKILL, `later` milliseconds after `moment` returns true. The
 * plugins keep running, as after any SIGKILL.
 * @throws Error if `up` ends before that
 */
export async function upKilledWhen(
  stack: TestStack,
  moment: () => boolean | Promise<boolean>,
  later = 0,
): Promise<void> {
  const ended = await killedWhen(stack, stack.upCommand("--skip-preview"), moment, later);
  if (ended !== undefined)
    throw new Error(`up ended with ${ended.status} by itself:\n${ended.stdout}${ended.stderr}`);
}

/**
 * Runs a command in the stack's folder and kills it, `later` milliseconds after `moment` returns true, together with
 * the CLI that it may have started in another session. @returns the command's result, if it ends before that
 */
export async function killedWhen(
  stack: TestStack,
  command: Command,
  moment: () => boolean | Promise<boolean>,
  later: number,
): Promise<CommandResult | undefined> {
  const kill = (pid: number): void => {
    const clis = descendantsOf(pid).filter((one) => commandOf(one) === "pulumi");
    process.kill(-pid, "SIGKILL");
    for (const cli of clis) killIfRunning(cli);
  };
  const ended = await endedAt(stack, command, moment, later, kill);
  return ended.status === null ? undefined : { ...ended, status: ended.status };
}

/**
 * Runs a command in the stack's folder as the leader of a process group, and calls `end` with its process id, `later`
 * milliseconds after `moment` returns true.
 * @returns the command's result; the status is null if a signal ended it
 */
export async function endedAt(
  stack: TestStack,
  [program, ...args]: Command,
  moment: () => boolean | Promise<boolean>,
  later: number,
  end: (pid: number) => void,
): Promise<{ readonly status: number | null; readonly stdout: string; readonly stderr: string }> {
  const child = spawn(program, args, {
    cwd: stack.folder,
    env: { ...process.env, ...stack.env },
    detached: true,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output: [Buffer[], Buffer[]] = [[], []];
  [child.stdout, child.stderr].forEach((stream, i) =>
    stream.on("data", (part: Buffer) => output[i]?.push(part)),
  );
  const ended = new Promise<number | null>((done) => child.on("exit", done));
  let running = true;
  void ended.then(() => (running = false));
  while (running && !(await moment())) await sleep(50);
  await Promise.race([sleep(later), ended]);
  if (running && child.pid !== undefined) end(child.pid);
  const status = await ended;
  const [stdout, stderr] = output.map((parts) => Buffer.concat(parts).toString());
  return { status, stdout: stdout ?? "", stderr: stderr ?? "" };
}

function descendantsOf(pid: number): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8")
    .split(" ")
    .filter(Boolean)
    .map(Number);
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/comm`, "utf8").trim();
}

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // the process ended together with its parent
  }
}

/** Lists resources in the stack's cloud that are not in its state, as `<kind> <id>`. */
export async function orphans(stack: TestStack): Promise<string[]> {
  const { resources = [] } = (JSON.parse(await stack.state()) as State).deployment;
  const known = resources.map(({ id }) => id);
  const inCloud = await stack.cloud.inventory();
  return inCloud.filter((item) => !known.includes(item.slice(item.indexOf(" ") + 1)));
}

/** Lists names of resources in the state whose ids the cloud does not know, as `vnfm recover` finds them. */
export async function missingInCloud(stack: TestStack): Promise<string[]> {
  const { resources = [] } = (JSON.parse(await stack.state()) as State).deployment;
  const names = resources.map(async ({ urn, type, id = "", inputs = {} }) => {
    const lookup = lookupOf(type);
    if (lookup === undefined) return [];
    const answer = stack.cloud.get<object>(lookup.service, lookup.item(id, inputs, stack.cloud));
    return answer.then(
      () => [],
      () => [nameOfUrn(urn)],
    );
  });
  return (await Promise.all(names)).flat();
}

/**
 * Runs `vnfm recover`, and expects that all private keys in the state are encrypted.
 * @returns the output of the command
 */
export async function recover(stack: TestStack): Promise<string> {
  const { status, stdout, stderr } = await stack.vnfm("recover");
  if (status !== 0) throw new Error(`recover ended with ${status}:\n${stdout}${stderr}`);
  // the replay of a counterexample runs outside of Jest
  if ((await stack.state()).includes("PRIVATE KEY"))
    throw new Error("the state has a private key in plain text");
  return stdout;
}
