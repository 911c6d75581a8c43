/**
 * A highly available cluster on a real cloud: three control-plane nodes with a virtual IP, which are repaired after
 * changes by hand, healed after a loss, and scaled out and in. After every step, each configuration that lists nodes
 * has exactly the declared ones. Losses under load are in long/lost-masters.test.ts.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { State } from "../../../automation/stack/state";
import { onServer } from "../../support/guest";
import { HaCluster } from "../../support/ha-cluster";
import { expectRebuilt } from "../../support/lost-state";
import { openFromPod, openFromServer } from "../../support/open-ports";
import { urlTarget } from "../../support/probe";
import { until } from "../../support/until";
import { writeAndProbeDuring } from "../../support/writes";
import { describeDrift } from "./drift";

jest.setTimeout(20 * 60 * 1000);

interface Server {
  readonly name: string;
  readonly hostId: string;
  readonly created: string;
  readonly "OS-SRV-USG:launched_at": string;
}

let ha: HaCluster;

beforeAll(async () => {
  ha = await HaCluster.create("ha");
});

afterAll(async () => {
  await ha?.remove();
});

const HANDED_OVER = { "masterNode-1": "2", "masterNode-3": "2", "workerNode-1": "2" };
const DEAD = { "masterNode-2": "1", "workerNode-1": "1" };
const HEALED = { ...HANDED_OVER, ...DEAD };

describe("instantiate", () => {
  it("vnfm brings up three masters behind the virtual IP", async () => {
    await ha.stack.mustUp();
    await ha.connect();
    await ha.expectDeclared(3);
  });

  it("the next run has nothing left to do afterwards", async () => {
    expect(await ha.stack.changes()).toEqual([]);
  });

  it("places the masters apart, each one when the last one has its host", async () => {
    const { servers } = await ha.stack.cloud.get<{ servers: Server[] }>("compute", "/servers/detail");
    const masters = servers.filter(({ name }) => name.startsWith("vnf-a-master"));
    expect(new Set(masters.map(({ hostId }) => hostId)).size).toBe(3);
    const times = masters
      .sort((a, b) => a.name.localeCompare(b.name))
      .flatMap((server) => [server.created, server["OS-SRV-USG:launched_at"]])
      .map((time) => Date.parse(time.replace(/Z?$/, "Z")));
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });
});

it("vnfm gives every Node the availability zone that Nova has placed its server in", async () => {
  const nodes = await ha.cluster.list<{ metadata: { name: string; labels: Record<string, string> } }>(
    "nodes",
  );
  const { servers } = await ha.stack.cloud.get<{
    servers: { name: string; "OS-EXT-AZ:availability_zone": string }[];
  }>("compute", "/servers/detail");
  const zones = nodes.map(({ metadata }) => [metadata.name, metadata.labels["topology.kubernetes.io/zone"]]);
  // one control-plane node on each compute host, and each host in another zone
  const ofMasters = zones.filter(([name]) => name?.includes("master")).map(([, zone]) => zone);
  expect(ofMasters.sort()).toEqual(["nova", "zone-cpu2", "zone-cpu3"]);
  expect(Object.fromEntries(zones)).toEqual(
    Object.fromEntries(
      servers
        .filter(({ name }) => name.startsWith("vnf-a-"))
        .map((server) => [server.name, server["OS-EXT-AZ:availability_zone"]]),
    ),
  );
});

it("the security group lets masters connect to each other's etcd, and neither a worker nor a pod", async () => {
  const [api, ...etcd] = [6443, 2379, 2380];
  const worker = "vnf-a-workernode-1";
  const vnfcs = await ha.vnfcs();
  for (const vnfc of ["masterNode-2", "masterNode-3"]) {
    const address = vnfcs[vnfc]?.addresses["masterNode_CP1"] ?? "";
    const from = (server: string) => openFromServer(ha.stack, server, address, [api, ...etcd]);
    expect(await from("masterNode-1")).toEqual([api, ...etcd]);
    expect(await from("workerNode-1")).toEqual([api]);
    expect(await openFromPod(ha.cluster, worker, address, [api, ...etcd])).toEqual([api]);
  }
});

describeDrift(() => ({ stack: ha.stack, cluster: ha.cluster, expectDeclared: () => ha.expectDeclared(3) }));

const apiUrl = async () => (await ha.stack.vnf("vnf-a")).apiUrl;

/** Measures the longest API outage during `work`, in seconds. @param what title of the figure */
async function apiDuring(what: string, work: () => Promise<unknown>): Promise<number> {
  const targets = { api: urlTarget(`${await apiUrl()}/readyz`) };
  const [[, { api }], { lostWrites, ...writes }] = await writeAndProbeDuring(ha.cluster, targets, work, 100);
  for (const [of, { requests, failed, longestOutageSeconds }] of Object.entries({ api, writes }))
    process.stderr.write(
      `${what}: ${of}: ${failed} of ${requests} failed, ${longestOutageSeconds.toFixed(2)} s between two answers\n`,
    );
  expect(lostWrites).toEqual([]);
  return api.longestOutageSeconds;
}

