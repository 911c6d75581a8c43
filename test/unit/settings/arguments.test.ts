/** Settings written in TypeScript: of each kind of instance, what it has and what it has not, for the compiler too. */
import type {
  ClusterByTemplate,
  ClusterTemplate,
  ClusterVnf,
  Cnf,
  ManagementCnf,
  ServersVnf,
  WorkloadCluster,
} from "../../../components/settings/arguments";
import type { ClusterSettings, MasterNode, Settings } from "../../../components/settings/model";
import { parseSettings } from "../../../components/settings/parse";
import { Secret } from "../../../components/base/secret";
import { kubeconfig } from "../fixtures";

const cluster: ClusterVnf = {
  package: "vnf-packages/kubernetes-cluster",
  flavour: "simple",
  scale: { worker_instance: 1 },
  extVirtualLinks: { masterNode_CP1: { network: "public" } },
  additionalParams: {
    k8s_cluster_installation_param: {
      master_node: { ssh_cp_name: "masterNode_CP1", password: "s3cret" },
      worker_node: { ssh_cp_name: "workerNode_CP2" },
    },
  },
};
const servers: ServersVnf = { package: "vnf-packages/kubernetes-cluster", keepBootVolumes: true };
const cnf: Cnf = {
  package: "vnf-packages/web-cnf",
  vim: { kubeconfig: kubeconfig("s3cret") },
  additionalParams: { "lcm-kubernetes-def-files": ["a.yaml"], variables: { REPLICAS: 2, TOKEN: "x" } },
};
const management: ManagementCnf = { ...cnf, vim: "vnf-a" };
const template: ClusterTemplate = {
  kubernetesVersion: "v1.33.0",
  image: "debian",
  controlPlane: { flavor: "m1.small" },
  nodeGroup: { flavor: "m1.small" },
  network: { externalNetwork: "public" },
};
const byTemplate: ClusterByTemplate = {
  clusterTemplate: "kube",
  vim: "vnf-a",
  controlPlane: { replicas: 3 },
  nodeGroups: { default: { replicas: 1, taints: [{ key: "gpu", effect: "NoSchedule" }] } },
  addons: { cilium: false },
};

/** What a caller of the program gets of settings that are right. */
function parsed(vnfs: object, templates: object = {}): Settings {
  const { settings } = parseSettings(vnfs, templates);
  expect(settings.faults).toEqual([]);
  return settings;
}

it("are those of the stack config", () => {
  const vnfs = { cluster, servers, cnf, management, tenant: byTemplate };
  const { vnfs: its, clusters } = parsed(vnfs, { kube: template });
  expect(Object.keys({ ...its, ...clusters })).toEqual(Object.keys(vnfs));
});

it("have their defaults after the checks, and secrets wrapped", () => {
  const { vnfs, clusters } = parsed({ cluster, tenant: byTemplate }, { kube: template });
  const { k8s_cluster_installation_param: installation } = vnfs["cluster"]?.additionalParams ?? {};
  const master: MasterNode | undefined = installation?.master_node;
  const login: readonly [string | undefined, Secret | undefined] = [master?.username, master?.password];
  expect(login).toEqual(["debian", new Secret("s3cret")]);
  const timeout: number | undefined = installation?.drain.timeout_seconds;
  expect(timeout).toBe(300);
  const { controlPlane, nodeGroups, addons } = clusters["tenant"] ?? {};
  const unhealthy: string | undefined = controlPlane?.healthCheck.unhealthyTimeout;
  const surge: number | undefined = nodeGroups?.["default"]?.maxSurge;
  const flavor: string | undefined = nodeGroups?.["default"]?.flavor;
  expect([unhealthy, surge, flavor, addons]).toEqual(["5m", 1, "m1.small", {}]);
});

it("are refused by the compiler where a kind does not have them, or needs more", () => {
  // @ts-expect-error a CNF has no servers
  const withImages: Cnf = { ...cnf, images: { web: "debian" } };
  // @ts-expect-error a CNF needs a VIM
  const withoutVim: Cnf = { package: "p", additionalParams: {} };
  // @ts-expect-error a cluster lands on no VIM
  const withVim: ClusterVnf = { ...cluster, vim: "vnf-a" };
  // @ts-expect-error what the servers are is not said
  const bare: ClusterVnf = { package: "p", additionalParams: {} };
  // @ts-expect-error servers alone have nothing to rotate
  const rotated: ServersVnf = { ...servers, rotate: { ssh_key: "1" } };
  // @ts-expect-error etcd has no quorum of two
  const two: ClusterByTemplate = { ...byTemplate, controlPlane: { replicas: 2 } };
  // @ts-expect-error without a template all has to be said
  const whole: WorkloadCluster = { vim: "vnf-a", ...template };
  // @ts-expect-error a secret of the program is no text
  const proxy: NonNullable<ClusterSettings["proxy"]> = { httpProxy: "http://proxy:3128" };
  expect([withImages, withoutVim, withVim, bare, rotated, two, whole, proxy]).toHaveLength(8);
});
