import { planOf } from "../../support/planned";
import { clusterOf, type InstancePlan } from "../../../components/plan/model";
import { SettingsFault } from "../../../components/base/settings-fault";
import { Secret } from "../../../components/base/secret";
import { clusterVnf, haClusterVnf, kubeadmCluster } from "../../support/configs";

const K = "vnfm:vnfs.vnf-a.additionalParams.k8s_cluster_installation_param";
const HOST_KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ7Yp1Zb0Qd0Xw8m1oXnqk5sWn0aT0q3m5o0mJc5d1xY";
const KEY = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaA==\n-----END OPENSSH PRIVATE KEY-----\n";

const ROUTER: string | object = { externalNetwork: "public" };

/** On a network that is made. @param floating of masters, and of workers */
function onMadeNetwork(
  jumpHost: object | undefined,
  { masters = true, workers = false, router = ROUTER } = {},
): object {
  const point = (floating: boolean) => ({
    virtualLink: "nodes",
    ...(floating && { floatingNetwork: "public" }),
  });
  return {
    ...clusterVnf(2, jumpHost && { jump_host: jumpHost }),
    virtualLinks: { nodes: { subnets: [{ cidr: "10.30.0.0/24" }], router } },
    extVirtualLinks: { masterNode_CP1: point(masters), workerNode_CP2: point(workers) },
  };
}

function plan(vnf: object): { readonly plan?: InstancePlan; readonly faults: readonly string[] } {
  try {
    const [made] = planOf({ "vnf-a": vnf });
    return { ...(made && { plan: made }), faults: [] };
  } catch (error) {
    if (!(error instanceof SettingsFault)) throw error;
    return { faults: error.faults };
  }
}

const jumpHostOf = (vnf: object) => {
  const { plan: made, faults } = plan(vnf);
  expect(faults).toEqual([]);
  return made && clusterOf(made)?.jumpHost;
};

it("is a server of the cluster with the login of its kind, or a host with one of its own", () => {
  const login = { username: "debian", password: undefined, privateKey: undefined };
  expect(jumpHostOf(clusterVnf(2))).toBeUndefined();
  expect(jumpHostOf(onMadeNetwork({ vnfc: "workerNode-2" }, { workers: true }))).toEqual({
    kind: "vnfc",
    vnfc: "workerNode-2",
    sshConnectionPoint: "workerNode_CP2",
    login,
  });
  expect(jumpHostOf(onMadeNetwork({ host: "jump.example", host_key: HOST_KEY }))).toEqual({
    ...{ kind: "host", host: "jump.example", port: 22, hostKey: HOST_KEY },
    login,
  });
  const own = { port: 2222, username: "ops", private_key: KEY };
  expect(jumpHostOf(onMadeNetwork({ host: "203.0.113.9", host_key: HOST_KEY, ...own }))).toEqual({
    ...{ kind: "host", host: "203.0.113.9", port: 2222, hostKey: HOST_KEY },
    login: { username: "ops", password: undefined, privateKey: new Secret(KEY) },
  });
});

it("is one of the load balancers too, where they have servers of their own", () => {
  const extVirtualLinks = Object.fromEntries(
    ["masterNode_CP1", "workerNode_CP2", "loadBalancer_CP3"].map((point) => [point, { network: "n" }]),
  );
  const additionalParams = kubeadmCluster({ jump_host: { vnfc: "loadBalancer-2" } });
  expect(
    jumpHostOf(haClusterVnf(3, 1, { flavour: "ha-external-lb", extVirtualLinks, additionalParams })),
  ).toMatchObject({ vnfc: "loadBalancer-2", sshConnectionPoint: "loadBalancer_CP3" });
});

it.each<[string, object, readonly string[]]>([
  [
    "a server that the cluster has not",
    onMadeNetwork({ vnfc: "masterNode-2" }),
    [
      `${K}.jump_host.vnfc: "masterNode-2" is not a control-plane node, worker or HAProxy server of the cluster; one of masterNode-1, workerNode-1, workerNode-2`,
    ],
  ],
  [
    "servers that nothing leads to",
    onMadeNetwork(undefined),
    [
      `${K}: SSH cannot reach workerNode_CP2: virtual link nodes is created by this stack and cannot be reached from this machine; set floating IPs for its servers by extVirtualLinks.workerNode_CP2.floatingNetwork, or a jump_host for the cluster`,
    ],
  ],
  [
    "a jump host that has no floating IP itself",
    onMadeNetwork({ vnfc: "workerNode-1" }),
    [
      `${K}.jump_host.vnfc: SSH cannot reach workerNode-1 at workerNode_CP2: virtual link nodes is created by this stack and cannot be reached from this machine; set a floating IP for it by extVirtualLinks.workerNode_CP2.floatingNetwork`,
    ],
  ],
  [
    "two credentials of a host",
    onMadeNetwork({ host: "jump.example", host_key: HOST_KEY, password: "p", private_key: KEY }),
    [`${K}.jump_host: set password or private_key, not both`],
  ],
  [
    "both a server and a host",
    onMadeNetwork({ vnfc: "masterNode-1", host: "jump.example", host_key: HOST_KEY }),
    [`${K}.jump_host: must be an object with vnfc, or with host and host_key`],
  ],
  [
    "a host without its key",
    onMadeNetwork({ host: "jump.example" }),
    [`${K}.jump_host: must be an object with vnfc, or with host and host_key`],
  ],
])("refuses %s", (_, vnf, faults) => {
  expect(plan(vnf).faults).toEqual(faults);
});

it("needs none where all servers have floating IPs, or a router of the cloud's own may lead to them", () => {
  expect(jumpHostOf(onMadeNetwork(undefined, { workers: true }))).toBeUndefined();
  expect(jumpHostOf(onMadeNetwork(undefined, { router: "edge" }))).toBeUndefined();
});

it("warns of an API that is reached on the network of the nodes alone", () => {
  const warnings = (masters: boolean) =>
    plan(onMadeNetwork({ host: "jump.example", host_key: HOST_KEY }, { masters })).plan?.warnings;
  expect(warnings(true)).toEqual([]);
  expect(warnings(false)).toEqual([
    `${K}: the Kubernetes API can be reached only on virtual link nodes, so neither CNFs of this stack nor its kubeconfig can reach it from this machine; set a floating IP by extVirtualLinks.masterNode_CP1.floatingNetwork`,
  ]);
});
