/**
 * Asks a cluster, before it is made anew as a whole, whether something on it is in use: node evacuation.ts VERB. A
 * cluster that does not answer is no reason to fail where all of it may go.
 *
 * create: nothing is there that could be in use
 * update: with a new token, refuses what is in use, or ends it; with the same one there is nothing to ask
 *
 * It prints the token; PULUMI_COMMAND_STDOUT has what it has printed the time before. Standard input has its data, as JSON.
 */
import { printable } from "../base/printable";
import { readInput, startProgram } from "../run/program";
import { NOT_REACHED, runOnServer, type Reach } from "./reaching";

/** Data of the program, which deploy/kubeadm/evacuation.ts writes. */
export interface Evacuation {
  readonly instance: string;
  /** Token under heal.all. Where it is empty there is nothing else in the data. */
  readonly healToken: string;
  /** True if all that is on the cluster may go. */
  readonly evacuate: boolean;
  /** Reason by which the stack config alone refuses it; empty for none. */
  readonly refusal: string;
  /** The way to each master, one by one. */
  readonly masters: readonly Reach[];
  readonly data: Readonly<Record<string, string>>;
}

/** The status of in-use.sh where something is in use. */
const IN_USE = 3;

/** @param before the token of the last run */
async function assertUnused(
  { instance, healToken, evacuate, refusal, masters, data }: Evacuation,
  before: string,
) {
  if (healToken === before) return;
  if (healToken === "")
    throw new Error(
      "the token under heal.all is gone from the stack config, which would make the whole cluster anew. Nothing has " +
        `changed. Set it back to ${before}`,
    );
  if (refusal !== "") throw new Error(refusal);
  for (const master of masters) {
    const { status, stderr } = await runOnServer(master, { script: "in-use.sh", verb: "create", data });
    if (status !== NOT_REACHED) process.stderr.write(printable(stderr));
    if (status === 0) return;
    if (status === IN_USE)
      throw new Error(
        `Nothing has changed. End what uses them, or set vnfm:vnfs.${instance}.evacuate to true: all of it goes with ` +
          "the cluster then, and CNFs of this stack are made again on the new one",
      );
  }
  if (!evacuate)
    throw new Error(
      `no master of ${instance} answers for its cluster, so what is in use there is not known. Nothing has changed. ` +
        `Mend a master, or set vnfm:vnfs.${instance}.evacuate to true: whatever is on the cluster goes with it then`,
    );
}

async function main() {
  const [verb] = process.argv.slice(2);
  const evacuation = readInput<Evacuation>();
  const before = (process.env["PULUMI_COMMAND_STDOUT"] ?? "").trim();
  if (verb === "update") await assertUnused(evacuation, before);
  process.stdout.write(`${evacuation.healToken}\n`);
}

startProgram(main);