/** Runs an `up`, and expects only a short API outage: docs/benchmarks.md has the figures. */
async function upAllTheWhile(what: string): Promise<void> {
  expect(await apiDuring(what, () => ha.stack.mustUp())).toBeLessThan(2);
}

/** Command that drops all packets to and from a server for half a minute. */
const CUT_OFF = `setsid bash -c 'sleep 1
for c in "INPUT ! -i" "OUTPUT ! -o"; do iptables -I $c lo -j DROP; done
sleep 30
for c in "INPUT ! -i" "OUTPUT ! -o"; do iptables -D $c lo -j DROP; done' >/dev/null 2>&1 </dev/null &`;

/** Returns the control-plane node that has an address. */
async function holderOf(address: string): Promise<string> {
  for (const vnfc of ["masterNode-1", "masterNode-2", "masterNode-3"]) {
    if ((await onServer(ha.stack, vnfc, "ip -o address show")).includes(` ${address}/`)) return vnfc;
  }
  throw new Error(`no master has ${address}`);
}

describe("heal", () => {
  let heal: Readonly<Record<string, string>> = {};

  it.each([
    ["a worker", "workerNode-1", ["join", "labels", "member", "prepare", "ready", "server", "store"]],
    [
      "the first master",
      "masterNode-1",
      [
        ...["certificates", "from-snapshot", "join", "labels", "load-balancer", "member", "prepare", "ready"],
        ...["server", "snapshots"],
      ],
    ],
  ])("of %s would replace that one and nothing else", async (_, vnfc, resources) => {
    ha.configure(3, { heal: { [vnfc]: "1" } });
    const changes = await ha.stack.changes();
    expect(changes.filter((change) => !change.includes(` vnf-a-${vnfc}-`))).toEqual([]);
    expect(changes.filter((change) => change.startsWith("replace "))).toEqual(
      resources.map((it) => `replace vnf-a-${vnfc}-${it}`),
    );
  });

  it.each(Object.keys(HANDED_OVER) as (keyof typeof HANDED_OVER)[])(
    "of %s takes the API away for a moment, and no acknowledged write",
    async (vnfc) => {
      heal = { ...heal, [vnfc]: HANDED_OVER[vnfc] };
      ha.configure(3, { heal });
      await upAllTheWhile(`heal of ${vnfc}`);
      await ha.expectDeclared(3);
    },
  );

  it("a heal is not needed for the holder of the API's address that is cut off: it takes the API away for seconds", async () => {
    const holder = await holderOf(new URL(await apiUrl()).hostname);
    const seconds = await apiDuring(`${holder} cut off`, async () => {
      await onServer(ha.stack, holder, CUT_OFF);
      await sleep(60_000);
    });
    expect(seconds).toBeLessThan(10);
    await until(120, "all nodes", async () => (await ha.cluster.readyNodes()).length === 4);
    await ha.expectDeclared(3);
  });

  it("of a master whose server is gone, and a worker without SSH and kubelet, does not wait for them", async () => {
    const old = await ha.vnfcs();
    const dead = Object.keys(DEAD);
    await ha.stack.cloud.delete("compute", `/servers/${old["masterNode-2"]?.serverId}`);
    await onServer(ha.stack, "workerNode-1", "systemctl stop kubelet ssh");
    ha.configure(3, { heal: HEALED });
    await ha.stack.mustUp();
    await ha.expectDeclared(3);
    const now = await ha.vnfcs();
    for (const key of dead) {
      expect(now[key]?.serverId).not.toBe(old[key]?.serverId);
      expect(now[key]?.addresses).toEqual(old[key]?.addresses);
    }
  });
});

