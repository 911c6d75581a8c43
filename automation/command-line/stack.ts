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

/** Ends what is under way, so that its files go. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => stop.abort());
  return stop.signal;
}
