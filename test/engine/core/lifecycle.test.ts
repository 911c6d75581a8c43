/**
 * The life of a kubeadm cluster and a CNF on it, on a real cloud: instantiate, no change, scale out, scale in, update,
 * terminate. The steps build on each other.
 */
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Cluster } from "../../support/cluster";
import { mustRun, REPOSITORY } from "../../support/command";
import { clusterVnf, webCnf } from "../../support/configs";
import { limited, OBSTACLES, quota } from "../../support/obstacles";
import { page } from "../../support/page";
import { expectPodsToReachEachOther } from "../../support/pod-network";
import { clusterSecrets, leftKubeconfigs, logsOf } from "../../support/secrets";
import { TestStack } from "../../support/stack";
import { describeCreateOnly } from "./create-only";
import { describeForeign } from "./foreign";
import { describeTiers } from "./tiers";
import { describeUpdate } from "./update";

jest.setTimeout(15 * 60 * 1000);

let stack: TestStack;
let cluster: Cluster;

beforeAll(async () => {
  stack = await TestStack.create("lifecycle", { "vnf-a": clusterVnf(2), "vnf-b": webCnf("web") });
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
});

const nodes = (...names: string[]) => names.map((name) => `vnf-a-${name}`);

describe("instantiate", () => {
  it("vnfm brings up a kubeadm cluster and a CNF on it in one run", async () => {
    await stack.mustUp();
    cluster = await stack.cluster("vnf-a");
    expect(await cluster.readyNodes()).toEqual(nodes("masternode-1", "workernode-1", "workernode-2"));
  });

  it("the next run has nothing left to do afterwards", async () => {
    expect(await stack.changes()).toEqual([]);
  });

  it("the run touches no running server where another image or flavor is declared", async () => {
    const others = Object.fromEntries(["masterNode", "workerNode"].map((vdu) => [vdu, "m1.large"]));
    stack.configure({
      "vnf-a": { ...clusterVnf(2), images: others, flavors: others },
      "vnf-b": webCnf("web"),
    });
    expect(await stack.changes()).toEqual([]);
    stack.configure({ "vnf-a": clusterVnf(2), "vnf-b": webCnf("web") });
  });

  it("`vnfm ssh` lets the operator in on a server, for a command and its status", async () => {
    const run = async (...command: string[]) => {
      const { status, stdout } = await stack.vnfm("ssh", "vnf-a", "workerNode-1", ...command);
      return [status, stdout];
    };
    expect(await run("hostname")).toEqual([0, "vnf-a-workernode-1\n"]);
    expect(await run("exit 7")).toEqual([7, ""]);
  });

  it("the CNF answers at the CNF's node port on every worker", async () => {
    expect(await page(stack, "workerNode-1")).toContain("<h1>web-cnf</h1>");
    expect(await page(stack, "workerNode-2")).toContain("<h1>web-cnf</h1>");
  });

  it("routes between pods of different nodes, through a Service, and resolves names", async () => {
    await expectPodsToReachEachOther(cluster, ["vnf-a-workernode-1", "vnf-a-workernode-2"]);
  });

  it("the run leaves no bootstrap token of a node behind", async () => {
    const secrets = await cluster.list<{ data?: Record<string, string> }>("secrets", "-n", "kube-system");
    const descriptions = secrets.map(({ data }) =>
      Buffer.from(data?.["description"] ?? "", "base64").toString(),
    );
    expect(descriptions.filter((text) => text.startsWith("vnfm: vnf-a-workernode"))).toEqual([]);
  });

  it("the stack gives the cluster as a VIM in the words of the specification", async () => {
    const vims = await stack.output<Record<string, { access_info: object }>>("vimConnectionInfo");
    expect(vims["vnf-a"]).toEqual({
      vim_type: "kubernetes",
      access_info: {
        auth_url: expect.stringMatching(/^https:\/\/198\.19\.0\.\d+:6443$/) as string,
        bearer_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) as string,
        ssl_ca_cert_hash: await cluster.caKeyHash(),
        certificate_key: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      },
      interface_info: {},
    });
  });

  it("vnfm writes a kubeconfig whose token ends by itself", async () => {
    const file = join(stack.folder, "short-lived.kubeconfig");
    const { status, stdout, stderr } = await stack.vnfm(
      ...["kubeconfig", "vnf-a", "--expires", "10m", "--file", file],
    );
    expect([status, stderr]).toEqual([0, ""]);
    const [, ends = ""] = /^the token of this kubeconfig ends at (\S+)$/m.exec(stdout) ?? [];
    const minutes = (Date.parse(ends) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(8);
    expect(minutes).toBeLessThanOrEqual(11);
    const another = await Cluster.connect(readFileSync(file, "utf8"));
    expect(await another.kubectl(["auth", "whoami", "-o", "jsonpath={.status.userInfo.username}"])).toBe(
      "system:serviceaccount:kube-system:vnfm",
    );
    another.close();
  });

  it("vnfm support packs the logs of each server and the states of the cluster, without a secret", async () => {
    const file = join(stack.folder, "support.tgz");
    const { status, stderr } = await stack.vnfm("support", "vnf-a", "--file", file);
    expect([status, stderr]).toEqual([0, ""]);
    await mustRun("tar", ["-xzf", file, "-C", stack.folder]);
    const read = (path: string) => readFileSync(join(stack.folder, "vnf-a-support", path), "utf8");
    for (const vnfc of ["masterNode-1", "workerNode-1", "workerNode-2"])
      expect(read(`servers/${vnfc}/kubelet.log`)).toContain("kubelet");
    expect(read("cluster/pods.json")).toContain("vnf-a-workernode-1");
    expect(JSON.parse(read("check.json"))).toMatchObject({ findings: [] });
    const folder = join(stack.folder, "vnf-a-support");
    const unread = await mustRun("grep", ["-rl", "not read:", folder]);
    // the cluster has no Cluster API
    expect(unread.trim().split("\n").sort()).toEqual([
      join(folder, "cluster/clusters.json"),
      join(folder, "cluster/machines.json"),
    ]);
    const secretsIn = await clusterSecrets(stack);
    const texts = await mustRun("grep", ["-rh", "", folder]);
    expect(secretsIn(texts)).toEqual([]);
  });

  it("the run keeps secrets out of the state, of shared temporary files and of the servers' logs", async () => {
    const secretsIn = await clusterSecrets(stack);
    expect(secretsIn(await stack.state())).toEqual([]);
    expect(secretsIn(leftKubeconfigs())).toEqual([]);
    const vnfA = await stack.vnf("vnf-a");
    for (const { serverId } of Object.values(vnfA.vnfcs)) {
      expect(secretsIn(await logsOf(serverId))).toEqual([]);
    }
  });
});

