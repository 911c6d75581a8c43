/** The boxes of a stack, as a terminal shows them: what stands on what, and what a run changes. */
import type { Change } from "../../../../automation/changes/changes";
import { subjectOfVnfc, type Subject } from "../../../../automation/changes/subject";
import { intentOf } from "../../../../automation/stack/intent";
import type { StackSettings, Vnfs } from "../../../../automation/stack/stack-config";
import { topologyOf } from "../../../../automation/topology/graph";
import { drawText } from "../../../../automation/topology/text";
import { REPOSITORY } from "../../../support/command";
import { clusterTemplate, templateCluster } from "../../../support/cluster-template";
import { clusterVnf, haClusterVnf, storageVnf, webCnf } from "../../../support/configs";
import { kubeconfig } from "../../fixtures";
import { inRepository } from "../in-repository";

beforeAll(() => process.chdir(REPOSITORY));

const drawn = (vnfs: object, changes: readonly Change[] = [], others: Partial<StackSettings> = {}) => {
  const intent = intentOf(inRepository({ vnfs: vnfs as Vnfs, ...others }));
  return drawText(
    topologyOf(
      [...intent.values()].map(({ plan }) => plan),
      changes,
      "cloud lab",
    ),
  );
};
const change = (action: Change["action"], subject: Subject): Change => {
  return { action, text: "as the preview says", subject, parts: [] };
};
const vnfc = (vnf: string, key: string): Subject => subjectOfVnfc(vnf, key);
const object = (vnf: string, key: string): Subject => ({ vnf, kind: "object", key });

it("the topology draws a cluster with its groups of nodes, one line each, and the CNF on it", () => {
  expect(drawn({ "vnf-a": clusterVnf(20), web: webCnf("web") })).toEqual([
    "cloud lab: OpenStack",
    "├─ network public: existing",
    "└─ vnf-a: kubeadm cluster",
    "   ├─ masterNode × 1: master, m1.medium, debian-12-kube-v1.33.0, on public",
    "   ├─ workerNode × 20: worker, m1.small, debian-12-kube-v1.33.0, on public",
    "   └─ web: CNF, namespace web, 4 objects",
    "      └─ web × 2: Deployment web/web",
  ]);
});

it("the topology draws each cloud with its networks and instances", () => {
  const vnfs = {
    "vnf-a": clusterVnf(1),
    "vnf-b": { ...clusterVnf(1), cloud: "edge" },
    web: { ...webCnf("web"), vim: "vnf-b" },
  };
  expect(drawn(vnfs).map((line) => line.replace(/,.*/, ""))).toEqual([
    "cloud lab: OpenStack",
    "├─ network public: existing",
    "└─ vnf-a: kubeadm cluster",
    "   ├─ masterNode × 1: master",
    "   └─ workerNode × 1: worker",
    "cloud edge: OpenStack",
    "├─ network public: existing",
    "└─ vnf-b: kubeadm cluster",
    "   ├─ masterNode × 1: master",
    "   ├─ workerNode × 1: worker",
    "   └─ web: CNF",
    "      └─ web × 2: Deployment web/web",
  ]);
});

it("the topology marks what changes where it changes, each once", () => {
  const created = Array.from({ length: 5 }, (_, i) => change("create", vnfc("vnf-a", `workerNode-${i + 2}`)));
  const changes = [
    change("update", vnfc("vnf-a", "masterNode-1")),
    change("update", vnfc("vnf-a", "masterNode-1")),
    change("replace", vnfc("vnf-a", "workerNode-1")),
    ...created,
    change("update", { vnf: "vnf-a", kind: "securityGroup", key: "workers" }),
    change("create", { vnf: "web", kind: "command", key: "deployment-ready" }),
    change("create", object("web", "ConfigMap web/page")),
    change("update", object("web", "Deployment web/web")),
    change("delete", object("old", "Deployment old/old")),
    change("discard", object("old", "Service old/old")),
    change("update", { kind: "resource", key: "key of all" }),
  ];
  expect(drawn({ "vnf-a": clusterVnf(6), web: webCnf("web") }, changes)).toEqual([
    "cloud lab: OpenStack",
    "├─ network public: existing",
    "└─ vnf-a: kubeadm cluster",
    "   │  changed: security group workers",
    "   ├─ masterNode × 1: master, m1.medium, debian-12-kube-v1.33.0, on public",
    "   │     changed: masterNode-1",
    "   ├─ workerNode × 6: worker, m1.small, debian-12-kube-v1.33.0, on public",
    "   │     added: workerNode-2, workerNode-3, workerNode-4 and 2 more",
    "   │     replaced: workerNode-1",
    "   └─ web: CNF, namespace web, 4 objects",
    "      │  added: ConfigMap web/page, deployment-ready",
    "      └─ web × 2: Deployment web/web",
    "            changed: Deployment web/web",
    "old: no longer in the stack config",
    "   deleted: Deployment old/old, Service old/old",
    "besides, changed: key of all",
  ]);
});

