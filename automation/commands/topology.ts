import { oneOf } from "../../components/base/nearest";
import { UsageFault } from "../fault";
import { command, option, withDefault } from "../command-line/command";
import { EXIT } from "../command-line/exit-status";
import { STACK } from "../command-line/options";
import { openStack, stopSignal } from "../command-line/stack";
import { printLines, show } from "../command-line/terminal";
import { FORMATS, type Format } from "../topology/formats";

const FORMAT = option("FORMAT", "text, mermaid or svg; default: text", { read: readFormat });

export const topologyCommand = command({
  name: "topology",
  summary:
    "draws clouds, clusters, networks, groups of nodes and CNFs, and what the next update would change",
  examples: ["topology", "topology --format svg --stack site-1"],
  operands: {},
  options: { format: withDefault(FORMAT, "text"), stack: STACK },
  run: async ({ format, stack }) => {
    const found = await (await openStack(stack)).topology({ signal: stopSignal() });
    for (const warning of found.warnings) printLines({ json: true }, `warning: ${warning}`);
    show(FORMATS[format](found));
    return EXIT.done;
  },
});

function readFormat(text: string): Format {
  if (Object.hasOwn(FORMATS, text)) return text as Format;
  throw new UsageFault(`"${text}" is not ${oneOf(Object.keys(FORMATS))}`);
}
