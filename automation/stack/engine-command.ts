import { PulumiCommand } from "@pulumi/pulumi/automation";

/** A private field of PulumiCommand through which the Automation API starts the CLI. */
interface Started {
  run(args: string[], ...rest: unknown[]): Promise<unknown>;
}

/**
 * The CLI for previews and updates, in a session of its own. A terminal, like `timeout`, sends Ctrl-C to its whole
 * process group: the CLI would get two signals, and abandon its steps at the second one. With its own session only the
 * AbortSignal ends a run, whichever process has received a signal.
 * @throws Error if there is no CLI, or one that is too old
 */
export async function engineCommand(): Promise<PulumiCommand> {
  const cli: PulumiCommand & Partial<Started> = await PulumiCommand.get();
  const started = PulumiCommand.prototype as unknown as Started;
  // setsid, of util-linux and busybox, becomes the given program: the process id is that of the CLI
  return Object.assign(cli, {
    command: "setsid",
    run: (args: string[], ...rest: unknown[]) => started.run.call(cli, ["pulumi", ...args], ...rest),
  });
}
