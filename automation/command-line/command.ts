import { UsageFault } from "../fault";

/** Reads a part of a command line. @throws UsageFault if it is none that can be meant */
type Read<T> = (texts: readonly string[]) => T;

/** An option of a command, and what the help says of it. */
export interface Option<T> {
  readonly summary: string;
  readonly short?: string;
  /** What stands for the value in the help, such as `NAME`. Undefined: the option has no value. */
  readonly value?: string;
  /** Gets the values in their order; none where the option is left out. */
  readonly read: Read<T>;
}

/** What a command takes besides options. */
export interface Operand<T> {
  /** In the usage, such as `VNF`. */
  readonly name: string;
  /** How many words it takes. */
  readonly least: number;
  readonly most: number;
  readonly read: Read<T>;
}

/** What a command is called, does and takes: all that its help has. */
export interface Described {
  readonly name: string;
  /** One line. */
  readonly summary: string;
  /** More of it, for the command's own help. */
  readonly details?: string;
  /** Command lines without the program's name. */
  readonly examples: readonly [string, ...string[]];
  readonly operands: Readonly<Record<string, Operand<unknown>>>;
  readonly options: Readonly<Record<string, Option<unknown>>>;
}

/** A verb of `vnfm`. */
export interface Command extends Described {
  /**
   * The command with what a command line gives it.
   *
   * @param words by operand
   * @param values by option
   * @throws UsageFault if that cannot be meant
   */
  readonly invoke: (words: Given, values: Given) => Invocation;
}

/** Texts of a command line by what they are for. */
export type Given = Readonly<Record<string, readonly string[]>>;

/** A command line that was understood. */
export interface Invocation {
  readonly command: string;
  /** What is asked for. */
  readonly request: object;
  /** @returns the exit status */
  readonly run: () => Promise<number>;
}

type Readers = Readonly<Record<string, { readonly read: Read<unknown> }>>;
type Value<R> = R extends { readonly read: Read<infer T> } ? T : never;
/** What readers read, by their names; what may be left out is left out. */
type Values<R extends Readers> = {
  readonly [K in keyof R as undefined extends Value<R[K]> ? never : K]: Value<R[K]>;
} & {
  readonly [K in keyof R as undefined extends Value<R[K]> ? K : never]?: Exclude<Value<R[K]>, undefined>;
};

interface Definition<P extends Described["operands"], O extends Described["options"]> extends Described {
  readonly operands: P;
  readonly options: O;
}

/** Makes a command of its description and what it does. */
export function command<
  const P extends Described["operands"],
  const O extends Described["options"],
  R extends object = Values<P> & Values<O>,
>(
  definition: Definition<P, O> & {
    /**
     * What is asked for, of all that was given.
     *
     * @default all of it as it was given
     * @throws UsageFault if that does not go together
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

function readAll(readers: Readers, given: Given, say: (name: string, message: string) => string): object {
  const values = Object.entries(readers).map(([name, { read }]) => {
    try {
      return [name, read(given[name] ?? [])] as const;
    } catch (error) {
      throw error instanceof UsageFault ? new UsageFault(say(name, error.message)) : error;
    }
  });
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** A word that has to be given. */
export function word(name: string): Operand<string> {
  return { name, least: 1, most: 1, read: ([given = ""]) => given };
}

export function optionalWord(name: string): Operand<string | undefined> {
  return { name, least: 0, most: 1, read: ([given]) => given };
}

/** A word that is this one. */
export function keyword(name: string): Operand<undefined> {
  const read = ([given]: readonly string[]): undefined => {
    if (given !== name) throw new UsageFault(`"${given}" is not ${name}`);
  };
  return { name, least: 1, most: 1, read };
}

/** A word that is one of these. @param what in the usage */
export function choice<const T extends string>(what: string, ...names: readonly T[]): Operand<T> {
  const read = ([given]: readonly string[]): T => {
    const found = names.find((name) => name === given);
    if (found === undefined) throw new UsageFault(`"${given}" is not ${names.join(", ")}`);
    return found;
  };
  return { name: what, least: 1, most: 1, read };
}

/** Words of which there is one at least; one that is given again does not count. @param read of one of them */
export function words(name: string): Operand<readonly string[]>;
export function words<T>(name: string, read: (word: string) => T): Operand<readonly T[]>;
export function words(name: string, read: (word: string) => unknown = (given) => given): Operand<unknown> {
  const readEach = (given: readonly string[]) => [...new Set(given)].map(read);
  return { name, least: 1, most: Infinity, read: readEach };
}

/** All other words, in their order. */
export function rest(name: string): Operand<readonly string[]> {
  return { name, least: 0, most: Infinity, read: (given) => given };
}

/** An option that is there or not. */
export function flag(summary: string, short?: string): Option<boolean> {
  return { summary, ...(short !== undefined && { short }), read: ({ length }) => length > 0 };
}

/** An option with a value; if it is given several times, the last one counts. @param value as the help shows it */
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

/** An option that may be given several times. @param read of one of its values */
export function repeatedOption<T>(
  value: string,
  summary: string,
  read: (text: string) => T,
): Option<readonly T[]> {
  return { value, summary, read: (texts) => texts.map(read) };
}

/** The same option with a value where it is left out. */
export function withDefault<T>({ read, ...described }: Option<T | undefined>, byDefault: T): Option<T> {
  return { ...described, read: (texts) => read(texts) ?? byDefault };
}
