/**
 * A cluster of three masters leaves proven snapshots of etcd on its worker. Where one master takes none, another one
 * does; where all of them are lost, the cluster comes back from one, as that of a sole master does. The steps build on
 * each other.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Cluster } from "../../support/cluster";
import { clusterVnf, haClusterVnf, kubeadmCluster, webCnf } from "../../support/configs";
import { onServer } from "../../support/guest";
import { HaCluster } from "../../support/ha-cluster";
import { page } from "../../support/page";
import { s3, S3_USER, SECRET, type S3Server } from "../../support/state-stores";
import { TestStack } from "../../support/stack";
import { until } from "../../support/until";

jest.setTimeout(20 * 60 * 1000);

const UNIT = "vnfm-control-plane-snapshot";
const STORE = "~debian/.vnfm-control-plane";
const MASTERS = ["masterNode-1", "masterNode-2", "masterNode-3"];

const bucketSetting = ({ endpoint }: S3Server) => ({
  ...{ endpoint, name: "states", access_key: S3_USER, secret_key: SECRET },
});

describe("three masters", () => {
  let ha: HaCluster;
  let bucket: S3Server;

  beforeAll(async () => {
    // servers reach this machine by the gateway of their network
    bucket = await s3("198.19.0.1");
    ha = await HaCluster.create("etcd-restore");
    const additionalParams = kubeadmCluster({ etcd_snapshot_bucket: bucketSetting(bucket) });
    ha.stack.configure({
      "vnf-a": haClusterVnf(3, 1, { additionalParams }),
      "vnf-b": webCnf("web"),
    });
    await ha.stack.mustUp();
    await ha.connect();
  });

  afterAll(async () => {
    await ha?.remove();
    await bucket?.stop();
  });

  const onStore = (script: string) => onServer(ha.stack, "workerNode-1", script);
  /** Times of the snapshots, the newest first. */
  const snapshots = async () => {
    const names = await onStore(`ls -1t ${STORE} | sed -n 's/^snapshot-//p'`);
    return names.split("\n").filter((name) => name !== "");
  };
  /** Has a master take a snapshot now. */
  const take = (master: string) => onServer(ha.stack, master, `systemctl start ${UNIT}`, 120);

  describe("snapshots", () => {
    it("are taken as the cluster is made, and check says so", async () => {
      await until(60, "the first snapshot", async () => (await snapshots()).length > 0);
      const { stdout } = await ha.stack.vnfm("check");
      expect(stdout).toMatch(
        /^vnf-a: etcd of \S+, proven, \d min old, revision \d+, on workerNode-1 \(\d+ kept\)\nas declared/,
      );
    });

    it("come of another master where the first one leaves none, and else of that one alone", async () => {
      await take("masterNode-1");
      const first = await snapshots();
      await take("masterNode-2");
      expect(await snapshots()).toEqual(first);
      await onStore(`touch -d '5 minutes ago' ${STORE}/snapshot-*`);
      await take("masterNode-2");
      expect(await snapshots()).toHaveLength(first.length + 1);
    });

    it("are not sent where they are torn", async () => {
      const before = await snapshots();
      const program = `/usr/local/sbin/${UNIT}`;
      const torn = 's/snapshot save "$snapshot"/& \\&\\& truncate -s -100 "$snapshot"/';
      await onServer(
        ha.stack,
        "masterNode-1",
        `cp -p ${program} ${program}.whole; sed -i '${torn}' ${program}`,
      );
      await expect(take("masterNode-1")).rejects.toThrow(UNIT);
      await onServer(ha.stack, "masterNode-1", `mv ${program}.whole ${program}`);
      expect(await snapshots()).toEqual(before);
      await take("masterNode-1");
      expect((await snapshots()).length).toBe(before.length + 1);
    });

    it("are sent to a bucket, from which a new store gets them back", async () => {
      await onStore("systemctl start vnfm-snapshot-bucket");
      // the step before has changed the times by which they are sorted
      const before = (await snapshots()).sort();
      // the S3 server has a folder of its own beside it
      const [folder = ""] = readdirSync(bucket.folder).filter((name) => !name.startsWith("."));
      expect(folder).toMatch(/^vnf-a-[0-9a-f]{32}$/);
      const sent = readdirSync(join(bucket.folder, folder)).sort();
      expect(sent).toEqual(before.map((time) => `snapshot-${time.replaceAll(":", "")}`));
      const { status, stderr } = await ha.stack.vnfm("heal", "vnf-a", "workerNode-1", "--yes");
      expect([status, status === 0 ? "" : stderr]).toEqual([0, ""]);
      expect((await snapshots()).sort().slice(0, before.length)).toEqual(before);
      expect((await ha.stack.check()).found).toEqual([]);
    });
  });

  describe("the loss of all masters", () => {
    const POD = "late";
    const create = (name: string) => ha.cluster.kubectl(["create", "configmap", name, "--from-literal=a=b"]);
    const maps = async () => {
      const all = await ha.cluster.list<{ metadata: { name: string } }>("configmaps");
      return all.map(({ metadata }) => metadata.name).filter((name) => name.endsWith("-the-snapshot"));
    };
    const servers = async () => {
      const { servers: all } = await ha.stack.cloud.get<{ servers: { name: string }[] }>(
        "compute",
        "/servers",
      );
      return all.map(({ name }) => name).sort();
    };
    const restore = (...args: string[]) => ha.stack.vnfm("restore", "vnf-a", ...args, "--yes");

    it("is none while a master answers", async () => {
      const { status, stderr } = await restore();
      expect([status, stderr]).toEqual([1, expect.stringContaining("so nothing is restored")]);
    });

    it("is not made up for by a snapshot that is torn, unknown or of another key, and nothing is touched", async () => {
      await create("before-the-snapshot");
      await take("masterNode-1");
      await create("after-the-snapshot");
      await ha.cluster.kubectl(["run", POD, "--image=registry.k8s.io/pause:3.10"]);
      await ha.cluster.kubectl(["wait", "--for=condition=Ready", `pod/${POD}`, "--timeout=60s"]);
      const all = await ha.vnfcs();
      for (const key of MASTERS) await ha.stack.cloud.delete("compute", `/servers/${all[key]?.serverId}`);
      await until(60, "the masters to go", async () => (await servers()).length === 1);
      const [, older] = await snapshots();
      await onStore(
        `cp -p ${STORE}/snapshot-${older} ~debian/whole; truncate -s -100 ${STORE}/snapshot-${older}`,
      );
      for (const [time, why] of [
        [older ?? "", "it is not what a control-plane node stored"],
        ["2020-01-01T00:00:00Z", 'no snapshot "2020-01-01T00:00:00Z"'],
      ] as const) {
        const { status, stderr } = await restore("--snapshot", time);
        expect([status === 0, stderr]).toEqual([false, expect.stringContaining(why)]);
      }
      await onStore(`mv ~debian/whole ${STORE}/snapshot-${older}`);
      expect(await servers()).toEqual(["vnf-a-workernode-1"]);
      expect(await page(ha.stack, "workerNode-1")).toContain("<h1>web-cnf</h1>");
    });

    it("ends with the newest snapshot, in which each acknowledged write of before is", async () => {
      const [old, kubeconfig] = [await ha.vnfcs(), await ha.stack.kubeconfig("vnf-a")];
      const begin = Date.now();
      const { status, stdout, stderr } = await restore();
      expect([status, stdout + stderr]).toEqual([
        0,
        expect.stringMatching(/no control plane is left, and etcd is restored as of [-0-9]+T[:0-9]+Z/),
      ]);
      expect(Date.now() - begin).toBeLessThan(5 * 60 * 1000);
      expect(await maps()).toEqual(["before-the-snapshot"]);
      await ha.expectDeclared(3);
      const now = await ha.vnfcs();
      expect(Object.keys(now).filter((key) => now[key]?.serverId !== old[key]?.serverId)).toEqual(MASTERS);
      expect(await ha.stack.kubeconfig("vnf-a")).toBe(kubeconfig);
      expect(await page(ha.stack, "workerNode-1")).toContain("<h1>web-cnf</h1>");
      expect(await ha.stack.changes()).toEqual([]);
      expect((await ha.stack.check()).found).toEqual([]);
    });

    it("leaves no pod behind that etcd does not know any more", async () => {
      const { stdout } = await ha.cluster.tryKubectl(["get", "pods", "-o", "name"]);
      expect(stdout).toBe("");
      await until(
        120,
        "the pod to go",
        async () => !(await onStore("ls /var/log/pods")).includes(`default_${POD}_`),
      );
    });

    it("and of the worker with the snapshots ends with the newest snapshot of the bucket", async () => {
      await create("in-the-snapshot");
      await take("masterNode-1");
      await onStore("systemctl start vnfm-snapshot-bucket");
      const [old, begin] = [await ha.vnfcs(), Date.now()];
      await ha.stack.cloud.delete("compute", `/servers/${old["workerNode-1"]?.serverId}`);
      for (const key of MASTERS) await ha.stack.cloud.delete("compute", `/servers/${old[key]?.serverId}`);
      await until(60, "the servers to go", async () => (await servers()).length === 0);
      const { status, stdout, stderr } = await restore();
      expect([status, stdout + stderr]).toEqual([
        0,
        expect.stringMatching(
          /etcd is restored as of \S+, .* from the bucket states: [^]*workerNode-1 stored the snapshots, and is replaced too/,
        ),
      ]);
      expect(Date.now() - begin).toBeLessThan(10 * 60 * 1000);
      expect(await maps()).toEqual(["before-the-snapshot", "in-the-snapshot"]);
      await ha.expectDeclared(3);
      const now = await ha.vnfcs();
      expect(Object.keys(now).filter((key) => now[key]?.serverId === old[key]?.serverId)).toEqual([]);
      await until(120, "the CNF", async () =>
        (await page(ha.stack, "workerNode-1")).includes("<h1>web-cnf</h1>"),
      );
      expect(await ha.stack.changes()).toEqual([]);
      expect((await ha.stack.check()).found).toEqual([]);
    });

    it("is followed by snapshots as before", async () => {
      const before = await snapshots();
      await take("masterNode-1");
      expect((await snapshots()).length).toBe(Math.min(before.length + 1, 24));
    });
  });
});

