import { constants } from "node:os";
import { PulumiStack } from "../stack/pulumi";
import { VnfmStack } from "../vnfm-stack";

/** Opens the stack of a command, one of the project in the current folder. @throws UsageFault if there is none */
export function openStack(name: string | undefined): Promise<VnfmStack> {
  return VnfmStack.open({ folder: process.cwd(), stack: name });
}

/**
 * Opens the stack of a command, for code of the command line itself.
 * @throws UsageFault if there is none
 */
export function openPulumiStack(name: string | undefined): Promise<PulumiStack> {
  return PulumiStack.open(process.cwd(), name);
}

/**
 * An AbortSignal for the signals that end a process: Ctrl-C, a cancelled job of a pipeline, a closed terminal. A second
 * signal ends this process with all of its child processes.
 * @param onStop called at the first one
 */
export function stopSignal(onStop: () => void = () => undefined): AbortSignal {
  const stop = new AbortController();
  // a closed terminal accepts no more lines
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    // not once: signal-exit, in the SDK, sends a signal again that has no other listener
    process.on(name, () => {
      if (stop.signal.aborted) process.exit(128 + constants.signals[name]);
      stop.abort();
      onStop();
    });
  }
  return stop.signal;
}
