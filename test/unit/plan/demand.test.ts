/** What instances newly take of a quota. */
import { planOf } from "../../support/planned";
import { newDemand, NOTHING, type Present } from "../../../components/plan/demand";
import type { InstancePlan } from "../../../components/plan/model";
import { amountsOf } from "../../../components/plan/quota";
import { haClusterVnf } from "../../support/configs";
import { connectionPoint, flavour, vdu, vnfPackage } from "../fixtures";
import { plannedCluster } from "./planned-cluster";

const FLAVORS = [
  { id: "1", name: "m1.small", vcpus: 1, ram: 2048 },
  { id: "2", name: "m1.medium", vcpus: 2, ram: 4096 },
];

/** @param instances those in the outputs of the last run */
const demanded = (plan: InstancePlan, present: Present, ...instances: readonly string[]) => {
  const demand = newDemand(plan, present, (instance) => instances.includes(instance));
  return Object.fromEntries(Object.entries(amountsOf(demand, FLAVORS)).filter(([, amount]) => amount > 0));
};

describe("servers of an instance", () => {
  const [plan] = planOf({
    "vnf-a": haClusterVnf(3, 2, {
      extVirtualLinks: {
        masterNode_CP1: { network: "site", floatingNetwork: "public" },
        workerNode_CP2: { network: "site" },
      },
    }),
  });
  if (plan === undefined) throw new Error("nothing is planned");

  const server = (vduAndOrdinal: string, owner = "site-1-5f0c2a9e/vnf-a") => ({
    name: `vnf-a-${vduAndOrdinal}`,
    metadata: { "vnfm-owner": owner },
  });
  const present = (changes: Partial<Present>): Present => ({ ...NOTHING, ...changes });
  const all = ["masternode-1", "masternode-2", "masternode-3", "workernode-1", "workernode-2"];

  test("take all of it where none is there", () => {
    expect(demanded(plan, NOTHING)).toEqual({
      ...{ servers: 5, cores: 8, "RAM (MiB)": 16384, "server groups": 1 },
      // one more for the virtual IP
      ...{ ports: 6, "floating IPs": 3, "security groups": 2, "security group rules": 20 },
    });
  });

  test("take nothing where all are there, whatever their state is", () => {
    expect(demanded(plan, present({ servers: all.map((name) => server(name)) }))).toEqual({});
  });

  test("take what a new server has where others are there", () => {
    const servers = all.filter((name) => name !== "workernode-2").map((name) => server(name));
    expect(demanded(plan, present({ servers }))).toEqual({
      servers: 1,
      cores: 1,
      "RAM (MiB)": 2048,
      ports: 1,
    });
  });

  test.each(["", "site-1-5f0c2a9e/other-vnf-a"])(
    "are not those of another instance, with the owner %j",
    (owner) => {
      const servers = all.map((name) => server(name, owner));
      expect(demanded(plan, present({ servers }))).toMatchObject({ servers: 5, ports: 6 });
    },
  );

  test("take no ports again that a run has left which failed before the server", () => {
    const ports = ["masterNode-1-masterNode_CP1", "workerNode-1-workerNode_CP2"];
    const left = ports.map((port) => `vnf-a-${port}-1a2b3c4`);
    expect(demanded(plan, present({ ports: left }))).toEqual({
      ...{ servers: 5, cores: 8, "RAM (MiB)": 16384, ports: 3, "floating IPs": 2 },
    });
  });
});

test("a volume that Nova makes to boot from counts as one that the program makes", () => {
  const volumes = {
    disk: { id: "disk", sizeGiB: 20, image: "debian-12", volumeType: undefined },
    data: { id: "data", sizeGiB: 5, image: undefined, volumeType: undefined },
  };
  const vdus = {
    a: vdu("a", { initialInstances: 2, image: undefined, volumes: ["disk", "data"] }),
  };
  const connectionPoints = { cp: connectionPoint("cp", "a") };
  const plans = planOf(
    {
      "vnf-a": { package: "p", extVirtualLinks: { cp: { network: "site" } } },
    },
    { loadPackage: () => vnfPackage("p", { simple: flavour({ vdus, volumes, connectionPoints }) }) },
  );
  expect(plans.map((plan) => demanded(plan, NOTHING))).toEqual([
    { servers: 2, cores: 2, "RAM (MiB)": 4096, volumes: 4, gigabytes: 50, ports: 2 },
  ]);
});