describe("a sole master", () => {
  let stack: TestStack;
  let cluster: Cluster;
  let bucket: S3Server;

  beforeAll(async () => {
    bucket = await s3("198.19.0.1");
    const vnf = clusterVnf(1, { etcd_snapshot_bucket: bucketSetting(bucket) });
    stack = await TestStack.create("etcd-restore-sole", { "vnf-a": vnf });
    await stack.mustUp();
    cluster = await stack.cluster("vnf-a");
  });

  afterAll(async () => {
    cluster?.close();
    await stack?.remove();
    await bucket?.stop();
  });

  const create = (name: string) => cluster.kubectl(["create", "configmap", name, "--from-literal=a=b"]);
  const maps = async () => {
    const all = await cluster.list<{ metadata: { name: string } }>("configmaps");
    return all.map(({ metadata }) => metadata.name).filter((name) => name.startsWith("write-"));
  };
  const take = () => onServer(stack, "masterNode-1", `systemctl start ${UNIT}`, 120);

  it("that is healed goes on with its whole etcd", async () => {
    await create("write-1");
    const { status, stderr } = await stack.vnfm("heal", "vnf-a", "masterNode-1", "--yes");
    expect([status, status === 0 ? "" : stderr]).toEqual([0, ""]);
    expect(await maps()).toEqual(["write-1"]);
  });

  it("that is lost comes back with the snapshot that is named", async () => {
    await create("write-2");
    await take();
    const [chosen = ""] = (await onServer(stack, "workerNode-1", `ls -1t ${STORE}`)).split("\n");
    await create("write-3");
    await take();
    await stack.cloud.delete(
      "compute",
      `/servers/${(await stack.vnf("vnf-a")).vnfcs["masterNode-1"]?.serverId}`,
    );
    const time = chosen.replace("snapshot-", "");
    const { status, stderr } = await stack.vnfm("restore", "vnf-a", "--snapshot", time, "--yes");
    expect([status, status === 0 ? "" : stderr]).toEqual([0, ""]);
    expect(await maps()).toEqual(["write-1", "write-2"]);
    expect(await stack.changes()).toEqual([]);
    expect((await stack.check()).found).toEqual([]);
  });

  it("that is lost with all workers comes back with the newest snapshot of the bucket", async () => {
    await create("write-4");
    await take();
    await onServer(stack, "workerNode-1", "systemctl start vnfm-snapshot-bucket");
    for (const { serverId } of Object.values((await stack.vnf("vnf-a")).vnfcs))
      await stack.cloud.delete("compute", `/servers/${serverId}`);
    const { status, stderr } = await stack.vnfm("restore", "vnf-a", "--yes");
    expect([status, status === 0 ? "" : stderr]).toEqual([0, ""]);
    expect(await maps()).toEqual(["write-1", "write-2", "write-4"]);
    expect(await stack.changes()).toEqual([]);
    expect((await stack.check()).found).toEqual([]);
  });
});
