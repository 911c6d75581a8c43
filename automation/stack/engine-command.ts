import { PulumiCommand } from "@pulumi/pulumi/automation";

/** The part of PulumiCommand by which the Automation API starts the CLI, and which its types leave out. */
interface Started {
  run(args: string[], ...rest: unknown[]): Promise<unknown>;
}

/**
 * The CLI for previews and updates, in a session of its own. A terminal sends Ctrl-C to its whole process group, and
 * `timeout` a signal: the CLI would get it beside the one by which we end it, and takes the second one for the wish to
 * leave its steps alone. So a run is ended by its AbortSignal alone, whoever has sent what to which process.
 *
 * @throws Error if there is no CLI, or one that is too old
 */
export async function engineCommand(): Promise<PulumiCommand> {
  const cli: PulumiCommand & Partial<Started> = await PulumiCommand.get();
  const started = PulumiCommand.prototype as unknown as Started;
  // setsid, of util-linux and busybox, becomes the program that it is given: the process id is that of the CLI
  return Object.assign(cli, {
    command: "setsid",
    run: (args: string[], ...rest: unknown[]) => started.run.call(cli, ["pulumi", ...args], ...rest),
  });
}
