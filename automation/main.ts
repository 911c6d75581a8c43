import { parseArgs } from "node:util";
import { Fault } from "./fault";
import { PulumiStack } from "./pulumi";
import { recover } from "./recover";

const USAGE = `usage: npm run vnfm -- recover [--stack NAME]

  recover  after a run that was cut off: removes its lock, finds what it made in the cloud and puts
           that into the state, so that the next 'pulumi up' goes on from there

  --stack NAME  stack; the selected one by default
  --help        this text

Exit status: 0 the state is clean, 1 it is not, 2 wrong usage.
`;

async function main(): Promise<number> {
  const { command, stack, help } = readArguments();
  if (help) {
    process.stdout.write(USAGE);
    return 0;
  }
  if (command !== "recover") {
    process.stderr.write(USAGE);
    return 2;
  }
  const report = (line: string): void => void process.stdout.write(`${line}\n`);
  const opened = await PulumiStack.open(stack);
  if (opened === undefined) report(`there is no stack ${stack ?? "selected"}`);
  else await recover(opened, report);
  return 0;
}

function readArguments(): { command?: string; stack?: string; help?: boolean } {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { stack: { type: "string", short: "s" }, help: { type: "boolean", short: "h" } },
    });
    return positionals.length > 1 ? {} : { ...values, ...(positionals[0] && { command: positionals[0] }) };
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    return {};
  }
}

main().then(
  (status) => (process.exitCode = status),
  (error: unknown) => {
    process.stderr.write(
      `vnfm: ${error instanceof Fault ? error.message : String((error as Error).stack)}\n`,
    );
    process.exit(1); // at once: other look-ups may still be waiting
  },
);
