/**
 * Every operation on a highly available cluster with a CNF on it, killed at ten random points of its way, one after
 * the other, each time recovered; then run to its end. It converges, and nothing is in the cloud that the state does
 * not know. The steps build on each other. VNFM_SEED, a number, chooses the points of an earlier run again.
 */
import fc from "fast-check";
import type { State } from "../../../automation/state";
import { Cluster } from "../../support/cluster";
import { mustRun } from "../../support/command";
import { haClusterVnf, kubeadmCluster, webCnf } from "../../support/configs";
import { killedWhen, recover, stateOnDisk } from "../../support/cut-off";
import { declaredEverywhere, type Vnfcs } from "../../support/declared";
import { type Command, TestStack } from "../../support/stack";

jest.setTimeout(60 * 60 * 1000);

const KILLS = 10;
const SEED = Number(process.env["VNFM_SEED"] ?? Date.now() % 1_000_000);
const FROM = "v1.33.0";
const TO = "v1.34.4";
const IMAGE = `debian-12-kube-${TO}`;

/** The masters and workers that there are, and the token that each VNFC was healed by last. */
interface Declared {
  readonly masters: number;
  readonly workers: number;
  readonly heal: Readonly<Record<string, string>>;
}

let stack: TestStack;
let cluster: Cluster | undefined;

/** The stack config of the cluster and its CNF. */
const configOf = ({ masters, workers, heal }: Declared) => ({
  "vnf-a": {
    ...haClusterVnf(masters, workers, { placementPolicy: "soft", heal }),
    additionalParams: kubeadmCluster({ kubernetes_version: FROM }),
  },
  "vnf-b": webCnf("web"),
});

beforeAll(async () => {
  stack = await TestStack.create("kills", {});
  await mustRun("lab/lab.sh", ["image", TO]);
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
});

async function expectNoOrphan(): Promise<void> {
  const { resources = [] } = (JSON.parse(await stack.state()) as State).deployment;
  const known = resources.map(({ id }) => id);
  const there = (await stack.cloud.inventory()).map((item) => item.slice(item.indexOf(" ") + 1));
  expect(there.filter((id) => !known.includes(id))).toEqual([]);
}

/**
 * Kills the command ten times, each time at a random moment after it has begun to change something.
 * @param seconds how long the command works when nobody kills it: ten times the longest wait is not much more
 */
async function killAndRecover(command: Command, seconds: number): Promise<void> {
  const waits = fc.sample(fc.integer({ min: 0, max: (seconds * 1000) / 8 }), { seed: SEED, numRuns: KILLS });
  for (const [i, wait] of waits.entries()) {
    const before = stateOnDisk(stack);
    const end = await killedWhen(stack, command, () => stateOnDisk(stack) !== before, wait);
    if (end !== undefined) {
      throw new Error(`ended with ${end.status} before kill ${i + 1}:\n${end.stdout}${end.stderr}`);
    }
    await recover(stack);
    await expectNoOrphan();
  }
}

async function expectDeclared({ masters, workers }: Declared): Promise<void> {
  const named = (vdu: string, count: number) =>
    Array.from({ length: count }, (_, i) => `vnf-a-${vdu}-${i + 1}`);
  const masterNames = named("masternode", masters);
  const names = [...masterNames, ...named("workernode", workers)];
  const kubeconfigs = await stack.output<Record<string, string>>("kubeconfigs");
  cluster?.close();
  cluster = await Cluster.connect(kubeconfigs["vnf-a"] ?? "");
  const vnfs = await stack.output<Record<string, { readonly vnfcs: Vnfcs }>>("vnfs");
  expect(await declaredEverywhere(cluster, vnfs["vnf-a"]?.vnfcs ?? {})).toEqual({
    nodes: names,
    etcd: masterNames,
    haproxy: masterNames,
    hosts: names,
  });
  expect(await cluster.kubectl(["rollout", "status", "-n", "web", "deployment/web"])).toContain(
    "successfully",
  );
  expect((await stack.check()).found).toEqual([]);
  expect(await stack.changes()).toEqual([]);
  await expectNoOrphan();
}

describe(`killed ${KILLS} times, seed ${SEED}`, () => {
  it.each<readonly [what: string, seconds: number, to: Declared]>([
    ["up", 100, { masters: 3, workers: 1, heal: {} }],
    ["workers out", 25, { masters: 3, workers: 3, heal: {} }],
    ["workers in", 20, { masters: 3, workers: 2, heal: {} }],
    ["masters out", 60, { masters: 5, workers: 2, heal: {} }],
    ["masters in", 40, { masters: 3, workers: 2, heal: {} }],
    ["heal of a worker", 35, { masters: 3, workers: 2, heal: { "workerNode-1": "1" } }],
    [
      "heal of the first master",
      80,
      { masters: 3, workers: 2, heal: { "workerNode-1": "1", "masterNode-1": "1" } },
    ],
    [
      "heal of two nodes",
      80,
      {
        masters: 3,
        workers: 2,
        heal: { "workerNode-1": "1", "masterNode-1": "1", "masterNode-2": "1", "workerNode-2": "1" },
      },
    ],
  ])("%s converges", async (_, seconds, to) => {
    stack.configure(configOf(to));
    await killAndRecover(stack.upCommand(), seconds);
    await stack.mustUp();
    await expectDeclared(to);
  });

  it("an upgrade goes on to its end", async () => {
    const images = ["masterNode", "workerNode"].flatMap((vdu) => ["--image", `${vdu}=${IMAGE}`]);
    const upgrade = ["upgrade", "vnf-a", "--to", TO, ...images, "--surge", "1", "--yes"];
    await killAndRecover(stack.vnfmCommand(...upgrade), 600);
    const { status, stdout, stderr } = await stack.vnfm(...upgrade);
    expect([status, status === 0 ? "" : stdout + stderr]).toEqual([0, ""]);
    await expectDeclared({ masters: 3, workers: 2, heal: {} });
    const nodes = await cluster?.list<{ status: { nodeInfo: { kubeletVersion: string } } }>("nodes");
    expect(nodes?.map(({ status }) => status.nodeInfo.kubeletVersion)).toEqual(Array(5).fill(TO));
  });

  it("terminate leaves nothing", async () => {
    stack.configure({});
    await killAndRecover(stack.upCommand(), 40);
    await stack.mustUp();
    expect(await stack.cloud.inventory()).toEqual([]);
  });
});
