/**
 * Checks a cluster for workloads and volumes in use before the whole cluster is replaced: node evacuation.ts VERB. If
 * everything on the cluster may be deleted, a cluster that does not answer is no error.
 * create: the cluster is new, so there is nothing to check
 * update: with a new trigger value, refuses if something is in use, or evacuates it; with the same value does nothing
 * It prints the trigger value; PULUMI_COMMAND_STDOUT has the previous output. Standard input has its data, as JSON.
 */
import { printable } from "../base/printable";
import { readInput, startProgram } from "../run/program";
import { NOT_REACHED, runOnServer, type Reach } from "./reaching";

/** Input of the program, written by deploy/kubeadm/evacuation.ts. */
export interface Evacuation {
  readonly instance: string;
  /** Trigger value under heal.all. If it is empty there are no other data. */
  readonly healToken: string;
  /** True if everything on the cluster may be deleted. */
  readonly evacuate: boolean;
  /** Reason of a refusal by the stack config; empty for none. */
  readonly refusal: string;
  /** The connection to each master. */
  readonly masters: readonly Reach[];
  readonly data: Readonly<Record<string, string>>;
}

/** Exit status of in-use.sh if something is in use. */
const IN_USE = 3;

/**
 * @param before trigger value of the last run
 */
async function assertUnused(
  { instance, healToken, evacuate, refusal, masters, data }: Evacuation,
  before: string,
) {
  if (healToken === before) return;
  if (healToken === "")
    throw new Error(
      "the trigger value under heal.all was removed from the stack config, which would re-create the whole cluster. Nothing was " +
        `changed. Set it back to ${before}`,
    );
  if (refusal !== "") throw new Error(refusal);
  for (const master of masters) {
    const { status, stderr } = await runOnServer(master, { script: "in-use.sh", verb: "create", data });
    if (status !== NOT_REACHED) process.stderr.write(printable(stderr));
    if (status === 0) return;
    if (status === IN_USE)
      throw new Error(
        `Nothing was changed. Delete what uses them, or set vnfm:vnfs.${instance}.evacuate to true: then all of it is deleted with ` +
          "the cluster, and CNFs of this stack are created again on the new one",
      );
  }
  if (!evacuate)
    throw new Error(
      `no control-plane node of ${instance} answers, so it is not known what is in use on its cluster. Nothing was changed. ` +
        `Repair a control-plane node, or set vnfm:vnfs.${instance}.evacuate to true: then everything on the cluster is deleted with it`,
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
