/**
 * The sole master of a cluster is healed: the cluster goes on with its etcd and its certificates, also where the run
 * is killed on the way. The steps build on each other.
 */
import { existsSync } from "node:fs";
import { Cluster } from "../support/cluster";
import { clusterVnf, webCnf } from "../support/configs";
import { recover, upKilledWhen } from "../support/cut-off";
import { guestPath } from "../support/lab";
import { OpenStack } from "../support/openstack";
import { page } from "../support/page";
import { TestStack } from "../support/stack";

jest.setTimeout(15 * 60 * 1000);

interface Outputs {
  readonly "vnf-a": {
    readonly vnfcs: Record<string, { serverId: string; addresses: Record<string, string> }>;
  };
}

interface Pod {
  readonly metadata: { readonly name: string; readonly uid: string };
  readonly status: {
    readonly containerStatuses: readonly { readonly containerID: string; readonly restartCount: number }[];
  };
}

let stack: TestStack;
let cloud: OpenStack;
let inventory: string[];
let cluster: Cluster;

const vnfs = (token: string) => ({
  "vnf-a": { ...clusterVnf(1), heal: { "masterNode-1": token } },
  "vnf-b": webCnf("web"),
});

beforeAll(async () => {
  cloud = await OpenStack.connect();
  inventory = await cloud.inventory();
  stack = await TestStack.create("heal", vnfs("a token before there is anything to heal"));
  await stack.mustUp();
  const kubeconfigs = await stack.output<Record<string, string>>("kubeconfigs");
  cluster = await Cluster.connect(kubeconfigs["vnf-a"] ?? "");
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
});

/** What has to be the same afterwards. */
const kept = async () => ({
  nodes: await cluster.readyNodes(),
  workerUid: await cluster.kubectl(["get", "node", "vnf-a-workernode-1", "-o", "jsonpath={.metadata.uid}"]),
  pods: (await cluster.list<Pod>("pods", "-n", "web")).map(({ metadata, status }) => [
    metadata.name,
    metadata.uid,
    status.containerStatuses.map(({ containerID, restartCount }) => [containerID, restartCount]),
  ]),
  kubeconfigs: await stack.output("kubeconfigs"),
  vimConnectionInfo: await stack.output("vimConnectionInfo"),
});
const serverOf = async (vnfc: string) =>
  (await stack.output<Outputs>("vnfs"))["vnf-a"].vnfcs[vnfc]?.serverId ?? "";

const write = (name: string) => cluster.kubectl(["create", "configmap", name, `--from-literal=name=${name}`]);
const read = (name: string) => cluster.kubectl(["get", "configmap", name, "-o", "jsonpath={.data.name}"]);
const inGuest = (serverId: string, path: string) => existsSync(guestPath(serverId, path));
const exists = async (serverId: string) => {
  const { servers } = await cloud.get<{ servers: { id: string }[] }>("compute", "/servers");
  return servers.some(({ id }) => id === serverId);
};

describe("heal of the sole master", () => {
  it("replaces its server and nothing else, and the cluster goes on as the same", async () => {
    stack.configure(vnfs("1"));
    const changes = await stack.changes();
    expect(changes.filter((change) => !change.includes(" vnf-a-masterNode-1-"))).toEqual([]);
    expect(changes.filter((change) => change.startsWith("replace "))).toEqual(
      ["copy", "hosts", "labels", "prepare", "restore", "server"].map(
        (it) => `replace vnf-a-masterNode-1-${it}`,
      ),
    );
    await write("before-heal");
    const [old, before] = [await serverOf("masterNode-1"), await kept()];
    await stack.mustUp();
    expect(await kept()).toEqual(before);
    expect(await serverOf("masterNode-1")).not.toBe(old);
    expect(await read("before-heal")).toBe("before-heal");
    expect(await page(stack, "workerNode-1")).toContain("<h1>web-cnf</h1>");
    expect(await stack.changes()).toEqual([]);
  });

  it("leaves the copy nowhere", async () => {
    expect(inGuest(await serverOf("workerNode-1"), "home/debian/.ssh/authorized_keys")).toBe(true);
    expect(inGuest(await serverOf("workerNode-1"), "home/debian/.vnfm-control-plane")).toBe(false);
    for (const path of ["var/lib/vnfm-control-plane", "etc/kubernetes/vnfm-etcd.yaml"]) {
      expect(inGuest(await serverOf("masterNode-1"), path)).toBe(false);
    }
  });

  it("goes on where a run was killed when the old server was gone", async () => {
    stack.configure(vnfs("2"));
    await write("before-kill");
    const [old, before] = [await serverOf("masterNode-1"), await kept()];
    await upKilledWhen(stack, async () => !(await exists(old)));
    await recover(stack);
    await stack.mustUp();
    expect(await kept()).toEqual(before);
    expect(await read("before-kill")).toBe("before-kill");
    expect(await page(stack, "workerNode-1")).toContain("<h1>web-cnf</h1>");
    expect(await stack.changes()).toEqual([]);
  });

  it("fails where the server is lost, and touches no other", async () => {
    stack.configure({ "vnf-a": vnfs("2")["vnf-a"] });
    await stack.mustUp();
    await cloud.delete("compute", `/servers/${await serverOf("masterNode-1")}`);
    stack.configure({ "vnf-a": vnfs("3")["vnf-a"] });
    const { status, stdout } = await stack.up();
    expect(status).not.toBe(0);
    expect(stdout).toMatch(/vnf-a-masterNode-1-copy[^]*dial .*:22: after 11 failed attempts/);
    const { servers } = await cloud.get<{ servers: { name: string }[] }>("compute", "/servers");
    expect(servers.map(({ name }) => name).filter((name) => name.startsWith("vnf-a-"))).toEqual([
      "vnf-a-workernode-1",
    ]);
  });

  it("lets the instance be terminated then", async () => {
    await stack.must("destroy", "--yes", "--skip-preview", "--stack", stack.name);
    expect((await cloud.inventory()).filter((item) => !inventory.includes(item))).toEqual([]);
  });
});
