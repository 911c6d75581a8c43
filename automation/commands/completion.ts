import { notAmong } from "../../components/base/nearest";
import { command, rest, word, type Command, type Described } from "../command-line/command";
import { candidates } from "../command-line/completion";
import { namesIn } from "../command-line/completion-names";
import { completionScript, SHELLS } from "../command-line/completion-scripts";
import { EXIT } from "../command-line/exit-status";
import { UsageFault } from "../fault";

/** The argument with which a shell's completion script requests candidates. */
const WORDS = "words";

/** @param commands the other commands, whose lines are completed */
export function completionCommand(commands: readonly Described[]): Command {
  const completion: Command = command({
    name: "completion",
    summary: "prints a script that completes commands, options, instances and VNFCs in a shell",
    details: `SHELL is ${SHELLS.join(", ")}; '${WORDS} -- WORD...' prints the candidates for the last word`,
    examples: ["completion bash", "completion fish", `completion ${WORDS} -- heal vnf-a worker`],
    operands: { shell: word("SHELL"), line: rest("WORD") },
    options: {},
    run: ({ shell, line }) => {
      process.stdout.write(shell === WORDS ? answer(line, [...commands, completion]) : scriptOf(shell));
      return Promise.resolve(EXIT.done);
    },
  });
  return completion;
}

function answer(line: readonly string[], commands: readonly Described[]): string {
  const found = candidates(line, commands, (stack) => namesIn(process.cwd(), stack));
  return found
    .filter((one) => PLAIN.test(one))
    .map((one) => `${one}\n`)
    .join("");
}

/** Matches a word that needs no quotes in any shell. */
const PLAIN = /^[\w.,:@%+/=-]+$/;

function scriptOf(shell: string): string {
  const script = completionScript(shell);
  if (script === undefined) throw new UsageFault(notAmong(shell, SHELLS));
  return script;
}
