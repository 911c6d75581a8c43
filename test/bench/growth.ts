import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import { LocalWorkspace } from "@pulumi/pulumi/automation";
import type { Reach } from "../../components/remote/reaching";
import { scriptStep } from "../../components/remote/script-step";
import type { ScriptName } from "../../components/remote/scripts";
import { mustRun, REPOSITORY } from "../support/command";
import { chart, log, ratio, seconds, table } from "./figures";
import { idleHosts, type IdleHosts } from "./idle-hosts";

export const GROWTH_HEADING = "## Growth of `up`";

interface GrowthFigures {
  readonly workers: number;
  readonly seconds: number;
  /** Size of the state at the end. */
  readonly kilobytes: number;
}

/** Scripts of a worker that run one after the other, with the size of their data in bytes. */
const IN_ORDER: readonly (readonly [ScriptName, number])[] = [
  ["prepare-node.sh", 700],
  ["membership.sh", 200],
  ["join-node.sh", 2500],
  ["node-ready.sh", 100],
  ["node-labels.sh", 100],
];

/**
 * Measures the first `up` of so many workers on hosts that do nothing. A worker has the same resources as in a cluster,
 * with empty commands in place of server and port. Each script is sent to a host by SSH.
 */
export async function benchGrowth(sizes: readonly number[]): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "vnfm-bench-growth-"));
  const hosts = await idleHosts(join(folder, "sshd"));
  try {
    const figures: GrowthFigures[] = [];
    for (const workers of sizes) {
      const size = await measure(join(folder, String(workers)), hosts, workers);
      figures.push(size);
      log(`up, ${workers} workers: ${size.seconds.toFixed(1)} s, ${size.kilobytes.toFixed(0)} kB of state`);
    }
    return render(figures);
  } finally {
    hosts.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(folder: string, hosts: IdleHosts, workers: number): Promise<GrowthFigures> {
  await mustRun("mkdir", ["-p", join(folder, "state"), join(folder, "work")]);
  // a script resource contains the path of its program, relative to the project
  symlinkSync(join(REPOSITORY, "components"), join(folder, "work/components"));
  const envVars = {
    PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
    PULUMI_CONFIG_PASSPHRASE: "bench",
    PULUMI_SKIP_UPDATE_CHECK: "true",
  };
  const stack = await LocalWorkspace.createStack(
    { stackName: "growth", projectName: "vnfm", program: () => Promise.resolve(makeWorkers(hosts, workers)) },
    { workDir: join(folder, "work"), envVars },
  );
  const took = await seconds(() => stack.up());
  const state = JSON.stringify(await stack.exportStack(), undefined, 4);
  return { workers, seconds: took, kilobytes: state.length / 1000 };
}

function makeWorkers({ port, hostKey, privateKey }: IdleHosts, workers: number): void {
  Reflect.set(pulumi.Resource, "stackTrace", () => []);
  const names = Array.from({ length: workers }, (_, i) => `vnf-a-workerNode-${i + 1}`);
  for (const name of names) {
    const node = new pulumi.ComponentResource("vnfm:openstack:Node", name);
    const [server] = ["server", "port", "host-key"].map(
      (what) => new local.Command(`${name}-${what}`, { create: "true" }, { parent: node }),
    );
    const reach: pulumi.Output<Reach> = pulumi.secret({
      hosts: [{ host: "127.0.0.1", port, hostKey }],
      login: { user: "root", keys: [privateKey] },
      ...{ tries: 3, seconds: 60 },
    });
    const common = { reach, target: server?.id ?? "" };
    let before: pulumi.Resource | undefined;
    for (const [script, bytes] of IN_ORDER)
      before = scriptStep(
        `${name}-${script}`,
        {
          ...common,
          ...{ script, data: { config: "x".repeat(bytes) } },
          ...(script === "join-node.sh" && { admission: common.reach }),
        },
        before ? { dependsOn: before } : {},
      );
  }
}

function render(figures: readonly GrowthFigures[]): string {
  const [smallest] = figures;
  if (smallest === undefined) throw new Error("give at least one number of workers");
  return `${GROWTH_HEADING}

The first \`up\` of workers on hosts that do nothing: the steps of a worker are those of a cluster, with as much
data, and each script is taken by SSH to an sshd that passes it over. In the place of server and port are
commands that do nothing.

${table(
  ["workers", "up, s", `times that of ${smallest.workers}`, "state, kB", "kB per worker"],
  figures.map(({ workers, seconds: took, kilobytes }) => [
    String(workers),
    took.toFixed(1),
    ratio(took, smallest.seconds),
    kilobytes.toFixed(0),
    (kilobytes / workers).toFixed(0),
  ]),
)}

Seconds by the number of workers:

${chart(
  figures.map(({ workers }) => String(workers)),
  "seconds",
  [{ mark: "line", values: figures.map(({ seconds: took }) => took) }],
)}
`;
}
