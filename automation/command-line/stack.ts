import { constants } from "node:os";
import { PulumiStack } from "../stack/pulumi";
import { VnfmStack } from "../vnfm-stack";

/** The stack that a command works on: one of the project in the current folder. @throws UsageFault if there is none */
export function openStack(name: string | undefined): Promise<VnfmStack> {
  return VnfmStack.open({ folder: process.cwd(), stack: name });
}

/** The same for what is for the command line alone. @throws UsageFault if there is none */
export function openPulumiStack(name: string | undefined): Promise<PulumiStack> {
  return PulumiStack.open(process.cwd(), name);
}

/**
 * An AbortSignal for the signals that end a process: of Ctrl-C, of a pipeline whose job is cancelled, of a terminal that is
 * closed. A second one ends this process, and with it all that it has started.
 *
 * @param onStop is called at the first one
 */
export function stopSignal(onStop: () => void = () => undefined): AbortSignal {
  const stop = new AbortController();
  // a terminal that is gone takes no more lines
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    // not once: signal-exit, in the SDK, sends a signal again that nobody else listens to
    process.on(name, () => {
      if (stop.signal.aborted) process.exit(128 + constants.signals[name]);
      stop.abort();
      onStop();
    });
  }
  return stop.signal;
}
