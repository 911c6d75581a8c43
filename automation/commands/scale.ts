import { UsageFault } from "../fault";
import { command, word, words } from "../command-line/command";
import { runOperation } from "../command-line/operation";
import { CHANGING } from "../command-line/options";
import type { LevelChange } from "../operations/scale";

export const scaleCommand = command({
  name: "scale",
  summary: "sets scale levels; +N and -N change them by N",
  examples: ["scale vnf-a worker_instance=2", "scale vnf-a worker_instance=+1 --stack site-1 --yes"],
  operands: { vnf: word("VNF"), levels: words("ASPECT=LEVEL", readLevel) },
  options: CHANGING,
  read: (request) => {
    const aspects = request.levels.map(({ aspect }) => aspect);
    const twice = aspects.find((aspect, i) => aspects.indexOf(aspect) !== i);
    if (twice !== undefined) throw new UsageFault(`${twice} appears twice`);
    return request;
  },
  run: (request) =>
    runOperation("scale", request, (stack, options) => stack.scale(request.vnf, request.levels, options)),
});

function readLevel(text: string): LevelChange {
  const [, aspect, sign, digits] = /^([^=]+)=([+-]?)(\d{1,5})$/.exec(text) ?? [];
  if (aspect === undefined)
    throw new UsageFault(`"${text}" is not an ASPECT=LEVEL, such as worker_instance=2 or worker_instance=+1`);
  const number = Number(digits);
  return sign === "" ? { aspect, level: number } : { aspect, by: sign === "-" ? -number : number };
}
