import type { Described, Operand } from "./command";
import { HELP } from "./help";

/** Names in the stack configs of a folder, which complete words of a command line. */
export interface Names {
  readonly stacks: readonly string[];
  readonly instances: readonly string[];
  /** VNFCs and scaling aspects of an instance. */
  readonly vnfcs: (vnf: string) => readonly string[];
  readonly aspects: (vnf: string) => readonly string[];
  /** Secrets that `vnfm rotate` accepts. */
  readonly secrets: readonly string[];
  readonly shells: readonly string[];
}

/**
 * Candidates for the last word.
 * @param line the words after `vnfm`; the last one is incomplete, and may be empty
 * @param namesOf reads the names of a stack, or of all if the line has no stack
 */
export function candidates(
  line: readonly string[],
  commands: readonly Described[],
  namesOf: (stack: string | undefined) => Names,
): readonly string[] {
  const begun = line.at(-1) ?? "";
  const { positionals, pending, stack } = read(line.slice(0, -1), commands);
  const [verb, ...words] = positionals;
  const command = commands.find(({ name }) => name === verb);
  const all = (): readonly string[] => {
    if (pending !== undefined) return pending === "stack" ? namesOf(undefined).stacks : [];
    if (begun.startsWith("-")) return optionsOf(command);
    if (verb === undefined) return commands.map(({ name }) => name);
    return command === undefined ? [] : wordsOf(command, words, namesOf(stack));
  };
  return all().filter((word) => word.startsWith(begun));
}

interface Line {
  readonly positionals: readonly string[];
  /** The option whose value is the next word. */
  readonly pending?: string;
  readonly stack?: string;
}

/** Parses the complete words, ignoring errors in them. */
function read(words: readonly string[], commands: readonly Described[]): Line {
  const options = commands.flatMap((command) => Object.entries(command.options));
  const withValue = (word: string): string | undefined =>
    options.find(
      ([name, { short, value }]) => value !== undefined && [`--${name}`, `-${short}`].includes(word),
    )?.[0];
  return words.reduce<Line>(
    ({ pending, ...line }, word) => {
      if (pending !== undefined) return pending === "stack" ? { ...line, stack: word } : line;
      if (word.startsWith("--stack=")) return { ...line, stack: word.slice("--stack=".length) };
      const next = withValue(word);
      if (next !== undefined) return { ...line, pending: next };
      return word.startsWith("-") ? line : { ...line, positionals: [...line.positionals, word] };
    },
    { positionals: [] },
  );
}

function optionsOf(command: Described | undefined): readonly string[] {
  return Object.keys({ ...command?.options, help: HELP }).map((name) => `--${name}`);
}

/** Candidates for the next operand. */
function wordsOf({ operands }: Described, words: readonly string[], names: Names): readonly string[] {
  const places = Object.values(operands).flatMap((operand) =>
    Array.from<Operand<unknown>>({ length: Math.min(operand.most, words.length + 1) }).fill(operand),
  );
  const { name = "" } = places[words.length] ?? {};
  const [vnf = ""] = words;
  switch (name) {
    case "VNF":
      return names.instances;
    case "VNFC":
      return names.vnfcs(vnf).filter((vnfc) => !words.includes(vnfc));
    case "ASPECT=LEVEL":
      return names.aspects(vnf).map((aspect) => `${aspect}=`);
    case "SECRET":
      return names.secrets.filter((secret) => !words.includes(secret));
    case "SHELL":
      return names.shells;
    default:
      // a keyword is its own name; for others, such as FILE, the shell has better candidates
      return name === name.toLowerCase() && name !== "" ? [name] : [];
  }
}
