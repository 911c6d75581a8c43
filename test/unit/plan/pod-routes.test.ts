import { clusterIngress, nameOf } from "../../../components/plan/kubeadm/ingress";
import { clusterOf, withServers, workloads } from "../../../components/plan/model";
import { planStack } from "../../../components/plan/stack";
import { wantedCharts } from "../../../components/plan/wanted-charts";
import { parseSettings } from "../../../components/settings/parse";
import { loadPackage } from "../../../components/vnfd/package";
import { clusterVnf } from "../../support/configs";

const chart = { repository: "https://charts.example", version: "2.34.0", digest: "0".repeat(64) };
const CCM = "openstack-cloud-controller-manager";
const CSI = "openstack-cinder-csi";

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
    cloud_provider: "openstack",
    addons: { [CCM]: chart, [CSI]: chart },
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

test.each<[string, unknown]>([
  ["made", { externalNetwork: "public" }],
  ["there already", "site-router"],
])("the router of the nodes, %s, gets the routes by the cloud controller manager alone", (_, router) => {
  const plans = planned(routedVnf({ virtualLinks: nodes(router) }));
  const addon = (name: string) => workloads(plans).find((plan) => plan.name === `vnf-a-${name}`);
  expect(addon(CCM)?.cloudSecrets).toMatchObject([{ podRoutes: { virtualLink: "nodes" } }]);
  expect(addon(CSI)?.cloudSecrets?.[0]).not.toHaveProperty("podRoutes");
  expect(addon(CCM)?.cnf.releases[0]?.values["controllerExtraArgs"]).toBe(
    "- --configure-cloud-routes=true\n- --allocate-node-cidrs=true\n- --cluster-cidr=10.244.0.0/16",
  );
});

test("the chart is wanted with the values that the plan has", () => {
  const vnf = routedVnf();
  const wanted = wantedCharts(settingsOf(vnf), { loadPackage }).find(
    ({ instance }) => instance === `vnf-a-${CCM}`,
  );
  const release = workloads(planned(vnf)).find(({ name }) => name === `vnf-a-${CCM}`)?.cnf.releases[0];
  expect(wanted?.request.values).toEqual(release?.values);
});

test("nodes let in what pods, and nodes that ask pods, send on any port", () => {
  const [plan] = withServers(planned(routedVnf()));
  const cluster = plan && clusterOf(plan);
  const rules = (cluster === undefined ? [] : clusterIngress(cluster)).map(nameOf);
  const protocols = ["tcp", "udp", "sctp", "icmp"];
  expect(rules).toEqual(expect.arrayContaining(protocols.map((protocol) => `${protocol}-10.244.0.0/16`)));
  expect(rules).toEqual(expect.arrayContaining(protocols.map((protocol) => `${protocol}-members`)));
});

test("without it none of that is made", () => {
  const plans = planned(routedVnf({ installation: { pod_network: undefined } }));
  expect(workloads(plans).flatMap(({ cloudSecrets = [] }) => cloudSecrets)).not.toContainEqual(
    expect.objectContaining({ podRoutes: expect.anything() as unknown }),
  );
  expect(workloads(plans)[0]?.cnf.releases[0]?.values).not.toHaveProperty("controllerExtraArgs");
});

test.each<[string, Changes, string]>([
  [
    "a cluster without cloud provider",
    { installation: { cloud_provider: undefined, addons: undefined } },
    "pod_network: is for a cluster with cloud_provider, whose controller makes the routes; set that to openstack",
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
    "pod_network: is for IPv4 alone; leave out either it or master_node.pod_cidr_ipv6",
  ],
  [
    "a network without a router",
    { virtualLinks: nodes() },
    "pod_network: the nodes have to be on one virtual link with a router, which gets the routes; give masterNode_CP1 and workerNode_CP2 the same virtualLink",
  ],
  [
    "nodes on two networks",
    { worker: { network: "public" } },
    "pod_network: the nodes have to be on one virtual link with a router",
  ],
])("%s is refused", (_, changes, fault) => {
  expect(faultsOf(routedVnf(changes))).toContain(`k8s_cluster_installation_param.${fault}`);
});