describe("scale", () => {
  /**
   * Resources that list the control-plane nodes, and the server group, which has another policy for five than for
   * three.
   */
  const FOLLOWING = [
    "replace vnf-a-masterNode_anti_affinity",
    ...[1, 2, 3].map((i) => `update vnf-a-masterNode-${i}-load-balancer`),
  ];

  async function changesBySubject() {
    const changes = (await ha.stack.changes()).filter(
      (it) => !/^(create-replacement|delete-replaced) /.test(it),
    );
    const isOfNew = (change: string) => /^\S+ vnf-a-masterNode-[45]\b/.test(change);
    const operations = changes.filter(isOfNew).map((change) => change.split(" ")[0]);
    return { ofNewMasters: [...new Set(operations)], ofOthers: changes.filter((it) => !isOfNew(it)) };
  }

  it("of masters out: etcd and the load balancers follow", async () => {
    ha.configure(5, { heal: HEALED });
    expect(await changesBySubject()).toEqual({ ofNewMasters: ["create"], ofOthers: FOLLOWING });
    await upAllTheWhile("two masters more");
    await ha.expectDeclared(5);
  });

  it("of masters in is taken back where a server could not go: a master that has left joins again", async () => {
    const { serverId } = (await ha.vnfcs())["masterNode-5"] ?? {};
    if (serverId === undefined) throw new Error("there is no masterNode-5");
    await ha.stack.cloud.act(serverId, { lock: null });
    ha.configure(3, { heal: HEALED });
    const { status, stdout } = await ha.stack.up();
    expect([status === 0, stdout]).toEqual([false, expect.stringMatching(/is locked/)]);
    expect(await ha.cluster.readyNodes()).not.toContain("vnf-a-masternode-5");
    await ha.stack.cloud.act(serverId, { unlock: null });
    ha.configure(5, { heal: HEALED });
    await ha.stack.mustUp();
    expect((await ha.vnfcs())["masterNode-5"]?.serverId).toBe(serverId);
    await ha.expectDeclared(5);
  });

  it("of masters in: etcd and the load balancers follow", async () => {
    ha.configure(3, { heal: HEALED });
    expect(await changesBySubject()).toEqual({ ofNewMasters: ["delete"], ofOthers: FOLLOWING });
    await upAllTheWhile("two masters less");
    await ha.expectDeclared(3);
  });
});

describe("a Node that somebody has removed", () => {
  it("joins again where that is asked for: a master leaves etcd first, which kubeadm leaves to us", async () => {
    await ha.cluster.kubectl(["delete", "node", "vnf-a-masternode-3"]);
    const { resources = [] } = (JSON.parse(await ha.stack.state()) as State).deployment;
    const steps = resources.filter(({ urn }) => /::vnf-a-masterNode-3-(join|labels|ready)$/.test(urn));
    expect(steps.length).toBe(3);
    await ha.stack.mustUp(...steps.flatMap(({ urn }) => ["--replace", urn]));
    await ha.expectDeclared(3);
    expect((await ha.stack.check()).found).toEqual([]);
  });

  it("is found, and left to be healed", async () => {
    await ha.cluster.kubectl(["delete", "node", "vnf-a-workernode-1"]);
    const missing =
      "vnf-a: workerNode-1: Node vnf-a-workernode-1 is missing: run 'vnfm heal vnf-a workerNode-1'";
    const { status, stdout } = await ha.stack.vnfm("check");
    expect([status, stdout]).toEqual([5, expect.stringMatching(/^vnf-a: etcd of .*\n/)]);
    expect(stdout.split("\n").slice(1)).toEqual([missing, ""]);
    const mended = await ha.stack.vnfm("mend", "--yes");
    expect([mended.status, mended.stdout]).toEqual([
      5,
      `${missing}\ndone in 0 s\nnot repaired: ${missing}\n`,
    ]);
  });
});

it("the lost state is made again, with several masters", async () => {
  await expectRebuilt(ha.stack);
});

describe("terminate", () => {
  it("the deletion leaves nothing in OpenStack", async () => {
    ha.stack.configure({});
    await ha.stack.mustUp();
    expect(await ha.stack.cloud.inventory()).toEqual([]);
  });
});
