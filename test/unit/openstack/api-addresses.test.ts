import { textOf } from "../../../components/base/findings";
import { typed, type CloudAnswer } from "../../../components/openstack/answers";
import { addressFindings } from "../../../components/preflight/api-addresses";
import { plannedCluster } from "../plan/planned-cluster";
import { stubCloud } from "./stub-cloud";

const FIP = "198.51.100.9";
const AT = "vnfm:vnfs.tenant.apiServer";

const findings = async (
  apiServer: object,
  answers: Readonly<Record<string, object>>,
  network: object = {},
) => {
  const { plan } = plannedCluster({ apiServer }, { network: { externalNetwork: "public", ...network } });
  // as a session gives them: without what is null
  const cloud = stubCloud((path) => answers[path] && typed(answers[path] as CloudAnswer));
  return (await addressFindings(plan, { ...cloud, projectId: "p1" })).map(textOf);
};

const NETWORKS = {
  "/v2.0/networks": {
    networks: [
      { id: "n1", name: "public" },
      { id: "n2", name: "nodes" },
    ],
  },
};

const floating = (changes: object) => ({
  ...NETWORKS,
  [`/v2.0/floatingips?floating_ip_address=${FIP}`]: {
    floatingips: [
      {
        ...{ floating_ip_address: FIP, floating_network_id: "n1", project_id: "p1", port_id: null },
        ...changes,
      },
    ],
  },
});

const MISSING = `${AT}.floatingIp: ${FIP} is not a floating IP of the project; create it with \`openstack floating ip create public\` and set its address, or remove the setting, and one is created`;
const IN_USE = `${AT}.floatingIp: ${FIP} is in use by the port q1; use a free one`;
const balancer = (name: string) => ({
  ...floating({ port_id: "q1" }),
  "/v2/lbaas/loadbalancers?vip_port_id=q1": { loadbalancers: [{ name }] },
});

test.each<[string, Record<string, object>, string[]]>([
  ["free", floating({}), []],
  ["unknown, of a cloud that does not tell", NETWORKS, []],
  ["missing", { [`/v2.0/floatingips?floating_ip_address=${FIP}`]: { floatingips: [] } }, [MISSING]],
  ["of another project", floating({ project_id: "p2" }), [MISSING]],
  [
    "of another network",
    floating({ floating_network_id: "n2" }),
    [
      `${AT}.floatingIp: ${FIP} is of another network than network.externalNetwork, "public"; use one of that`,
    ],
  ],
  ["in use", floating({ port_id: "q1" }), [IN_USE]],
  ["in use by a balancer of others", balancer("k8s-clusterapi-cluster-other-other-kubeapi"), [IN_USE]],
  [
    "that of the balancer that a run before has made",
    balancer("k8s-clusterapi-cluster-tenant-tenant-kubeapi"),
    [],
  ],
])("a floating IP that is %s", async (_, answers, expected) => {
  expect(await findings({ floatingIp: FIP }, answers)).toEqual(expected);
});

const subnets = (ports: readonly object[], ip = "10.0.0.5") => ({
  ...NETWORKS,
  "/v2.0/subnets": {
    subnets: [
      { id: "s1", name: "a", network_id: "n2", cidr: "10.0.0.0/24", gateway_ip: "10.0.0.1" },
      { id: "s2", name: "b", network_id: "n2", cidr: "10.1.0.0/24" },
    ],
  },
  [`/v2.0/ports?network_id=n2&fixed_ips=ip_address%3D${ip}`]: { ports },
});
const OF_NODES = { network: "nodes", subnet: "a" };

test.each<[string, string, Record<string, object>, string[]]>([
  ["free", "10.0.0.5", subnets([]), []],
  [
    "of another subnet than that of the machines",
    "10.1.0.5",
    subnets([]),
    [
      `${AT}.fixedIp: 10.1.0.5 is in no subnet of the machines, in the network "nodes": 10.0.0.0/24; use an address of these`,
    ],
  ],
  [
    "the gateway",
    "10.0.0.1",
    subnets([]),
    [`${AT}.fixedIp: 10.0.0.1 is the gateway of the network "nodes"; use another address`],
  ],
  [
    "taken",
    "10.0.0.5",
    subnets([{ id: "q1" }]),
    [`${AT}.fixedIp: 10.0.0.5 is used by the port q1; use a free address`],
  ],
  [
    "that of a machine that a run before has made",
    "10.0.0.5",
    { ...subnets([{ id: "q1" }]), "/v2.0/ports/q1": { port: { name: "tenant-control-plane-abc-0" } } },
    [],
  ],
])("a fixed address that is %s", async (_, fixedIp, answers, expected) => {
  expect(await findings({ fixedIp }, answers, OF_NODES)).toEqual(expected);
});

test("the address of a balancer of the operator's own may be in use", () => {
  const own = {
    loadBalancer: false,
    floatingIp: false,
    fixedIp: "10.0.0.5",
    loadBalancerProvider: undefined,
  };
  const network = { externalNetwork: "public" };
  const { plan } = plannedCluster({ network: OF_NODES }, { network, apiServer: { ...own } });
  expect(plan.addresses).toEqual({ externalNetwork: "public", ...OF_NODES });
});
