/**
 * Waits until an object is ready, and reports the reason if it is not in time. Standard input has the credentials and
 * the object. Progress goes to standard error, which Pulumi shows meanwhile; the result, which may contain lines of a
 * container's log, goes to standard output, which Pulumi shows only in an error. On success the result is the state of
 * the object; PULUMI_COMMAND_STDOUT has the previous one.
 */
import { awaitReady, type Input } from "../../../kube/client/wait";
import { readInput, startProgram } from "../../../run/program";

async function main() {
  const input = readInput<Input & { uid?: string; generation?: number }>();
  const { uid, generation, until } = input;
  const state = `${until}: ${uid} ${generation}`;
  // a completed Job may have been deleted since
  const isDone = uid !== undefined && process.env.PULUMI_COMMAND_STDOUT === state;
  if (!isDone) await awaitReady(input);
  process.stdout.write(state);
}

startProgram(main, process.stdout);
