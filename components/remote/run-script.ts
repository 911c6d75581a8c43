/**
 * Runs a script of the folder scripts on a server: node run-script.ts VERB, where the verb is `create`, `update`,
 * `delete`, or a query of the script such as `check`. VNFM_SCRIPT has the name and the hash of the script. The hash is
 * not read here: a new one makes Pulumi run the step again. Standard input has the script's connection and data, as
 * JSON: see Reach in reaching.ts. With a `handover`, which is such a Reach, that server hands its services over before
 * the script runs with `delete`. With an `admission`, also a Reach, a master of the cluster admits the server before
 * the script runs with `create` or `update`. The output of a deleted script with a `receipt` is passed as `not_before`
 * to the script with the same receipt that is created next.
 */
import { printable } from "../base/printable";
import { readInput, startProgram } from "../run/program";
import { runAdmitted } from "./admission";
import { NOT_REACHED, runOnServer, type Reach } from "./reaching";
import { dropReceipt, keepReceipt, receiptOf } from "./receipt";
import type { Host } from "./ssh-client";

/**
 * Verbs of Pulumi. Any other verb is a query, which is answered quickly. It is repeated once if the connection breaks:
 * sshd refuses some of many parallel connections, such as those of `vnfm check`.
 */
const VERBS_OF_ENGINE = ["create", "update", "delete"];
const QUESTION = { tries: 2, seconds: 60 };
/** Exit statuses of `timeout`: the program ended in time after the signal, or had to be killed. */
const TIMED_OUT = [124, 137];

/** Input of the step of a script: see scriptStep. */
interface Input {
  readonly reach: Reach;
  readonly data: Readonly<Record<string, string>>;
  /** True for a script of a server that is about to be deleted, whether the script succeeds or not. */
  readonly leaves?: boolean;
  readonly handover?: Reach;
  readonly admission?: Reach;
  readonly receipt?: string;
}

async function main() {
  const [verb = ""] = process.argv.slice(2);
  const [script = ""] = (process.env["VNFM_SCRIPT"] ?? "").split(" ");
  const { reach, data: ofStep, leaves, handover, admission, receipt } = readInput<Input>();
  const isOfEngine = VERBS_OF_ENGINE.includes(verb);
  const how = isOfEngine ? reach : { ...reach, ...QUESTION };
  const isBegun = verb === "create" || verb === "update";
  const begins = receipt !== undefined && isBegun;
  const data = begins ? { ...ofStep, not_before: receiptOf(receipt) } : ofStep;
  const { status, stdout, stderr } =
    verb === "delete" && handover !== undefined
      ? await deleteAfterHandover(ownLast(how, handover), handover, { script, data })
      : isBegun && admission !== undefined
        ? await runAdmitted(how, admission, { script, verb, data })
        : await runOnServer(how, { script, verb, data });
  if (begins && status === 0) dropReceipt(receipt);
  if (receipt !== undefined && verb === "delete" && status === 0 && stdout.trim() !== "")
    keepReceipt(receipt, stdout.trim());
  // the text comes from a node; that of a successful step would never be shown, and would stay in the state
  const isShown = status !== 0 || !isOfEngine || leaves;
  if (isShown) process.stderr.write(printable(stderr));
  // the engine shows all output of a failed command, and a script's result may be a secret
  if (status === 0 || !isOfEngine) process.stdout.write(stdout);
  process.exitCode = status;
  if (!leaves || status === 0) return;
  process.stderr.write(goesAsItIs(how, status));
  process.exitCode = 0;
}

/**
 * The servers of a reach in another order: the leaving server is last, as its services end in the middle of the script.
 */
function ownLast(reach: Reach, { hosts: [own] }: Reach): Reach {
  const isOwn = ({ host }: Host) => host === own?.host;
  return { ...reach, hosts: [...reach.hosts.filter((host) => !isOwn(host)), ...reach.hosts.filter(isOwn)] };
}

/**
 * Runs a script with `drain`, makes the leaving server hand its services over, and then runs the script with `delete`.
 * If the pods cannot move, the server keeps serving.
 */
async function deleteAfterHandover(
  reach: Reach,
  handover: Reach,
  what: { readonly script: string; readonly data: Readonly<Record<string, string>> },
) {
  const drained = await runOnServer(reach, { ...what, verb: "drain" });
  if (drained.status !== 0) return drained;
  const { status, stderr } = await runOnServer(handover, {
    script: "hand-over.sh",
    verb: "delete",
    data: {},
  });
  if (status !== 0) process.stderr.write(printable(stderr) + goesAsItIs(handover, status));
  return runOnServer(reach, { ...what, verb: "delete" });
}

/** The message about a server that is deleted although its script did not succeed. */
function goesAsItIs({ hosts: [own] }: Reach, status: number) {
  return `${own?.host} is deleted without its preparation: it ${whyNot(status)}\n`;
}

/** The reason why a script before the deletion of a server did not succeed. */
function whyNot(status: number) {
  if (status === NOT_REACHED) return "cannot be reached by SSH";
  return TIMED_OUT.includes(status) ? "did not finish in time" : "reported the above";
}

startProgram(main);
