import { clusterIngress, ruleName } from "../../../components/plan/kubeadm/ingress";
import { clusterOf, withServers } from "../../../components/plan/model";
import { planStack } from "../../../components/plan/stack";
import { parseSettings } from "../../../components/settings/parse";
import { loadPackage } from "../../support/packages";
import { clusterVnf } from "../../support/configs";

interface Changes {
  readonly installation?: object;
  readonly virtualLinks?: object;
  readonly worker?: object;
}

const nodes = (router?: unknown) => ({ nodes: { subnets: [{ cidr: "10.30.0.0/24" }], router } });

function routedVnf({
  installation,
  virtualLinks = nodes({ externalNetwork: "public" }),
  worker,
}: Changes = {}) {
  const params = {
    jump_host: { vnfc: "masterNode-1" },
    pod_network: "neutron",
    ...installation,
  };
  return {
    ...clusterVnf(2, params),
    virtualLinks,
    extVirtualLinks: {
      masterNode_CP1: { virtualLink: "nodes", floatingNetwork: "public" },
      workerNode_CP2: worker ?? { virtualLink: "nodes" },
    },
  };
}

const settingsOf = (vnf: object) => parseSettings({ "vnf-a": vnf }).settings;
const planned = (vnf: object) => planStack(settingsOf(vnf), { loadPackage, readProjectFile: () => "" });

/** Every fault of a stack. */
function faultsOf(vnf: object): string {
  try {
    planned(vnf);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error("nothing is wrong with it");
}

const clusterPlan = (vnf: object) => {
  const [plan] = withServers(planned(vnf));
  const cluster = plan && clusterOf(plan);
  if (cluster === undefined) throw new Error("the stack has no cluster");
  return cluster;
};
const blocksOf = (vnf: object) =>
  Object.fromEntries(Object.entries(clusterPlan(vnf).podRoutes ?? {}).map(([key, { cidr }]) => [key, cidr]));

test("nodes have blocks by their ordinals, workers from the beginning and masters from the end", () => {
  expect(blocksOf(routedVnf())).toEqual({
    "masterNode-1": "10.244.255.0/24",
    "workerNode-1": "10.244.0.0/24",
    "workerNode-2": "10.244.1.0/24",
  });
});

test("the last block is that of a master where all are in use", () => {
  const pools = { ssh_cp_name: "masterNode_CP1", cluster_cidr: "10.96.0.0/12" };
  expect(
    blocksOf(routedVnf({ installation: { master_node: { ...pools, pod_cidr: "10.244.4.0/22" } } })),
  ).toEqual({
    "masterNode-1": "10.244.7.0/24",
    "workerNode-1": "10.244.4.0/24",
    "workerNode-2": "10.244.5.0/24",
  });
});

test("nodes let in what pods, and nodes that ask pods, send on any port", () => {
  const { others, masters } = clusterIngress(clusterPlan(routedVnf()));
  const from = (protocols: readonly string[]) =>
    ["members", "10.244.0.0/16"].flatMap((source) => protocols.map((protocol) => `${protocol}-${source}`));
  expect(others.map(ruleName)).toEqual(from(["tcp", "udp", "sctp", "icmp"]));
  // but for etcd's
  expect(masters.map(ruleName)).toEqual([
    "tcp-2379-2380-masters",
    "tcp-6443-members",
    "tcp-6443-198.19.0.0/24",
    ...from(["tcp-1-2378", "tcp-2381-65535", "udp", "sctp", "icmp"]),
  ]);
});

test("without it the CNI brings packets to pods", () => {
  expect(clusterPlan(routedVnf({ installation: { pod_network: undefined } })).podRoutes).toBeUndefined();
});

test.each<[string, Changes, string]>([
  [
    "blocks of another size",
    {
      installation: {
        kubeadm: {
          cluster_configuration: {
            controllerManager: { extraArgs: [{ name: "node-cidr-mask-size", value: "26" }] },
          },
        },
      },
    },
    "pod_network: gives each node a /24 of pod_cidr; remove node-cidr-mask-size from kubeadm.cluster_configuration",
  ],
  [
    "blocks that Kubernetes gives",
    {
      installation: {
        kubeadm: {
          cluster_configuration: {
            controllerManager: { extraArgs: [{ name: "allocate-node-cidrs", value: "true" }] },
          },
        },
      },
    },
    "pod_network: gives each node its block of pod_cidr; remove allocate-node-cidrs from kubeadm.cluster_configuration",
  ],
  [
    "a dual stack",
    {
      installation: {
        master_node: {
          ...{ ssh_cp_name: "masterNode_CP1", pod_cidr: "10.244.0.0/16", cluster_cidr: "10.96.0.0/12" },
          ...{ pod_cidr_ipv6: "fd00:10:244::/56", cluster_cidr_ipv6: "fd00:10:96::/112" },
        },
      },
    },
    "pod_network: is for IPv4 only; remove either it or master_node.pod_cidr_ipv6",
  ],
  [
    "a block of pods without room for one of a node",
    {
      installation: {
        master_node: {
          ...{ ssh_cp_name: "masterNode_CP1", pod_cidr: "10.244.0.0/25", cluster_cidr: "10.96.0.0/12" },
        },
      },
    },
    "master_node.pod_cidr: 10.244.0.0/25 has a size that kubeadm does not accept",
  ],
  [
    "a network without a router",
    { virtualLinks: nodes() },
    "pod_network: the nodes must be on one virtual link with a router, which gets the routes; set for masterNode_CP1 and workerNode_CP2 the same virtualLink",
  ],
  [
    "nodes on two networks",
    { worker: { network: "public" } },
    "pod_network: the nodes must be on one virtual link with a router",
  ],
])("%s is refused", (_, changes, fault) => {
  expect(faultsOf(routedVnf(changes))).toContain(`k8s_cluster_installation_param.${fault}`);
});
