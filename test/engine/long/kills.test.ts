/**
 * Every operation on a highly available cluster with a CNF is killed at ten random points, each followed by `vnfm
 * recover` and another run. The stack converges, and the cloud has no resource that is missing in the state. The
 * upgrade is last, because the other steps use the old version.
 */
import type { Cluster } from "../../support/cluster";
import { mustRun } from "../../support/command";
import { haClusterVnf, kubeadmCluster, webCnf } from "../../support/configs";
import { orphans } from "../../support/cut-off";
import { declaredEverywhere } from "../../support/declared";
import { kill, KILLED, killRounds, momentsIn } from "../../support/kills";
import { announceSeed } from "../../support/seed";
import { TestStack } from "../../support/stack";
import { FROM, kubelets, TO, WITH_IMAGES } from "../../support/versions";

jest.setTimeout(60 * 60 * 1000);

/** Numbers of control-plane nodes and workers, and the last trigger value of each healed VNFC. */
interface Declared {
  readonly masters: number;
  readonly workers: number;
  readonly heal: Readonly<Record<string, string>>;
}

let declared: Declared = { masters: 3, workers: 2, heal: {} };

let stack: TestStack;
let cluster: Cluster | undefined;

/** Returns the stack config of the cluster and its CNF. */
const configOf = ({ masters, workers, heal }: Declared): Readonly<Record<string, object>> => ({
  "vnf-a": {
    ...haClusterVnf(masters, workers, { placementPolicy: "soft", heal }),
    additionalParams: kubeadmCluster({ kubernetes_version: FROM }),
  },
  "vnf-b": webCnf("web"),
});

beforeAll(async () => {
  announceSeed();
  stack = await TestStack.create("kills", {});
  await mustRun("lab/lab.sh", ["image", TO]);
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
});

async function upDeclared(next: Declared): Promise<void> {
  declared = next;
  stack.configure(configOf(declared));
  await stack.mustUp();
}

async function expectDeclared(): Promise<Cluster> {
  const { masters, workers } = declared;
  const named = (vdu: string, count: number) =>
    Array.from({ length: count }, (_, i) => `vnf-a-${vdu}-${i + 1}`);
  const masterNames = named("masternode", masters);
  const names = [...masterNames, ...named("workernode", workers)];
  cluster?.close();
  cluster = await stack.cluster("vnf-a");
  const { vnfcs } = await stack.vnf("vnf-a");
  expect(await declaredEverywhere(cluster, vnfcs)).toEqual({
    nodes: names,
    etcd: masterNames,
    haproxy: masterNames,
  });
  expect(await cluster.kubectl(["rollout", "status", "-n", "web", "deployment/web"])).toContain(
    "successfully",
  );
  expect((await stack.check()).found).toEqual([]);
  expect(await stack.changes()).toEqual([]);
  expect(await orphans(stack)).toEqual([]);
  return cluster;
}

/** Returns a heal of these VNFCs with another trigger value in each round. */
function healed(...vnfcs: string[]): (round: number) => Partial<Declared> {
  return (round) => ({
    heal: { ...declared.heal, ...Object.fromEntries(vnfcs.map((key) => [key, `${round}`])) },
  });
}

describe(KILLED, () => {
  it("an instance is made and terminated", async () => {
    await killRounds(stack, 100, (round) => (round % 2 === 1 ? configOf(declared) : {}));
    await upDeclared(declared);
    await expectDeclared();
  });

  it.each<readonly [what: string, seconds: number, ofRound: (round: number) => Partial<Declared>]>([
    ["workers are scaled", 30, (round) => ({ workers: round % 2 === 1 ? 4 : 2 })],
    ["masters are scaled", 80, (round) => ({ masters: round % 2 === 1 ? 5 : 3 })],
    ["a worker is healed", 45, healed("workerNode-1")],
    ["masters and a worker are healed", 120, healed("masterNode-1", "masterNode-2", "workerNode-2")],
  ])("%s", async (_, seconds, ofRound) => {
    await upDeclared({ ...declared, masters: 3, workers: 2 });
    const before = declared;
    const round = await killRounds(stack, seconds, (one) => configOf({ ...before, ...ofRound(one) }));
    await upDeclared({ ...before, ...ofRound(round) });
    await expectDeclared();
  });

  it("an upgrade goes on to its end", async () => {
    await upDeclared({ ...declared, masters: 3, workers: 2 });
    const upgrade = ["upgrade", "vnf-a", "--to", TO, ...WITH_IMAGES, "--surge", "1", "--yes"];
    // the whole upgrade takes more than ten times the longest of these moments
    for (const moment of momentsIn(60))
      expect(await kill(stack, stack.vnfmCommand(...upgrade), moment)).toBeUndefined();
    const { status, stdout, stderr } = await stack.vnfm(...upgrade);
    expect([status, status === 0 ? "" : stdout + stderr]).toEqual([0, ""]);
    const upgraded = await expectDeclared();
    expect(Object.values(await kubelets(upgraded))).toEqual(Array(5).fill(TO));
  });

  it("nothing is left in the end", async () => {
    stack.configure({});
    await stack.mustUp();
    expect(await stack.cloud.inventory()).toEqual([]);
  });
});
