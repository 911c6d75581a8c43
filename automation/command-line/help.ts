import type { Described, Operand, Option } from "./command";
import { EXIT_STATUS } from "./exit-status";

/** Name of the program; docs explain how to call it in a checkout and in another project. */
const PROGRAM = "vnfm";

/** The option that every command has. */
export const HELP: Option<boolean> = {
  summary: "shows this help",
  short: "h",
  read: ({ length }) => length > 0,
};

/** The usage of a command without its options, such as `scale VNF ASPECT=LEVEL...`. */
export function usageOf({ name, operands }: Pick<Described, "name" | "operands">): string {
  return [name, ...Object.values(operands).map(describeOperand)].join(" ");
}

function describeOperand({ name, least, most }: Operand<unknown>): string {
  const some = most > 1 ? `${name}...` : name;
  return least === 0 ? `[${some}]` : some;
}

/** The help of one command. */
export function helpOf(command: Described): string {
  const { summary, details, examples, options } = command;
  const lines = Object.entries({ ...options, help: HELP }).map(([name, { short, value, summary: what }]) => {
    const optionText = `${short === undefined ? "    " : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}`;
    return `  ${optionText.padEnd(27)}  ${what}\n`;
  });
  return [
    `usage: ${PROGRAM} ${usageOf(command)} [OPTION...]\n`,
    `  ${summary}\n${details === undefined ? "" : details.replaceAll(/^/gm, "  ") + "\n"}`,
    `${examples.map((example) => `  ${PROGRAM} ${example}\n`).join("")}`,
    `${lines.join("")}`,
    EXIT_STATUS,
  ].join("\n");
}

/** The help of the program. */
export function helpOfAll(commands: readonly Described[]): string {
  return [
    `usage: ${PROGRAM} COMMAND ...\n`,
    commands.map((command) => `${usageOf(command)}\n  ${command.summary}\n`).join(""),
    "'COMMAND --help' has examples and the options.\n",
    EXIT_STATUS,
  ].join("\n");
}
