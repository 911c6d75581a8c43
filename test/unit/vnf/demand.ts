/** Tests that the demand for a quota equals the resources that are created. */
import { planOf } from "../../support/planned";
import { makeVnfs } from "../../../components/deploy/instance";
import { newDemand, NOTHING } from "../../../components/plan/demand";
import { amountsOf, type Amounts } from "../../../components/plan/quota";
import { haClusterVnf, haStorageVnf, kubeadmCluster, storageVnf } from "../../support/configs";
import { recordResources, settle, type RecordedResource } from "../../support/mocks";
import { clusterOutputs } from "./outputs";

const nodes = {
  subnets: [{ cidr: "10.0.0.0/24" }, { cidr: "fd00:30::/64" }],
  router: { externalNetwork: "public" },
};
const inside = { virtualLink: "nodes" };
const floating = { virtualLink: "nodes", floatingNetwork: "public" };

/** Returns the demand of a plan, without zeros, and the amounts that Neutron, Cinder, Nova and Octavia create. */
async function countedAndMade(vnf: object): Promise<{ counted: Amounts; made: Amounts }> {
  const recorded = recordResources((resource) => {
    if (resource.type === "openstack:loadbalancer/loadBalancer:LoadBalancer")
      return { vipAddress: "10.0.0.9", vipSubnetId: "subnet", vipPortId: "vip-port" };
    if (resource.type.endsWith(":FloatingIp")) return { address: "203.0.113.9" };
    if (resource.type.endsWith(":PersistentVolume"))
      return { metadata: { name: resource.name, uid: `uid of ${resource.name}` } };
    return clusterOutputs(resource);
  });
  const plans = planOf({ "vnf-a": vnf });
  makeVnfs(plans);
  await settle();
  const [plan] = plans;
  if (plan === undefined) throw new Error("nothing is planned");
  const counted = Object.entries(
    amountsOf(
      newDemand(plan, NOTHING, () => false),
      [],
    ),
  );
  return { counted: Object.fromEntries(counted.filter(([, amount]) => amount > 0)), made: madeOf(recorded) };
}

function madeOf(recorded: readonly RecordedResource[]): Amounts {
  const of = (kind: string) => recorded.filter(({ type }) => type === `openstack:${kind}`);
  const count = (kind: string) => of(kind).length;
  const volumes = of("blockstorage/volume:Volume");
  const balancers = count("loadbalancer/loadBalancer:LoadBalancer");
  const groups = count("networking/secGroup:SecGroup");
  const withDefaults = of("networking/secGroup:SecGroup").filter(
    ({ inputs }) => inputs["deleteDefaultRules"] !== true,
  ).length;
  const all: Amounts = {
    servers: count("compute/instance:Instance"),
    "server groups": count("compute/serverGroup:ServerGroup"),
    volumes: volumes.length,
    gigabytes: volumes.reduce((sum, { inputs }) => sum + Number(inputs["size"]), 0),
    networks: count("networking/network:Network"),
    subnets: count("networking/subnet:Subnet"),
    routers: count("networking/router:Router"),
    // Neutron creates a router's port in each subnet, and Octavia the load balancer's
    ports: count("networking/port:Port") + count("networking/routerInterface:RouterInterface") + balancers,
    "floating IPs": count("networking/floatingIp:FloatingIp"),
    "security groups": groups,
    // a group without own egress rules has Neutron's two default rules
    "security group rules": count("networking/secGroupRule:SecGroupRule") + 2 * withDefaults,
    "load balancers": balancers,
  };
  return Object.fromEntries(Object.entries(all).filter(([, amount]) => amount > 0));
}

describe("what is counted for a quota is what is made", () => {
  it("including masters behind a virtual IP with a floating IP, on a network with a router", async () => {
    const vnf = haClusterVnf(3, 2, {
      virtualLinks: { nodes },
      extVirtualLinks: { masterNode_CP1: floating, workerNode_CP2: floating, vip_CP: floating },
    });
    const { counted, made } = await countedAndMade(vnf);
    expect(counted).toEqual(made);
    expect(counted).toMatchObject({ servers: 5, ports: 8, routers: 1, "floating IPs": 6 });
  });

  it("including masters behind Octavia, on a network with an existing router", async () => {
    const vnf = haClusterVnf(3, 1, {
      flavour: "ha-octavia",
      virtualLinks: { nodes: { ...nodes, router: "site" } },
      extVirtualLinks: { masterNode_CP1: inside, workerNode_CP2: inside, vip_CP: floating },
      additionalParams: kubeadmCluster({ jump_host: { vnfc: "masterNode-1" } }),
    });
    const { counted, made } = await countedAndMade(vnf);
    expect(counted).toEqual(made);
    expect(counted).toMatchObject({ ports: 7, "load balancers": 1, "floating IPs": 1 });
  });

  it("including a cluster with a storage server on existing networks", async () => {
    const { counted, made } = await countedAndMade(haStorageVnf(3, 1));
    expect(counted).toEqual(made);
    expect(counted).toMatchObject({ "security groups": 3, volumes: 1, gigabytes: 10 });
  });

  it("including a storage server that SSH reaches through a jump host", async () => {
    const vnf = storageVnf({
      virtualLinks: { nodes },
      extVirtualLinks: { masterNode_CP1: floating, workerNode_CP2: inside, storage_server_CP: inside },
    }) as { additionalParams: { k8s_cluster_installation_param: object } };
    Object.assign(vnf.additionalParams.k8s_cluster_installation_param, {
      jump_host: { vnfc: "masterNode-1" },
    });
    const { counted, made } = await countedAndMade(vnf);
    expect(counted).toEqual(made);
    expect(counted).toMatchObject({ networks: 1, subnets: 2, "floating IPs": 1 });
  });
});