describe("a cluster by a template", () => {
  test("takes its machines, and what Cluster API makes around them", () => {
    const { plan } = plannedCluster();
    expect(demanded(plan, NOTHING)).toEqual({
      ...{ servers: 2, cores: 3, "RAM (MiB)": 6144 },
      ...{ networks: 1, subnets: 1, routers: 1, "floating IPs": 1, "load balancers": 1 },
      // of the machines, the router and the balancer
      ports: 4,
      ...{ "security groups": 2, "security group rules": 15 },
    });
  });

  test("takes what its settings add to that", () => {
    const { plan } = plannedCluster({
      controlPlane: {
        ...{ replicas: 3, flavor: "m1.medium", serverGroup: "anti-affinity" },
        etcdVolume: { sizeGiB: 4 },
      },
      nodeGroups: {
        batch: {
          ...{ replicas: 2, rootVolume: { sizeGiB: 20 }, volumes: [{ name: "data", sizeGiB: 10 }] },
          additionalPorts: [{ network: "storage" }],
        },
        elastic: { autoscaling: { min: 1, max: 8 } },
        idle: { replicas: 0 },
      },
      network: {
        ingressRules: [{ ports: ["tcp/30000-32767", "udp/53"], cidrs: ["192.0.2.0/24"] }],
        bastion: { flavor: "m1.small", image: "debian-12" },
      },
    });
    expect(demanded(plan, NOTHING)).toEqual({
      ...{ servers: 7, cores: 10, "RAM (MiB)": 20480, "server groups": 1 },
      // 3 of 4 GiB for etcd, 2 of 20 GiB and 2 of 10 GiB of the group
      ...{ volumes: 7, gigabytes: 72 },
      ...{ networks: 1, subnets: 1, routers: 1, "load balancers": 1 },
      // of 7 machines, 2 more of the group, the router and the balancer
      ports: 11,
      ...{ "floating IPs": 2, "security groups": 3, "security group rules": 24 },
    });
  });

  test("on a network that is there, without floating IP and balancer, takes ports of its machines alone", () => {
    const { plan } = plannedCluster(
      { network: { network: "site" } },
      { network: {}, apiServer: { floatingIp: false, fixedIp: "10.0.0.5", loadBalancer: false } },
    );
    expect(demanded(plan, NOTHING)).toEqual({
      ...{ servers: 2, cores: 3, "RAM (MiB)": 6144, ports: 2 },
      ...{ "security groups": 2, "security group rules": 15 },
    });
  });

  const machines = (...names: string[]) => names.map((name) => ({ name }));

  test("takes what it has not yet once it is in the outputs, or its control plane has its security group", () => {
    const { plan } = plannedCluster();
    const securityGroups = ["k8s-cluster-tenant-tenant-secgroup-controlplane"];
    const servers = machines("tenant-x7k2p", "tenant-default-q8zvw-9hxkd");
    expect(demanded(plan, { ...NOTHING, servers }, "tenant")).toEqual({});
    expect(demanded(plan, { ...NOTHING, servers, securityGroups })).toEqual({});
    // a run that was cut off before its machines
    expect(demanded(plan, { ...NOTHING, securityGroups })).toEqual({
      ...{ servers: 2, cores: 3, "RAM (MiB)": 6144, ports: 2 },
    });
    expect(demanded(plan, { ...NOTHING, securityGroups: ["k8s-cluster-b-b-secgroup-controlplane"] })).toEqual(
      demanded(plan, NOTHING),
    );
  });

  test("takes the machines that a scale out adds, each with its volumes and ports", () => {
    const batch = { replicas: 5, rootVolume: { sizeGiB: 20 }, additionalPorts: [{ network: "storage" }] };
    const { plan } = plannedCluster({
      controlPlane: { replicas: 3 },
      nodeGroups: { batch, other: { replicas: 1 } },
    });
    const servers = machines(
      ...["tenant-x7k2p", "tenant-control-plane-1a2b3c-4d5e6", "tenant-bastion"],
      ...[
        "tenant-batch-q8zvw-9hxkd",
        "tenant-batch-q8zvw-b2c3d",
        "tenant-other-q8zvw-9hxkd",
        "tenants-batch-a-b",
      ],
    );
    expect(demanded(plan, { ...NOTHING, servers }, "tenant")).toEqual({
      ...{ servers: 4, cores: 5, "RAM (MiB)": 10240 },
      ...{ volumes: 3, gigabytes: 60, ports: 7 },
    });
  });
});
