import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Cloud } from "../../bench/cloud";
import { ClusterByHand } from "../../bench/cluster-by-hand";
import { Order } from "../../bench/order";
import { clustersOf, planOf } from "../../bench/plans";
import type { Host, Ssh } from "../../bench/ssh";
import { REPOSITORY } from "../../support/command";
import { clusterVnf, haClusterVnf } from "../../support/configs";
import { FakeCloud } from "./fake-cloud";

/** What is done on which host, as it begins. */
let steps: string[];
/** Names of the data that each script got. */
let given: Record<string, string[]>;
let running: number;
let mostAtOnce: number;
let cloud: FakeCloud;

function vnf(settings: object) {
  const [plan] = clustersOf(planOf({ "vnf-a": settings }));
  if (plan === undefined) throw new Error("one VNF is planned");
  return plan;
}

function begin(kind: Order["kind"], settings: object): ClusterByHand {
  const ssh = {
    keyPair: (name: string) => Promise.resolve({ publicKey: `ssh-ed25519 ${name}`, privateKey: "" }),
    async script(host: Host, script: string, data: Record<string, string>, action = "create") {
      given[script] = Object.keys(data).sort();
      const about = data["node_name"]?.replace("vnf-a-", "") ?? "";
      steps.push(
        [script.replace(".sh", ""), action !== "create" && action, about, `on ${cloud.nameAt(host.address)}`]
          .filter(Boolean)
          .join(" "),
      );
      mostAtOnce = Math.max(mostAtOnce, ++running);
      await new Promise(setImmediate);
      running--;
      return script === "read-access.sh"
        ? "ca=Y2E=\nssl_ca_cert_hash=sha256:0\ncertificate_key=k\n"
        : "token.secret\n";
    },
  };
  const tools = { cloud: cloud as unknown as Cloud, ssh: ssh as unknown as Ssh, order: new Order(kind) };
  return new ClusterByHand(tools, vnf(settings));
}

/** What is done meanwhile. */
async function during(action: Promise<unknown>): Promise<string[]> {
  await action;
  return steps.splice(0);
}

beforeEach(() => {
  [steps, given, running, mostAtOnce] = [[], {}, 0, 0];
  cloud = new FakeCloud();
});

describe("a cluster in the serial order", () => {
  it("has all servers first, then one node after the other", async () => {
    const made = await during(begin("serial", haClusterVnf(3, 1)).done());
    expect(made).toEqual([
      "prepare-node masternode-1 on masternode-1",
      "load-balancer on masternode-1",
      "init-master on masternode-1",
      "install-cni on masternode-1",
      "read-access on masternode-1",
      "service-account on masternode-1",
      ...["masternode-2", "masternode-3"].flatMap((name) => [
        `prepare-node ${name} on ${name}`,
        `load-balancer on ${name}`,
        `admit-node ${name} on masternode-1`,
        `join-node ${name} on ${name}`,
        `admit-node delete ${name} on masternode-1`,
      ]),
      "prepare-node workernode-1 on workernode-1",
      "admit-node workernode-1 on masternode-1",
      "join-node workernode-1 on workernode-1",
      "admit-node delete workernode-1 on masternode-1",
      ...["masternode-2", "masternode-3", "workernode-1", "masternode-1"].flatMap((name) => [
        `node-ready ${name} on masternode-1`,
        `node-labels ${name} on masternode-1`,
      ]),
    ]);
    expect(mostAtOnce).toBe(1);
  });
});

describe("a cluster in the best order", () => {
  it("does the same, the nodes at once", async () => {
    const serial = await during(begin("serial", haClusterVnf(3, 2)).done());
    const best = await during(begin("best", haClusterVnf(3, 2)).done());
    expect([...best].sort()).toEqual([...serial].sort());
    expect(best.slice(0, 5).map((step) => step.split(" ")[0])).toEqual(Array(5).fill("prepare-node"));
    expect(mostAtOnce).toBeGreaterThan(5);
  });

  it("has the masters apart, and lets them use the virtual address", async () => {
    await begin("best", haClusterVnf(3, 1)).done();
    const grouped = cloud.servers.map(({ name, group }) => [name.replace("vnf-a-", ""), group]);
    expect(grouped.sort()).toEqual([
      ...[1, 2, 3].map((i) => [`masternode-${i}`, cloud.groups[0]]),
      ["workernode-1", undefined],
    ]);
    const pairs = cloud.servers.map(({ port }) => port.pairs.join());
    expect(pairs.sort()).toEqual(["", ...Array<string>(3).fill(cloud.addresses[0] ?? "")]);
  });

  it("makes a cluster of one master without load balancers and a virtual address", async () => {
    const made = await during(begin("best", clusterVnf(1)).done());
    expect(made.filter((step) => step.startsWith("load-balancer"))).toEqual([]);
    expect(cloud.addresses).toHaveLength(2);
  });
});

describe("the program's scripts", () => {
  it("get all the data that they say they need", async () => {
    await begin("best", haClusterVnf(3, 1)).done();
    const needed = Object.keys(given).map((script) => {
      const text = readFileSync(join(REPOSITORY, "components/remote/scripts", script), "utf8");
      // lines of the comment at its head: names, then what they are
      const head = text.slice(0, text.search(/^[^#]/m));
      const lines = head.matchAll(/^# ((?:[a-z]+_[a-z_]+|[a-z]+(?= {2}|, ))(?:, [a-z_]+)*) /gm);
      return [script, [...lines].flatMap(([, names = ""]) => names.split(", ")).sort()];
    });
    expect(Object.keys(given)).toHaveLength(10);
    expect(Object.fromEntries(needed)).toEqual(given);
  });
});

describe("changes of a cluster", () => {
  it("touch no other node if they concern workers", async () => {
    const cluster = begin("best", haClusterVnf(3, 1));
    await during(cluster.done());
    const grown = await during(cluster.grow(vnf(haClusterVnf(3, 2))));
    expect(grown.sort()).toEqual([
      "admit-node delete workernode-2 on masternode-1",
      "admit-node workernode-2 on masternode-1",
      "join-node workernode-2 on workernode-2",
      "node-labels workernode-2 on masternode-1",
      "node-ready workernode-2 on masternode-1",
      "prepare-node workernode-2 on workernode-2",
    ]);
  });

  it("heal the first master through another one, at its port", async () => {
    const cluster = begin("serial", haClusterVnf(3, 1));
    await during(cluster.done());
    const old = cloud.servers.find(({ name }) => name.endsWith("masternode-1"));
    expect(await during(cluster.heal("masterNode-1"))).toEqual([
      "membership drain masternode-1 on masternode-2",
      "hand-over delete on masternode-1",
      "membership delete masternode-1 on masternode-2",
      "prepare-node masternode-1 on masternode-1",
      "load-balancer on masternode-1",
      "admit-node masternode-1 on masternode-2",
      "join-node masternode-1 on masternode-1",
      "admit-node delete masternode-1 on masternode-2",
      "node-ready masternode-1 on masternode-2",
      "node-labels masternode-1 on masternode-2",
    ]);
    const now = cloud.servers.find(({ name }) => name.endsWith("masternode-1"));
    expect(now?.id).not.toBe(old?.id);
    expect(now?.port).toBe(old?.port);
    expect(cloud.servers).toHaveLength(4);
  });

  it("do not heal a sole master", async () => {
    const cluster = begin("best", clusterVnf(1));
    await cluster.done();
    await expect(cluster.heal("masterNode-1")).rejects.toThrow("no master could let it leave");
  });
});
