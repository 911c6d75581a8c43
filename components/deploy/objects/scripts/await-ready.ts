/**
 * Waits until an object is ready, and says why where it is not in time. Standard input has the credentials
 * and what to wait for. Progress goes to standard error, which is shown while it runs; the end, which may have
 * lines of a container's log, to standard output, which is shown only in the error. Where all is well that is
 * what it has waited for; PULUMI_COMMAND_STDOUT has what it was the time before.
 */
import { awaitReady, type Input } from "../../../kube/client/wait";
import { readInput, startProgram } from "../../../run/program";

async function main() {
  const input = readInput<Input & { uid?: string; generation?: number }>();
  const { uid, generation, until } = input;
  const state = `${until}: ${uid} ${generation}`;
  // a Job that was complete may be gone by now
  const isDone = uid !== undefined && process.env.PULUMI_COMMAND_STDOUT === state;
  if (!isDone) await awaitReady(input);
  process.stdout.write(state);
}

startProgram(main, process.stdout);
