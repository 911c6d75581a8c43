import { createInterface } from "node:readline/promises";
import { printableLine } from "../../components/base/printable";
import { UsageFault } from "../fault";

/** One thing to be chosen. */
export interface Question<T> {
  /** The option that answers it, without its dashes. */
  readonly option: string;
  readonly asks: string;
  /** What may be answered, each as a line. */
  readonly offers: readonly string[];
  /** The answer of who says nothing. Undefined: something has to be said. */
  readonly fallback: string | undefined;
  /** @throws UsageFault if the answer is none */
  readonly read: (answer: string) => T;
}

/** How questions are answered. */
export type Answer = <T>(question: Question<T>) => Promise<T>;

/** Answers by options, and without asking: what has no option has its default. */
export function byDefault(given: Readonly<Record<string, string | undefined>>): Answer {
  return ({ option, asks, offers, fallback, read }) => {
    const answer = given[option] ?? fallback;
    if (answer !== undefined) return Promise.resolve(read(answer));
    const known =
      offers.length === 0
        ? ""
        : ["; there is", ...offers.map((offer) => `  ${printableLine(offer)}`)].join("\n");
    throw new UsageFault(`${asks} has no default here: give --${option}${known}`);
  };
}

/** Answers by options, and asks on the terminal for what has none until the answer can be meant. */
export function byTerminal(
  given: Readonly<Record<string, string | undefined>>,
  tell: (line: string) => void,
): Answer {
  return async ({ option, asks, offers, fallback, read }) => {
    const answer = given[option];
    if (answer !== undefined) return read(answer);
    if (offers.length > 0)
      for (const line of [`${asks}:`, ...offers.map((offer) => `  ${offer}`)]) tell(line);
    const prompt = `${offers.length > 0 ? option : asks}${fallback === undefined ? "" : ` [${fallback}]`}: `;
    for (;;) {
      const said = (await ask(prompt)) || fallback;
      if (said === undefined) continue;
      try {
        return read(said);
      } catch (error) {
        if (!(error instanceof UsageFault)) throw error;
        for (const line of error.message.split("\n")) tell(line);
      }
    }
  };
}

/** @throws UsageFault at the end of the input: there is nobody who answers */
async function ask(prompt: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const ended = new Promise<undefined>((none) => terminal.once("close", () => none(undefined)));
  const answer = await Promise.race([terminal.question(printableLine(prompt)), ended]);
  terminal.close();
  if (answer === undefined) throw new UsageFault("no answer: nothing is written");
  return answer.trim();
}
