import { setTimeout as sleep } from "node:timers/promises";
import { ALL } from "../components/plan/heal";
import { ask } from "./ask";
import { linesOf, scriptsOf, type Script } from "./checks";
import { Fault } from "./fault";
import type { IntendedVnf } from "./intent";
import { assertFree } from "./lock";
import type { Operation } from "./operation";
import type { PulumiStack } from "./pulumi";
import { runOverSsh, type Connection } from "./ssh";

/**
 * What the heal of a sole master that does not answer needs besides its token: no copy of etcd can be made, so the
 * resource that makes it is forgotten, and the new server takes the last snapshot.
 *
 * @throws Fault where it does not answer, and no snapshot can be had, or would be lost
 */
export async function outOfSnapshot(
  stack: PulumiStack,
  { name, plan: { cluster } }: IntendedVnf,
  vnfcs: readonly string[],
  signal?: AbortSignal,
): Promise<Pick<Operation, "forget" | "warnings">> {
  const [master] = cluster?.api.kind === "master" ? cluster.master.servers : [];
  if (master === undefined || !vnfcs.includes(master.key) || vnfcs.includes(ALL)) return {};
  assertFree(stack);
  const scripts = scriptsOf(await stack.exportPlain(), name);
  const copy = scripts.find(({ step }) => step === "copy");
  const store = scripts.find(({ step, stdin }) => step === "store" && stdin.includes("\nkept() {\n"));
  // of an earlier version of the program, or forgotten already
  if (copy?.connection === undefined || store === undefined) return {};
  if (await answers(copy.connection, signal)) return {};
  const worker = store.vnfc ?? "";
  if (vnfcs.includes(worker))
    throw new Fault(
      `${master.key} does not answer, and ${worker} has the snapshots of its etcd. First: vnfm heal ${name} ${master.key}`,
    );
  const taken = await timeOf(store, signal);
  return { forget: [copy.urn], warnings: [sayLoss(name, { master: master.key, worker, taken })] };
}

/** A sole master that does not answer. */
export interface Lost {
  readonly master: string;
  /** That has its snapshots. */
  readonly worker: string;
  /** Of when the last one is, empty for none; undefined where the worker does not answer. */
  readonly taken: string | undefined;
}

/** What is lost with its server. @throws Fault where no snapshot can be had */
export function sayLoss(vnf: string, { master, worker, taken }: Lost): string {
  const wayOut = `Bring one of them back, or make the cluster anew: vnfm heal ${vnf} ${ALL}`;
  if (taken === undefined)
    throw new Fault(
      `${master} does not answer, nor does ${worker}, which has snapshots of its etcd. ${wayOut}`,
    );
  if (taken === "")
    throw new Fault(`${master} does not answer, and ${worker} has no snapshot of its etcd. ${wayOut}`);
  return `${vnf}: ${master} does not answer: its etcd comes back as of ${taken}, and what was written since is lost`;
}

/** A server that is only slow to answer is not to lose what its etcd has. */
const TRIES = 3;
const PAUSE_SECONDS = 5;

async function answers(connection: Connection, signal?: AbortSignal): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    const { status } = await runOverSsh(connection, { command: "true", input: "", seconds: 60 }, signal);
    if (status === 0) return true;
    if (attempt === TRIES) return false;
    await sleep(PAUSE_SECONDS * 1000);
  }
}

/** As Lost.taken. */
async function timeOf(store: Script, signal?: AbortSignal): Promise<string | undefined> {
  const { status, stdout } = await ask(store, "kept", signal);
  return status === 0 ? linesOf(stdout).join(" ") : undefined;
}
