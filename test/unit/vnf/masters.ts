import { planOf } from "../../support/planned";
import { makeVnfs } from "../../../components/deploy/instance";
import { haClusterVnf, kubeadmCluster } from "../../support/configs";
import { recordResources, settle, type RecordedResource } from "../../support/mocks";
import { recordedScript, recordedScripts } from "../../support/script-steps";
import { clusterOutputs } from "./outputs";

let recorded: RecordedResource[];

/** @param keysOf returns the output of a key pair's command */
const record = (keysOf?: (name: string) => string) =>
  recordResources((resource) => {
    const { type, name } = resource;
    if (type === "openstack:networking/port:Port")
      return { allFixedIps: ["fd00::5", `10.0.0.${/\d+/.exec(name)?.[0] ?? 9}`] };
    if (type === "openstack:loadbalancer/loadBalancer:LoadBalancer")
      return { vipAddress: "10.0.0.9", vipSubnetId: "subnet" };
    return clusterOutputs(resource, keysOf && { keys: keysOf(name) });
  });

describe("a cluster of five masters", () => {
  beforeAll(async () => {
    recorded = record();
    makeVnfs(planOf({ "vnf-a": haClusterVnf(5, 1) }));
    await settle();
  });

  const onAny = () => recordedScripts(recorded).filter(({ reach }) => reach.onMaster);

  it("runs what is about the cluster on any of them, and what is about a node there", () => {
    const names = onAny().map(({ name }) => name.replace(/^vnf-a-(master|worker)Node-/, "$1-"));
    const member = ["labels", "member", "ready"];
    expect(names.sort()).toEqual(
      [
        ...["access", "cni", "service-account"].map((step) => `master-1-${step}`),
        ...["master-1", "master-2", "master-3", "master-4", "master-5", "worker-1"].flatMap((node) =>
          member.map((step) => `${node}-${step}`),
        ),
      ].sort(),
    );
    const elsewhere = recordedScripts(recorded).filter(({ reach }) => !reach.onMaster);
    expect(elsewhere.map(({ name }) => name.replace(/.*-/, ""))).toEqual(
      expect.arrayContaining(["prepare", "init", "join", "balancer"]),
    );
  });

  it("gives them the addresses of the first three and of the API, one host key and the login, as secrets", () => {
    const hosts = [1, 2, 3, 9].map((i) => ({ host: `10.0.0.${i}`, hostKey: "ssh-ed25519 AAAA" }));
    for (const { reach } of onAny()) {
      const login = { user: "debian", keys: ["-----BEGIN\n"] };
      expect(reach).toEqual({ hosts, login, onMaster: true, tries: 60, seconds: 1500 });
    }
  });

  it("undoes a membership, which is there before the node joins, and nothing else", () => {
    const names = onAny().map(({ name }) => name);
    const verbs = recorded
      .filter(({ name }) => names.includes(name))
      .map(({ name, inputs }) => [
        name.endsWith("-member"),
        inputs["create"],
        inputs["update"],
        inputs["delete"],
      ]);
    const run = `exec node -e 'require("vnfm/run")' remote/run-script`;
    const ofMember = [true, undefined, undefined, `${run} delete`];
    const ofOthers = [false, `${run} create`, `${run} update`, undefined];
    expect(verbs.filter(([isMember]) => isMember)).toEqual(Array(6).fill(ofMember));
    expect(verbs.filter(([isMember]) => !isMember)).toEqual(Array(15).fill(ofOthers));
  });
});

describe("a master behind a virtual IP", () => {
  it("hands over what it serves before it goes, at its own address, and Nova does not wait for its end", async () => {
    recorded = record();
    makeVnfs(planOf({ "vnf-a": haClusterVnf(3, 1) }));
    await settle();
    expect(recorded.filter(({ name }) => name.endsWith("-handover"))).toEqual([]);
    const members = recordedScripts(recorded).filter(({ script }) => script === "membership.sh");
    const masters = [1, 2, 3].map((i) => [`vnf-a-masterNode-${i}-member`, [`10.0.0.${i}`], 1]);
    const handovers = members
      .map(({ name, handover }) => [name, handover?.hosts.map(({ host }) => host), handover?.tries])
      .sort();
    expect(handovers).toEqual([...masters, ["vnf-a-workerNode-1-member", undefined, undefined]]);
    const servers = recorded.filter(({ type }) => type === "openstack:compute/instance:Instance");
    expect(servers.map(({ inputs }) => inputs["stopBeforeDestroy"])).toEqual(Array(4).fill(false));
  });
});

