/**
 * `npm run bench`: measures vnfm on the lab and writes docs/benchmarks.md.
 *
 *   npm run bench -- up         one part only: up, ha, clusters, preview or growth; the rest of the page stays
 *   --rounds 3                  runs of each operation of `up` and `ha`; the median counts
 *   --workers 1,3               workers of the clusters of `up`
 *   --vnfcs 10,50,200           VNFCs of the previews
 *   --hosts 20,40,80            workers of `growth`, which needs no lab
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { mustRun, REPOSITORY } from "../support/command";
import { log, seconds } from "./figures";
import { benchGrowth, GROWTH_HEADING } from "./growth";
import { benchHa, HA_HEADING } from "./ha";
import { watchSignals } from "./interruption";
import { benchPreview, PREVIEW_HEADING } from "./preview";
import { benchUp, UP_HEADING } from "./up";
import { benchClusters, CLUSTERS_HEADING } from "./workload-clusters";

const PARTS = ["up", "ha", "clusters", "preview", "growth"];
const PAGE = join(REPOSITORY, "docs/benchmarks.md");

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: "string", default: "1" },
      workers: { type: "string", default: "1,3" },
      vnfcs: { type: "string", default: "10,50,200" },
      hosts: { type: "string", default: "20,40,80" },
    },
  });
  const unknown = positionals.filter((part) => !PARTS.includes(part));
  if (unknown.length > 0) throw new Error(`${unknown.join(" ")}: the parts are ${PARTS.join(", ")}`);
  const wanted = (part: string) => positionals.length === 0 || positionals.includes(part);
  watchSignals();
  if (PARTS.some((part) => part !== "growth" && wanted(part))) {
    log("lab");
    await mustRun("lab/lab.sh", ["up"]);
  }
  const took = await seconds(async () => {
    if (wanted("up")) write(UP_HEADING, await benchUp(numbers(values.workers), Number(values.rounds)));
    if (wanted("ha")) write(HA_HEADING, await benchHa(Number(values.rounds)));
    if (wanted("clusters")) write(CLUSTERS_HEADING, await benchClusters());
    if (wanted("growth")) write(GROWTH_HEADING, await benchGrowth(numbers(values.hosts)));
    if (wanted("preview")) write(PREVIEW_HEADING, await benchPreview(numbers(values.vnfcs)));
  });
  log(`docs/benchmarks.md is written, after ${took.toFixed(0)} s`);
}

/** Writes a section of the page, in place of the one with the same heading. */
function write(heading: string, section: string): void {
  const page = existsSync(PAGE) ? readFileSync(PAGE, "utf8") : "";
  const [, ...sections] = page.split(/\n(?=## )/);
  const known = sections.findIndex((text) => text.startsWith(`${heading}\n`));
  sections.splice(known < 0 ? sections.length : known, 1, section);
  writeFileSync(PAGE, [introduction(), ...sections].join("\n"));
}

function introduction(): string {
  const memory = Math.round(totalmem() / 2 ** 30);
  return `# Benchmarks

What \`npm run bench\` measured with the real engine and plugins on the [lab](../lab/README.md): one machine of
${cpus().length} cores and ${memory} GiB that has the cloud, its servers and the engine. Seconds are of that machine; a ratio
compares what was measured in one run and holds elsewhere. \`npm run bench -- up\`, \`-- ha\`, \`-- clusters\`,
\`-- preview\` and \`-- growth\` measure one part of it, \`--rounds 3\` the medians of three runs. Ctrl-C takes
away what was made.
`;
}

function numbers(text: string): number[] {
  return text.split(",").map(Number);
}

void main().catch((error: unknown) => {
  log(error instanceof Error ? (error.stack ?? error.message) : String(error));
  // interrupted work may still run
  process.exit(1);
});