describe("scale", () => {
  it("out: adds exactly one worker, nothing else changes", async () => {
    stack.configure({ "vnf-a": clusterVnf(3), "vnf-b": webCnf("web") });
    const worker = "vnf-a-workerNode-3";
    expect(await stack.changes()).toEqual(
      [
        worker,
        ...["host-key", "join", "labels", "member", "prepare", "ready", "server"].map(
          (it) => `${worker}-${it}`,
        ),
        `${worker}-workerNode_CP2`,
      ].map((name) => `create ${name}`),
    );
    await stack.mustUp();
    expect(await cluster.readyNodes()).toEqual(
      nodes("masternode-1", "workernode-1", "workernode-2", "workernode-3"),
    );
  });

  it("in: drains the last worker, takes it out of the cluster, and the CNF goes on", async () => {
    stack.configure({ "vnf-a": clusterVnf(1), "vnf-b": webCnf("web") });
    const changes = await stack.changes();
    expect(changes.filter((change) => !/^delete vnf-a-workerNode-[23](-|$)/.test(change))).toEqual([]);
    expect(changes).toHaveLength(18);
    await stack.mustUp();
    expect(await cluster.readyNodes()).toEqual(nodes("masternode-1", "workernode-1"));
    expect(await page(stack, "workerNode-1")).toContain("<h1>web-cnf</h1>");
  });

  it("a CNF: changes the replicas of the VDU's controller", async () => {
    stack.configure({ "vnf-a": clusterVnf(1), "vnf-b": webCnf("web", { scale: { web_aspect: 2 } }) });
    expect(await stack.changes()).toEqual([
      "update vnf-b-deployment-web/web",
      "update vnf-b-deployment-web/web-ready",
    ]);
    await stack.mustUp();
    const replicas = await cluster.kubectl([
      "get",
      "deployment",
      "web",
      "-n",
      "web",
      "-o",
      "jsonpath={.status.readyReplicas}",
    ]);
    expect(replicas).toBe("4");
  });
});

describe("update", () => {
  describeUpdate(() => ({ stack, cluster }));
});

describe("CNFs that cannot become ready", () => {
  const all = Object.entries(OBSTACLES);

  it("fail with the reason of each, and the next run mends them", async () => {
    const configure = (folderOf: (name: string) => string, changes: object) =>
      stack.configure({
        "vnf-a": clusterVnf(1),
        "vnf-b": webCnf("web", { package: "web-cnf-2" }),
        ...Object.fromEntries(all.map(([name]) => [name, limited(name, folderOf(name), changes)])),
      });
    for (const name of ["sound", ...all.map(([it]) => it)]) {
      const folder = join(stack.folder, name);
      cpSync(join(REPOSITORY, "vnf-packages/web-cnf"), folder, { recursive: true });
      writeFileSync(join(folder, "Files/kubernetes/quota.yaml"), quota(10));
    }
    for (const [name, { spoil }] of all) spoil(join(stack.folder, name, "Files/kubernetes"));
    // this ends between the third start of the crashing container and the fourth, which deletes its last log
    configure((name) => name, { readyTimeout: "30s" });
    const { status, stdout } = await stack.up();
    expect(status).not.toBe(0);
    for (const [name, { reason }] of all) {
      expect(stdout).toContain(`Deployment ${name}/web is not ready after 30 s: `);
      expect(stdout).toMatch(reason);
    }
    configure(() => "sound", {});
    await stack.mustUp();
    expect(await stack.changes()).toEqual([]);
  });
});

/** Instances at this point, without the CNFs that follow. */
const grown = { "vnf-a": clusterVnf(1), "vnf-b": webCnf("web", { package: "web-cnf-2" }) };

describe("objects that are only created", () => {
  describeCreateOnly(() => ({ stack, vnfs: grown }));
});

describe("the CNF of many kinds", () => {
  describeTiers(() => ({ stack, cluster, vnfs: grown }));
});

describe("a CNF with an object that is there already", () => {
  describeForeign(() => ({ stack, cluster, vnfs: grown }));
});

describe("terminate", () => {
  it("of the CNF removes its objects and leaves the cluster", async () => {
    stack.configure({ "vnf-a": clusterVnf(1) });
    await stack.mustUp();
    expect(await cluster.list("all", "-n", "web")).toEqual([]);
    expect(await cluster.readyNodes()).toEqual(nodes("masternode-1", "workernode-1"));
  });

  it("of everything leaves nothing in OpenStack", async () => {
    stack.configure({});
    await stack.mustUp();
    expect(await stack.cloud.inventory()).toEqual([]);
  });
});
