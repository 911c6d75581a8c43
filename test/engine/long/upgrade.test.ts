/**
 * Upgrade of a highly available cluster to the next minor version of Kubernetes, node by node, by one command, and an
 * upgrade that fails and continues. The steps build on each other.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Cluster } from "../../support/cluster";
import { mustRun, type CommandResult } from "../../support/command";
import { haClusterVnf, kubeadmCluster } from "../../support/configs";
import { declaredEverywhere } from "../../support/declared";
import { TestStack } from "../../support/stack";
import {
  controlPlaneImages,
  FROM,
  IMAGE_OF_TO,
  IMAGES_OF_TO,
  kubelets,
  TO,
  WITH_IMAGES,
} from "../../support/versions";
import { writeDuring } from "../../support/writes";

jest.setTimeout(40 * 60 * 1000);

const MASTERS = ["vnf-a-masternode-1", "vnf-a-masternode-2", "vnf-a-masternode-3"];
const NODES = [...MASTERS, "vnf-a-workernode-1"];
const UPGRADE = ["--to", TO, ...WITH_IMAGES];

interface Report {
  readonly result: string;
  readonly message?: string;
  readonly changes: readonly { action: string; subject: { vnfc?: string }; requested: boolean }[];
}

let stack: TestStack;
let cluster: Cluster;

/** Returns the stack config of three control-plane nodes and a worker. */
const configOf = (kubernetes_version: string, changes: object = {}) => ({
  "vnf-a": haClusterVnf(3, 1, { additionalParams: kubeadmCluster({ kubernetes_version }), ...changes }),
});

const vnfcs = async () => (await stack.vnf("vnf-a")).vnfcs;

beforeAll(async () => {
  stack = await TestStack.create("upgrade", configOf(FROM));
  await stack.mustUp();
  cluster = await stack.cluster("vnf-a");
  await mustRun("lab/lab.sh", ["image", TO]);
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
});

describe("a version that is two minor versions on", () => {
  it("is refused by the command before anything is changed", async () => {
    const before = readConfig();
    const { status, report } = await upgrade("--to", "v1.35.0");
    expect(status).toBe(1);
    expect(report).toMatchObject({
      result: "failed",
      message: expect.stringContaining("more than one minor version newer") as string,
    });
    expect(readConfig()).toBe(before);
  });

  it("is refused by the cluster where the stack config is edited by hand", async () => {
    stack.configure(configOf("v1.35.0"));
    const { status, stdout } = await stack.up();
    expect(status).not.toBe(0);
    expect(stdout).toContain("upgraded by one minor version at a time");
    expect(await kubelets(cluster)).toEqual(all(FROM));
  });

  it("leaves nothing behind once it is set back", async () => {
    stack.configure(configOf(FROM));
    await stack.mustUp();
    expect(await stack.changes()).toEqual([]);
  });
});

it("vnfm replaces no running node because its image changed", async () => {
  stack.configure(configOf(FROM, { images: { masterNode: IMAGE_OF_TO, workerNode: IMAGE_OF_TO } }));
  expect(await stack.changes()).toEqual([]);
  stack.configure(configOf(FROM));
});

describe("the next minor version", () => {
  it("rolls node by node: the API goes on, and no acknowledged write is lost", async () => {
    const old = await vnfcs();
    const [{ status, stderr, report }, { longestOutageSeconds, lostWrites }] = await writeDuring(
      cluster,
      () => upgrade(...UPGRADE, "--surge", "1"),
    );
    expect([status, status === 0 ? "" : stderr]).toEqual([0, ""]);
    expect(report.result).toBe("done");
    expect(
      report.changes.filter(({ action }) => action === "replace").map(({ subject }) => subject.vnfc),
    ).toEqual(["masterNode-1", "masterNode-2", "masterNode-3", "workerNode-1"]);
    expect(report.changes.filter(({ requested }) => !requested)).toEqual([]);
    const runs = [
      `kubernetes_version ${TO}, masterNode ${IMAGE_OF_TO}, workerNode ${IMAGE_OF_TO}`,
      ...["masterNode-1", "masterNode-2", "masterNode-3"],
      ...["a surge of 1", "workerNode-1", "the end of the surge"],
    ].map((what, i) => `run ${i + 1} of 7: ${what}`);
    // each run is printed in the preview, and when it starts
    expect(stderr.split("\n").filter((line) => line.startsWith("run "))).toEqual([...runs, ...runs]);
    expect(lostWrites).toEqual([]);
    expect(longestOutageSeconds).toBeLessThan(20);
    const now = await vnfcs();
    expect(Object.keys(now)).toEqual(Object.keys(old));
    for (const [key, { serverId, addresses }] of Object.entries(now)) {
      expect(serverId).not.toBe(old[key]?.serverId);
      expect(addresses).toEqual(old[key]?.addresses);
    }
  });

  it("is that of every node, of kube-proxy, CoreDNS and etcd", async () => {
    expect(await kubelets(cluster)).toEqual(all(TO));
    expect(await controlPlaneImages(cluster)).toEqual(IMAGES_OF_TO);
  });

  it("leaves everything that names the nodes with the declared ones, and nothing to do", async () => {
    expect(await declaredEverywhere(cluster, await vnfcs())).toEqual({
      nodes: NODES,
      etcd: MASTERS,
      haproxy: MASTERS,
    });
    expect(await stack.changes()).toEqual([]);
  });

  it("does nothing a second time", async () => {
    const before = await vnfcs();
    const { status, report } = await upgrade(...UPGRADE, "--surge", "1");
    expect([status, report.changes]).toEqual([0, []]);
    expect(await vnfcs()).toEqual(before);
  });
});

describe("a roll that fails", () => {
  it("stops, and leaves a cluster that works", async () => {
    const { status, report } = await upgrade("--image", "workerNode=no-such-image");
    expect(status).toBe(1);
    expect(report.result).toBe("failed");
    expect(report.message).toContain("run the same command again to continue");
    expect(await cluster.readyNodes()).toEqual(MASTERS);
  });

  it("goes on with the next run, with another image too", async () => {
    const { status, stderr } = await upgrade("--image", `workerNode=${IMAGE_OF_TO}`);
    expect([status, status === 0 ? "" : stderr]).toEqual([0, ""]);
    expect(await cluster.readyNodes()).toEqual(NODES);
    expect(await kubelets(cluster)).toEqual(all(TO));
    expect(await stack.changes()).toEqual([]);
  });
});

/** Runs `vnfm upgrade`. @returns the result, with the JSON report */
async function upgrade(...args: string[]): Promise<CommandResult & { readonly report: Report }> {
  const result = await stack.vnfm("upgrade", "vnf-a", ...args, "--yes", "--json");
  return { ...result, report: JSON.parse(result.stdout || "{}") as Report };
}

const all = (version: string) => Object.fromEntries(NODES.map((name) => [name, version]));

const readConfig = () => readFileSync(join(stack.folder, `Pulumi.${stack.name}.yaml`), "utf8");
