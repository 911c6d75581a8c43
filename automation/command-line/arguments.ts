import { parseArgs } from "node:util";
import { didYouMean } from "../../components/base/nearest";
import { UsageFault } from "../fault";
import type { Command, Described, Texts, Invocation } from "./command";
import { EXIT } from "./exit-status";
import { HELP, helpOf, helpOfAll } from "./help";

/**
 * Parses a command line by the table of commands.
 * @throws UsageFault if it is invalid
 */
export function readArguments(args: readonly string[], commands: readonly Command[]): Invocation {
  const { positionals, values } = parse(args, commands);
  const [name, ...words] = positionals;
  const command = commands.find((one) => one.name === name);
  if (values["help"] !== undefined) {
    const text = command === undefined ? helpOfAll(commands) : helpOf(command);
    return { command: "help", request: { text }, run: () => Promise.resolve(show(text)) };
  }
  if (name === undefined) throw new UsageFault(helpOfAll(commands));
  if (command === undefined) {
    const known = commands.map((one) => one.name);
    throw new UsageFault(`there is no command "${name}"${didYouMean(name, known)}\n${helpOfAll(commands)}`);
  }
  try {
    const foreign = Object.keys(values).find((option) => !Object.hasOwn(command.options, option));
    if (foreign !== undefined) throw new UsageFault(`--${foreign} is not an option of this command`);
    return command.invoke(wordsOf(command, words), values);
  } catch (error) {
    throw error instanceof UsageFault ? new UsageFault(`${error.message}\n${helpOf(command)}`) : error;
  }
}

/** Parses options and words. Options may precede the command, so the options of all commands are parsed. */
function parse(
  args: readonly string[],
  commands: readonly Described[],
): { readonly positionals: readonly string[]; readonly values: Texts } {
  const all = commands.flatMap(({ options }) => Object.entries(options));
  const options = [...all, ["help", HELP] as const].map(
    ([name, { value, short }]) =>
      [
        name,
        {
          type: value === undefined ? ("boolean" as const) : ("string" as const),
          multiple: true,
          ...(short !== undefined && { short }),
        },
      ] as const,
  );
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: Object.fromEntries(options),
    });
    const texts = Object.entries(values).map(
      ([name, value]) => [name, [value ?? []].flat().map(String)] as const,
    );
    return { positionals, values: Object.fromEntries(texts) };
  } catch (error) {
    throw new UsageFault((error as Error).message);
  }
}

/** Returns the words of a command line, by operand. */
function wordsOf({ operands }: Described, words: readonly string[]): Texts {
  let left = words;
  const taken = Object.entries(operands).map(([key, { name, least, most }]) => {
    if (left.length < least) throw new UsageFault(`${name} is missing`);
    const assigned = left.slice(0, most);
    left = left.slice(most);
    return [key, assigned] as const;
  });
  if (left.length > 0) throw new UsageFault(`unexpected argument "${left[0]}"`);
  return Object.fromEntries(taken);
}

function show(text: string): number {
  process.stdout.write(text);
  return EXIT.done;
}
