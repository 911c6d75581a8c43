import { clusterVnf, webCnf } from "../support/configs";
import { upByHand } from "./by-hand";
import { log, median, ratio, seconds, table, within } from "./figures";
import { withStack } from "./with-stack";

export const UP_HEADING = "## `up` beside the same steps by hand";

/** Median seconds for one size, by hand and with vnfm. */
interface UpFigures {
  readonly workers: number;
  readonly byHand: number;
  readonly up: number;
}

/** Measures `up` of one control-plane node, some workers and a CNF, in turns with the same by hand. */
export async function benchUp(sizes: readonly number[], rounds: number): Promise<string> {
  const measured = sizes.map((workers) => ({ workers, byHand: [] as number[], up: [] as number[] }));
  for (let round = 1; round <= rounds; round++) {
    for (const { workers, ...figures } of measured) {
      const vnfs = { "vnf-a": clusterVnf(workers), "vnf-b": webCnf("web") };
      figures.byHand.push(await upByHand(vnfs));
      log(`by hand, 1+${workers} nodes: ${figures.byHand.at(-1)?.toFixed(1)} s`);
      figures.up.push(
        await withStack("bench-up", vnfs, (stack) => seconds(() => stack.mustUp("--skip-preview"))),
      );
      log(`up, 1+${workers} nodes: ${figures.up.at(-1)?.toFixed(1)} s`);
    }
  }
  return render(
    measured.map((it) => ({ workers: it.workers, byHand: median(it.byHand), up: median(it.up) })),
    rounds,
  );
}

function render(figures: readonly UpFigures[], rounds: number): string {
  const [smallest] = figures;
  const growth = (value: number, base: number | undefined) => (base === undefined ? "" : ratio(value, base));
  const rows = figures.map(({ workers, byHand, up }) => [
    `1+${workers}`,
    byHand.toFixed(1),
    up.toFixed(1),
    ratio(up, byHand),
    growth(byHand, smallest?.byHand),
    growth(up, smallest?.up),
  ]);
  const head = [
    "nodes",
    "by hand, s",
    "`up`, s",
    "`up` / by hand",
    `by hand / its 1+${smallest?.workers}`,
    `\`up\` / its 1+${smallest?.workers}`,
  ];
  return `${UP_HEADING}

From nothing to a cluster of one master and its workers with a web CNF on it, all ready: \`pulumi up
--skip-preview\`, from the start of the command to its end. "By hand" is the bound: the same servers, scripts
and manifests by OpenStack's APIs, \`ssh\` and \`kubectl\`, without an engine, each step begun as soon as what
it needs is there. The two run by turns. ${rounds === 1 ? "One run of each." : `Medians of ${rounds} runs of each.`}

Aims: \`up\` takes at most 1.3 of the bound, and with three workers less than 1.2 of \`up\` with one. The
servers share the cores of one machine, so the last two columns show how much of the growth is the machine's.

${table(head, rows)}

${within(
  1.3,
  figures.map(({ up, byHand }) => [up, byHand] as const),
)}
`;
}
