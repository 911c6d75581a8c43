import { haClusterVnf } from "../support/configs";
import { byHand } from "./by-hand";
import { chart, log, median, ratio, seconds, table, within } from "./figures";
import { unlessInterrupted } from "./interruption";
import type { Order } from "./order";
import { clustersOf, planOf } from "./plans";
import { withStack } from "./with-stack";

export const HA_HEADING = "## A highly available cluster beside the same work by hand";
const MASTERS = 3;

interface Operation {
  readonly name: string;
  /** Number of workers after the operation. */
  readonly workers: number;
  /** VNFC to heal. @default none: the cluster is created or scaled out */
  readonly heals?: string;
}

/** Operations on one cluster, one after the other. */
const OPERATIONS: readonly Operation[] = [
  { name: "`up`, 3+2", workers: 2 },
  { name: "heal of a worker", workers: 2, heals: "workerNode-1" },
  { name: "heal of the first master", workers: 2, heals: "masterNode-1" },
  { name: "+1 worker, 3+3", workers: 3 },
  { name: "+5 workers, 3+8", workers: 8 },
];
const ONE_MORE = 3;
const FIVE_MORE = 4;

/** Returns the stack config of each operation, which contains the results of the operations before it. */
export function haStages(): { operation: Operation; vnfs: object }[] {
  const heal: Record<string, string> = {};
  return OPERATIONS.map((operation) => {
    if (operation.heals !== undefined) heal[operation.heals] = "1";
    const vnfs = { "vnf-a": haClusterVnf(MASTERS, operation.workers, { heal: { ...heal } }) };
    return { operation, vnfs };
  });
}

/** Seconds of each operation, in the order of OPERATIONS. */
type Figures = readonly number[];

export interface HaFigures {
  readonly byHand: Figures;
  readonly vnfm: Figures;
  readonly serial: Figures;
}

/** Measures the operations in turns: with vnfm, and by hand in the best and in serial order. */
export async function benchHa(rounds: number): Promise<string> {
  const measured = { byHand: [] as Figures[], vnfm: [] as Figures[], serial: [] as Figures[] };
  for (let round = 1; round <= rounds; round++) {
    measured.byHand.push(await haByHand("best"));
    measured.vnfm.push(await haWithVnfm());
    measured.serial.push(await haByHand("serial"));
  }
  const medians = (runs: readonly Figures[]) =>
    OPERATIONS.map((_, i) => median(runs.map((run) => run[i] ?? NaN)));
  const { byHand: best, vnfm, serial } = measured;
  return renderHa({ byHand: medians(best), vnfm: medians(vnfm), serial: medians(serial) }, rounds);
}

async function haByHand(kind: Order["kind"]): Promise<Figures> {
  return byHand(kind, async (make) => {
    const [first, ...stages] = haStages().map(({ operation, vnfs }) => {
      const [vnf] = clustersOf(planOf(vnfs));
      if (vnf === undefined) throw new Error("a cluster is planned");
      return { operation, vnf };
    });
    if (first === undefined) throw new Error("an operation makes the cluster");
    const cluster = make(first.vnf);
    const figures = [await measure(`by hand, ${kind}`, first.operation, () => cluster.done())];
    for (const { operation, vnf } of stages) {
      const { heals } = operation;
      const act = () => (heals === undefined ? cluster.grow(vnf) : cluster.heal(heals));
      figures.push(await measure(`by hand, ${kind}`, operation, act));
    }
    return figures;
  });
}

async function haWithVnfm(): Promise<Figures> {
  return withStack("bench-ha", {}, async (stack) => {
    const figures: number[] = [];
    for (const { operation, vnfs } of haStages()) {
      stack.configure(vnfs);
      figures.push(await measure("vnfm", operation, () => stack.mustUp("--skip-preview")));
      await unlessInterrupted(Promise.resolve());
    }
    return figures;
  });
}

async function measure(how: string, { name }: Operation, act: () => Promise<unknown>): Promise<number> {
  const took = await seconds(act);
  log(`${how}: ${name}: ${took.toFixed(1)} s`);
  return took;
}

export function renderHa({ byHand: best, vnfm, serial }: HaFigures, rounds: number): string {
  const of = (figures: Figures, i: number) => figures[i] ?? NaN;
  const rows = OPERATIONS.map(({ name }, i) => [
    name,
    of(best, i).toFixed(1),
    of(vnfm, i).toFixed(1),
    ratio(of(vnfm, i), of(best, i)),
    of(serial, i).toFixed(1),
    ratio(of(serial, i), of(vnfm, i)),
  ]);
  const growth = (figures: Figures) => ratio(of(figures, FIVE_MORE), of(figures, ONE_MORE));
  const head = [
    "operation",
    "by hand, s",
    "`vnfm`, s",
    "`vnfm` / by hand",
    "serial order, s",
    "serial / `vnfm`",
  ];
  return `${HA_HEADING}

Flavour \`ha\`, ${MASTERS} masters and workers; the operations follow each other on one cluster. "\`vnfm\`" is \`pulumi up
--skip-preview\`, from the start of the command to its end. "By hand" is the bound as above; a server that is
healed leaves the cluster, is deleted, and another one is made at its port. "Serial order" is by hand too, in
the order of Tacker's Kubernetes management driver: all servers first, then one node after the other, prepared
and joined. Its steps are the same, so that driver's downloads and fixed waits are not in it. The three run by
turns. ${rounds === 1 ? "One run of each." : `Medians of ${rounds} runs of each.`}

Aims: \`vnfm\` takes at most 1.3 of the bound, and for five workers at most 1.5 of what it takes for one.

${table(head, rows)}

Seconds of each operation, bars by hand and the line with \`vnfm\`:

${chart(
  OPERATIONS.map(({ name }) => name.replaceAll("\`", "")),
  "seconds",
  [
    { mark: "bar", values: OPERATIONS.map((_, i) => of(best, i)) },
    { mark: "line", values: OPERATIONS.map((_, i) => of(vnfm, i)) },
  ],
)}

${within(
  1.3,
  OPERATIONS.map((_, i) => [of(vnfm, i), of(best, i)] as const),
)}

Five workers take ${growth(vnfm)} of what one takes with \`vnfm\`, ${growth(best)} by hand, ${growth(serial)} in the serial order.

What \`vnfm\` has beside the work of the bound is the start of the engine, the program and the plugins, and a
look at all that is declared: a preview without a change, as below. The OpenStack provider asks Nova whether
a server is there, or gone, every three seconds, by hand every half a second: 1 to 2 s for each server made
and for each one deleted. Also, the engine writes the whole state before and after each resource that changes,
1.4 MB for 3+3, which takes it about a tenth of a second. All three weigh most where the work is short.
`;
}
