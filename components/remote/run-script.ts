/**
 * Runs a script of the folder scripts on a server: node run-script.ts VERB, where the verb is `create`, `update`,
 * `delete`, or a question of the script's own such as `check`. VNFM_SCRIPT has the name of the script, and after it its
 * hash, which nobody reads here: with another one the engine runs the step again. Standard input has where the script
 * runs and its data, as JSON: see Reach in reaching.ts. With a `handover`, which is such a Reach, that server hands over what
 * it serves before the script is run with `delete`. With an `admission`, a Reach too, a master of the cluster admits the
 * server before the script is run with `create` or `update`. What a script with a `receipt` prints when it is deleted, the script of
 * the same receipt that is created next has as `not_before`.
 */
import { printable } from "../base/printable";
import { readInput, startProgram } from "../run/program";
import { runAdmitted } from "./admission";
import { NOT_REACHED, runOnServer, type Reach } from "./reaching";
import { dropReceipt, keepReceipt, receiptOf } from "./receipt";
import type { Host } from "./ssh-client";

/**
 * What a script does for the engine; anything else is a question, which is answered soon. It is asked once more where the
 * connection breaks: of many connections at a time, as `vnfm check` makes, sshd turns some away.
 */
const VERBS_OF_ENGINE = ["create", "update", "delete"];
const QUESTION = { tries: 2, seconds: 60 };
/** The statuses of `timeout`, where the program ended and where it had to be killed. */
const TIMED_OUT = [124, 137];

/** What the step of a script has written: see scriptStep. */
interface Input {
  readonly reach: Reach;
  readonly data: Readonly<Record<string, string>>;
  /** True for a script of a server that is about to be deleted, which then goes in any case. */
  readonly leaves?: boolean;
  readonly handover?: Reach;
  readonly admission?: Reach;
  readonly receipt?: string;
}

async function main() {
  const [verb = ""] = process.argv.slice(2);
  const [script = ""] = (process.env["VNFM_SCRIPT"] ?? "").split(" ");
  const { reach, data: given, leaves, handover, admission, receipt } = readInput<Input>();
  const isOfEngine = VERBS_OF_ENGINE.includes(verb);
  const how = isOfEngine ? reach : { ...reach, ...QUESTION };
  const isBegun = verb === "create" || verb === "update";
  const begins = receipt !== undefined && isBegun;
  const data = begins ? { ...given, not_before: receiptOf(receipt) } : given;
  const { status, stdout, stderr } =
    verb === "delete" && handover !== undefined
      ? await deleteAfterHandover(ownLast(how, handover), handover, { script, data })
      : isBegun && admission !== undefined
        ? await runAdmitted(how, admission, { script, verb, data })
        : await runOnServer(how, { script, verb, data });
  if (begins && status === 0) dropReceipt(receipt);
  if (receipt !== undefined && verb === "delete" && status === 0 && stdout.trim() !== "")
    keepReceipt(receipt, stdout.trim());
  // a node has written it. Of a step that ends well nobody is shown it, and the state would keep all of it
  const isShown = status !== 0 || !isOfEngine || leaves;
  if (isShown) process.stderr.write(printable(stderr));
  // the engine shows all that a failed command has printed, and a script's result may be a secret
  if (status === 0 || !isOfEngine) process.stdout.write(stdout);
  process.exitCode = status;
  if (!leaves || status === 0) return;
  process.stderr.write(goesAsItIs(how, status));
  process.exitCode = 0;
}

/** The servers of a reach, the one that leaves last: what it serves ends in the middle of the script. */
function ownLast(reach: Reach, { hosts: [own] }: Reach): Reach {
  const isOwn = ({ host }: Host) => host === own?.host;
  return { ...reach, hosts: [...reach.hosts.filter((host) => !isOwn(host)), ...reach.hosts.filter(isOwn)] };
}

/**
 * Runs a script with `drain`, then has the server that leaves hand over what it serves, then runs the script with
 * `delete`. Where the pods cannot move, the server serves as before.
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

/** Words for a server that has not done what it was to do before it is deleted. */
function goesAsItIs({ hosts: [own] }: Reach, status: number) {
  return `${own?.host} goes as it is: it ${whyNot(status)}\n`;
}

/** Why a server that is about to be deleted has not done what it was to do before. */
function whyNot(status: number) {
  if (status === NOT_REACHED) return "cannot be reached by SSH";
  return TIMED_OUT.includes(status) ? "has not done this in its time" : "says the above";
}

startProgram(main);
