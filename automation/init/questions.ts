import { createInterface } from "node:readline/promises";
import { printableLine } from "../../components/base/printable";
import { UsageFault } from "../fault";

/** A prompt for one choice. */
export interface Question<T> {
  /** Command-line option that sets the choice, without dashes. */
  readonly option: string;
  readonly asks: string;
  /** Possible answers, each as a line. */
  readonly offers: readonly string[];
  /** The default for an empty answer. Undefined: an answer is required. */
  readonly fallback: string | undefined;
  /**
   * @throws UsageFault for an invalid answer
   */
  readonly read: (answer: string) => T;
}

/** A function that returns the choice for a question. */
export type Answer = <T>(question: Question<T>) => Promise<T>;

/** Takes choices from options and defaults, without prompts. */
export function byDefault(answers: Readonly<Record<string, string | undefined>>): Answer {
  return ({ option, asks, offers, fallback, read }) => {
    const answer = answers[option] ?? fallback;
    if (answer !== undefined) return Promise.resolve(read(answer));
    const known =
      offers.length === 0
        ? ""
        : ["; available:", ...offers.map((offer) => `  ${printableLine(offer)}`)].join("\n");
    throw new UsageFault(`${asks} has no default: set --${option}${known}`);
  };
}

/** Takes choices from options, and prompts for the others on the terminal until the answer is valid. */
export function byTerminal(
  answers: Readonly<Record<string, string | undefined>>,
  printLine: (line: string) => void,
): Answer {
  return async ({ option, asks, offers, fallback, read }) => {
    const answer = answers[option];
    if (answer !== undefined) return read(answer);
    if (offers.length > 0)
      for (const line of [`${asks}:`, ...offers.map((offer) => `  ${offer}`)]) printLine(line);
    const prompt = `${offers.length > 0 ? option : asks}${fallback === undefined ? "" : ` [${fallback}]`}: `;
    for (;;) {
      const reply = (await ask(prompt)) || fallback;
      if (reply === undefined) continue;
      try {
        return read(reply);
      } catch (error) {
        if (!(error instanceof UsageFault)) throw error;
        for (const line of error.message.split("\n")) printLine(line);
      }
    }
  };
}

/** @throws UsageFault at the end of the input */
async function ask(prompt: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const ended = new Promise<undefined>((none) => terminal.once("close", () => none(undefined)));
  const answer = await Promise.race([terminal.question(printableLine(prompt)), ended]);
  terminal.close();
  if (answer === undefined) throw new UsageFault("no answer: nothing was written");
  return answer.trim();
}