it("the topology keeps a group of which the last server goes", () => {
  const gone = [change("delete", vnfc("vnf-a", "balancer-1"))];
  expect(drawn({ "vnf-a": clusterVnf(1) }, gone)).toEqual(
    expect.arrayContaining(["   └─ balancer × 0", "         deleted: balancer-1"]),
  );
});

it("the topology says where the API is, which group is the storage server, and what a network leads to", () => {
  const network = { virtualLink: "nodes", floatingNetwork: "public" };
  const vnfs = {
    ha: haClusterVnf(3, 2, {
      extVirtualLinks: { masterNode_CP1: network, workerNode_CP2: network },
      virtualLinks: { nodes: { subnets: [{ cidr: "10.0.0.0/24" }], router: { externalNetwork: "public" } } },
    }),
    stored: storageVnf(),
  };
  const changes = [change("create", { vnf: "ha", kind: "network", key: "nodes" })];
  expect(drawn(vnfs, changes)).toEqual([
    "cloud lab: OpenStack",
    "├─ network public: existing",
    "├─ network ha/nodes: 10.0.0.0/24, router to public",
    "│     added: network nodes",
    "├─ ha: kubeadm cluster, API by HAProxy on the masters",
    "│  ├─ masterNode × 3: master, m1.medium, debian-12-kube-v1.33.0, on ha/nodes",
    "│  └─ workerNode × 2: worker, m1.small, debian-12-kube-v1.33.0, on ha/nodes",
    "└─ stored: kubeadm cluster",
    "   ├─ masterNode × 1: master, m1.medium, debian-12-kube-v1.33.0, on public",
    "   ├─ workerNode × 1: worker, m1.small, debian-12-kube-v1.33.0, on public",
    "   └─ storage_server × 1: storage server, m1.small, debian-12-kube-v1.33.0, on public",
  ]);
});

it("the topology draws a cluster by a template on its management cluster, with its network, its groups and its addons", () => {
  const addons = {
    flannel: { repository: "https://charts.example", version: "1.0.0", digest: "0".repeat(64) },
  };
  const nodeGroups = { default: { replicas: 20 }, batch: { autoscaling: { min: 0, max: 8 } } };
  const vnfs = {
    "vnf-a": clusterVnf(1),
    tenant: templateCluster({ vim: "vnf-a", nodeGroups, addons }),
    web: webCnf("web", { vim: "tenant" }),
  };
  expect(drawn(vnfs, [], { clusterTemplates: { kube: clusterTemplate() } })).toEqual([
    "cloud lab: OpenStack",
    "├─ network public: existing",
    "├─ network tenant/nodes: 10.6.0.0/24, router to public",
    "└─ vnf-a: kubeadm cluster",
    "   ├─ masterNode × 1: master, m1.medium, debian-12-kube-v1.33.0, on public",
    "   ├─ workerNode × 1: worker, m1.small, debian-12-kube-v1.33.0, on public",
    "   └─ tenant: workload cluster, Kubernetes v1.33.0, namespace tenant, 15 objects",
    "      ├─ controlPlane × 1: KubeadmControlPlane tenant/tenant, on tenant/nodes",
    "      ├─ default × 20: MachineDeployment tenant/tenant-default, on tenant/nodes",
    "      ├─ batch: MachineDeployment tenant/tenant-batch, on tenant/nodes",
    "      ├─ web: CNF, namespace web, 4 objects",
    "      │  └─ web × 2: Deployment web/web",
    "      └─ tenant-flannel: CNF, namespace kube-system, release flannel",
  ]);
});

it("the topology draws clusters that are not of this stack, without a word of their kubeconfigs", () => {
  const vnfs = {
    here: webCnf("here", { vim: { kubeconfig: kubeconfig("site") } }),
    there: webCnf("there", { vim: { stack: "site-1", vim_name: "kubernetes_vim_vnf-a" } }),
  };
  const lines = drawn(vnfs);
  expect(lines).toEqual([
    "cluster at 192.0.2.1:6443: Kubernetes, not part of this stack",
    "└─ here: CNF, namespace here, 4 objects",
    "   └─ web × 2: Deployment here/web",
    "kubernetes_vim_vnf-a of stack site-1: Kubernetes, not part of this stack",
    "└─ there: CNF, namespace there, 4 objects",
    "   └─ web × 2: Deployment there/web",
  ]);
});
