import { UsageFault } from "../fault";

/**
 * Parses a part of a command line.
 * @throws UsageFault if it is invalid
 */
type Read<T> = (texts: readonly string[]) => T;

/** An option of a command, with its help text. */
export interface Option<T> {
  readonly summary: string;
  readonly short?: string;
  /** Placeholder of the value in the help, such as `NAME`. Undefined: the option has no value. */
  readonly value?: string;
  /** Parses the values of the option, in their order; an absent option has none. */
  readonly read: Read<T>;
}

/** An operand of a command. */
export interface Operand<T> {
  /** Name in the usage, such as `VNF`. */
  readonly name: string;
  /** Minimum number of words. */
  readonly least: number;
  readonly most: number;
  readonly read: Read<T>;
}

/** The description of a command for its help: name, purpose, operands and options. */
export interface Described {
  readonly name: string;
  /** One line. */
  readonly summary: string;
  /** Further text for the command's own help. */
  readonly details?: string;
  /** Example command lines, without the program's name. */
  readonly examples: readonly [string, ...string[]];
  readonly operands: Readonly<Record<string, Operand<unknown>>>;
  readonly options: Readonly<Record<string, Option<unknown>>>;
}

/** A verb of `vnfm`. */
export interface Command extends Described {
  /**
   * Parses the words and values of a command line.
   * @param words by operand
   * @param values by option
   * @throws UsageFault if they are invalid
   */
  readonly invoke: (words: Texts, values: Texts) => Invocation;
}

/** Texts of a command line by operand or option. */
export type Texts = Readonly<Record<string, readonly string[]>>;

/** A parsed command line. */
export interface Invocation {
  readonly command: string;
  /** The request of the user. */
  readonly request: object;
  /**
   * @returns the exit status
   */
  readonly run: () => Promise<number>;
}

type Readers = Readonly<Record<string, { readonly read: Read<unknown> }>>;
type Value<R> = R extends { readonly read: Read<infer T> } ? T : never;
/** Results of readers, by their names; optional ones may be absent. */
type Values<R extends Readers> = {
  readonly [K in keyof R as undefined extends Value<R[K]> ? never : K]: Value<R[K]>;
} & {
  readonly [K in keyof R as undefined extends Value<R[K]> ? K : never]?: Exclude<Value<R[K]>, undefined>;
};

interface Definition<P extends Described["operands"], O extends Described["options"]> extends Described {
  readonly operands: P;
  readonly options: O;
}

/** Creates a command from its description and its function. */
export function command<
  const P extends Described["operands"],
  const O extends Described["options"],
  R extends object = Values<P> & Values<O>,
>(
  definition: Definition<P, O> & {
    /**
     * Converts the values to a request.
     * @default the values themselves
     * @throws UsageFault for values that contradict each other
     */
    readonly read?: (values: Values<P> & Values<O>) => R;
    readonly run: (request: R) => Promise<number>;
  },
): Command {
  const { read = (values) => values as unknown as R, run, ...described } = definition;
  return {
    ...described,
    invoke: (words, values) => {
      const operands = readAll(described.operands, words, (_, message) => message);
      const options = readAll(described.options, values, (name, message) => `--${name}: ${message}`);
      const request = read({ ...operands, ...options } as Values<P> & Values<O>);
      return { command: described.name, request, run: () => run(request) };
    },
  };
}

function readAll(
  readers: Readers,
  byName: Texts,
  describe: (name: string, message: string) => string,
): object {
  const values = Object.entries(readers).map(([name, { read }]) => {
    try {
      return [name, read(byName[name] ?? [])] as const;
    } catch (error) {
      throw error instanceof UsageFault ? new UsageFault(describe(name, error.message)) : error;
    }
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** A required word. */
export function word(name: string): Operand<string> {
  return { name, least: 1, most: 1, read: ([text = ""]) => text };
}

export function optionalWord(name: string): Operand<string | undefined> {
  return { name, least: 0, most: 1, read: ([text]) => text };
}

/** A word with a fixed value. */
export function keyword(name: string): Operand<undefined> {
  const read = ([text]: readonly string[]): undefined => {
    if (text !== name) throw new UsageFault(`"${text}" is not ${name}`);
  };
  return { name, least: 1, most: 1, read };
}

/**
 * An operand with a fixed list of words.
 * @param what name in the usage
 */
export function choice<const T extends string>(what: string, ...names: readonly T[]): Operand<T> {
  const read = ([text]: readonly string[]): T => {
    const found = names.find((name) => name === text);
    if (found === undefined) throw new UsageFault(`"${text}" is not ${names.join(", ")}`);
    return found;
  };
  return { name: what, least: 1, most: 1, read };
}

/** One or more words; duplicates are dropped. @param read reads one of them */
export function words(name: string): Operand<readonly string[]>;
export function words<T>(name: string, read: (word: string) => T): Operand<readonly T[]>;
export function words(name: string, read: (word: string) => unknown = (text) => text): Operand<unknown> {
  const readEach = (texts: readonly string[]) => [...new Set(texts)].map(read);
  return { name, least: 1, most: Infinity, read: readEach };
}

/** All remaining words, in their order. */
export function rest(name: string): Operand<readonly string[]> {
  return { name, least: 0, most: Infinity, read: (texts) => texts };
}

/** An option without a value. */
export function flag(summary: string, short?: string): Option<boolean> {
  return { summary, ...(short !== undefined && { short }), read: ({ length }) => length > 0 };
}

/** An option with a value; the last one counts. @param value placeholder in the help */
export function option(value: string, summary: string, more?: More): Option<string | undefined>;
export function option<T>(value: string, summary: string, more: Reading<T>): Option<T | undefined>;
export function option(
  value: string,
  summary: string,
  { short, read = (text) => text }: Partial<Reading<unknown>> = {},
): Option<unknown> {
  const readLast = (texts: readonly string[]) => {
    const last = texts.at(-1);
    return last === undefined ? undefined : read(last);
  };
  return { value, summary, ...(short !== undefined && { short }), read: readLast };
}

interface More {
  readonly short?: string;
}
interface Reading<T> extends More {
  readonly read: (text: string) => T;
}

/** An option that may be repeated. @param read reads one of its values */
export function repeatedOption<T>(
  value: string,
  summary: string,
  read: (text: string) => T,
): Option<readonly T[]> {
  return { value, summary, read: (texts) => texts.map(read) };
}

/** The same option with a default value. */
export function withDefault<T>({ read, ...described }: Option<T | undefined>, byDefault: T): Option<T> {
  return { ...described, read: (texts) => read(texts) ?? byDefault };
}