describe("two clusters on one network", () => {
  beforeAll(async () => {
    recorded = record((name) =>
      ["new", "old"].map((age) => `ssh-ed25519 AAAA\n-----BEGIN\n${age} ${name}\n-----END\n`).join(""),
    );
    makeVnfs(planOf({ "vnf-a": haClusterVnf(3, 1), "vnf-b": haClusterVnf(3, 1) }));
    await settle();
  });

  it("are told apart by keepalived: by an id of the name, and a password of the key that they began with", () => {
    const given = recordedScripts(recorded)
      .filter(({ name }) => name.endsWith("-load-balancer"))
      .map(({ name, data }) => [
        name,
        ...["virtual_router_id", "auth_pass"].map((key) => data.split(`${key} `)[1]?.split("\n")[0]),
      ]);
    const balancersOf = (instance: string, ...what: string[]) =>
      [1, 2, 3].map((i) => [`${instance}-masterNode-${i}-load-balancer`, ...what]);
    expect(given.sort()).toEqual([
      ...balancersOf("vnf-a", "66", "0f940394"),
      ...balancersOf("vnf-b", "73", "dce7142b"),
    ]);
  });
});

describe.each([
  ["of the cloud", "ha-octavia", ["masterNode_CP1", "workerNode_CP2"]],
  ["on servers of its own", "ha-external-lb", ["masterNode_CP1", "workerNode_CP2", "loadBalancer_CP3"]],
] as const)("a cluster whose load balancer is one %s", (_, flavour, points) => {
  it("is not reached by scripts at the address, which no master has", async () => {
    recorded = record();
    const extVirtualLinks = Object.fromEntries(points.map((point) => [point, { network: "public" }]));
    makeVnfs(planOf({ "vnf-a": haClusterVnf(3, 1, { flavour, extVirtualLinks }) }));
    await settle();
    const { hosts } = recordedScript(recorded, "vnf-a-masterNode-1-access").reach;
    expect(hosts.map(({ host }) => host)).toEqual([1, 2, 3].map((i) => `10.0.0.${i}`));
  });
});

describe("a cluster behind a load balancer of the cloud", () => {
  beforeAll(async () => {
    recorded = record();
    const additionalParams = kubeadmCluster({ load_balancer: { provider: "ovn" } });
    const vnf = haClusterVnf(3, 1, { flavour: "ha-octavia", additionalParams });
    makeVnfs(planOf({ "vnf-a": vnf }));
    await settle();
  });

  const of = (kind: string) => recorded.filter(({ type }) => type === `openstack:loadbalancer/${kind}`);

  it("has it in front of all masters, at the port of the API", () => {
    expect(of("loadBalancer:LoadBalancer").map(({ inputs }) => inputs)).toEqual([
      expect.objectContaining({ loadbalancerProvider: "ovn", vipNetworkId: "looked-up" }),
    ]);
    expect(of("listener:Listener")[0]?.inputs).toMatchObject({ protocol: "TCP", protocolPort: 6443 });
    expect(of("pool:Pool")[0]?.inputs).toMatchObject({ lbMethod: "SOURCE_IP_PORT" });
    expect(
      of("member:Member").map(({ name, inputs }) => [name, inputs["address"], inputs["protocolPort"]]),
    ).toEqual([1, 2, 3].map((i) => [`vnf-a-vip_CP-masterNode-${i}`, `10.0.0.${i}`, 6443]));
    expect(of("monitor:Monitor")[0]?.inputs).toMatchObject({ type: "TCP" });
  });

  it("keeps a silent watch as long as HAProxy does", () => {
    const hour = { timeoutClientData: 3_600_000, timeoutMemberData: 3_600_000 };
    expect(of("listener:Listener").map(({ inputs }) => inputs)).toEqual([expect.objectContaining(hour)]);
  });

  it("has no load balancer and no shared address on the masters", () => {
    const named = recorded.filter(({ name }) => /load-balancer|vip_CP$/.test(name)).map(({ type }) => type);
    expect(named.filter((type) => !type.startsWith("vnfm:"))).toEqual([
      "openstack:loadbalancer/loadBalancer:LoadBalancer",
    ]);
    const ports = recorded.filter(({ type }) => type === "openstack:networking/port:Port");
    expect(ports).toHaveLength(4);
    expect(ports.filter(({ inputs }) => inputs["allowedAddressPairs"] !== undefined)).toEqual([]);
  });

  it("lets in what the load balancer forwards, and what a master sends to itself through it", () => {
    const rule = recorded.find(({ name }) => name.endsWith("-balanced"));
    expect(rule?.inputs).toMatchObject({
      securityGroupId: "vnf-a-masters-id",
      portRangeMin: 6443,
      portRangeMax: 6443,
      protocol: "tcp",
    });
  });
});
