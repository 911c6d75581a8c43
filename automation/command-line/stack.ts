import { UsageFault } from "../fault";
import { PulumiStack } from "../stack/pulumi";

/** The stack that a command works on. @throws UsageFault if there is none */
export async function openStack(name: string | undefined): Promise<PulumiStack> {
  const stack = await PulumiStack.open(process.cwd(), name);
  if (stack !== undefined) return stack;
  throw new UsageFault(
    name === undefined
      ? "no stack is selected: give --stack NAME"
      : `there is no stack ${name}: 'pulumi stack init ${name}' makes it`,
  );
}

/** Ends what is under way, so that its files go. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"]) process.once(name, () => stop.abort());
  return stop.signal;
}
