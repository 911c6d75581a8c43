import { onServer } from "../../support/guest";
import { page } from "../../support/page";
import { running } from "../../support/running";
import type { TestStack } from "../../support/stack";

/** A cluster with a single control plane and a worker, and the CNF `vnf-b` on it. */
export interface Lost {
  readonly stack: TestStack;
  /** Returns the stack config with further trigger values under `heal`, and further settings of the cluster. */
  readonly configOf: (heal: object, changes?: object) => object;
}

/**
 * A lost single control plane is healed with its last snapshot. After another loss, the whole cluster is re-created,
 * and the CNF on it. The steps build on each other.
 */
export function describeWholeHeal(subject: () => Lost): void {
  const vnfcs = async () => (await subject().stack.vnf("vnf-a")).vnfcs;
  const servers = async () => {
    const { cloud } = subject().stack;
    const { servers: all } = await cloud.get<{ servers: { name: string }[] }>("compute", "/servers");
    return all.map(({ name }) => name);
  };
  const lost = { "masterNode-1": "of a master that is lost" };

  describe("a sole master that is lost", () => {
    it("comes back with the last snapshot of its etcd, and nothing else is replaced", async () => {
      const { stack } = subject();
      const [before, its] = [await vnfcs(), await stack.kubeconfig("vnf-a")];
      const cluster = await stack.cluster("vnf-a");
      try {
        await cluster.kubectl(["create", "configmap", "before-the-snapshot"]);
        // a copy from an earlier heal, which could not be removed because the worker was down
        await onServer(stack, "workerNode-1", "touch ~debian/.vnfm-control-plane/copy");
        const snapshot = "vnfm-control-plane-snapshot";
        await onServer(
          stack,
          "masterNode-1",
          `systemctl stop ${snapshot}.timer; systemctl start ${snapshot}`,
        );
        await cluster.kubectl(["create", "configmap", "after-the-snapshot"]);
        const was = await running(cluster);
        await stack.cloud.delete("compute", `/servers/${before["masterNode-1"]?.serverId}`);
        const both = await stack.vnfm("heal", "vnf-a", "masterNode-1", "workerNode-1", "--yes");
        expect([both.status, both.stderr]).toEqual([
          1,
          expect.stringContaining("workerNode-1 has its etcd. First: vnfm heal vnf-a masterNode-1"),
        ]);
        const { status, stdout, stderr } = await stack.vnfm("heal", "vnf-a", "masterNode-1", "--yes");
        expect([status, stdout + stderr]).toEqual([
          0,
          expect.stringMatching(
            /masterNode-1 does not answer \(.+\): its etcd is restored as of [-0-9]+T[:0-9]+Z, /,
          ),
        ]);
        expect(await running(cluster)).toEqual(was);
        const maps = await cluster.list<{ metadata: { name: string } }>("configmaps");
        const names = maps.map(({ metadata }) => metadata.name);
        expect(names.filter((name) => name.endsWith("-the-snapshot"))).toEqual(["before-the-snapshot"]);
      } finally {
        cluster.close();
      }
      const now = await vnfcs();
      expect(Object.keys(now).filter((key) => now[key]?.serverId !== before[key]?.serverId)).toEqual([
        "masterNode-1",
      ]);
      expect(await stack.kubeconfig("vnf-a")).toBe(its);
      expect(await page(stack, "workerNode-1")).toContain("<h1>web-cnf</h1>");
      expect((await stack.check()).found).toEqual([]);
      expect(await stack.changes()).toEqual([]);
    });

    it("is not healed by `pulumi up`, and no other server is touched", async () => {
      const { stack, configOf } = subject();
      await stack.cloud.delete("compute", `/servers/${(await vnfcs())["masterNode-1"]?.serverId}`);
      stack.configure(configOf(lost));
      const { status, stdout } = await stack.up();
      expect(status).not.toBe(0);
      expect(stdout).toMatch(
        /vnf-a-masterNode-1-copy[^]* does not answer over SSH, or rejects the login of debian/,
      );
      expect(await servers()).toEqual(["vnf-a-workernode-1"]);
    });
  });

  describe("heal of the whole cluster", () => {
    it("touches nothing while a CNF is on it", async () => {
      const { stack, configOf } = subject();
      stack.configure(configOf({ ...lost, all: "1" }));
      const { status, stdout } = await stack.up();
      expect(status).not.toBe(0);
      expect(stdout).toContain("a new trigger value re-creates the whole cluster, and vnf-b is on it");
      expect(await servers()).toEqual(["vnf-a-workernode-1"]);
      const { status: refused, stderr } = await stack.vnfm("heal", "vnf-a", "all", "--yes");
      expect([refused, stderr]).toEqual([
        1,
        expect.stringContaining("and vnf-b is on it: set vnfm:vnfs.vnf-a.evacuate to true"),
      ]);
    });

    it("makes it anew without its master, and the CNF on it, where it is evacuated", async () => {
      const { stack, configOf } = subject();
      const [worker, before] = [(await vnfcs())["workerNode-1"], await stack.kubeconfig("vnf-a")];
      stack.configure(configOf(lost, { evacuate: true }));
      const { status, stdout } = await stack.vnfm("heal", "vnf-a", "all", "--yes");
      expect([status, stdout.split("\n")]).toEqual([
        0,
        expect.arrayContaining([
          "vnf-a: masterNode-1 is replaced: its cluster is lost, its server is deleted, a new one is created and bootstraps a new cluster",
          "vnf-a: workerNode-1 is replaced: its server is deleted, a new one is created and joins",
          "vnf-b: Deployment web/web is replaced",
        ]),
      ]);
      expect(stdout).not.toContain("NOT REQUESTED");
      expect(await stack.kubeconfig("vnf-a")).not.toBe(before);
      const cluster = await stack.cluster("vnf-a");
      try {
        expect(await cluster.readyNodes()).toEqual(["vnf-a-masternode-1", "vnf-a-workernode-1"]);
      } finally {
        cluster.close();
      }
      const healed = (await vnfcs())["workerNode-1"];
      expect(healed?.addresses).toEqual(worker?.addresses);
      expect(healed?.serverId).not.toBe(worker?.serverId);
      expect(await page(stack, "workerNode-1")).toContain("<h1>web-cnf</h1>");
      expect(await stack.changes()).toEqual([]);
    });
  });
}
