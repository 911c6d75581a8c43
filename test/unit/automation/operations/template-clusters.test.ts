/** The operations of `vnfm` on clusters by a template: the edits of the stack config, and what may go for them. */
import type { Subject } from "../../../../automation/changes/subject";
import { planHeal } from "../../../../automation/operations/heal";
import { planRotate } from "../../../../automation/operations/rotate";
import { planScale } from "../../../../automation/operations/scale";
import type { StackSettings, Vnfs } from "../../../../automation/stack/stack-config";
import { planTemplate, planTemplates } from "../../../../automation/operations/upgrade-template";
import { REPOSITORY } from "../../../support/command";
import { clusterTemplate, templateCluster } from "../../../support/cluster-template";
import { clusterVnf } from "../../../support/configs";
import { inRepository } from "../in-repository";
import { objectSubject } from "../subjects";

beforeAll(() => process.chdir(REPOSITORY));

const TOKEN = "2026-11-21T10:00:00.000Z";
const addon = { repository: "https://charts.example", version: "1.0.0", digest: "0".repeat(64) };

const settings = (cluster: object = {}): StackSettings =>
  inRepository({
    vnfs: {
      "vnf-a": clusterVnf(1),
      tenant: templateCluster({ vim: "vnf-a", ...cluster }),
    } as unknown as Vnfs,
    clusterTemplates: {
      kube: { ...clusterTemplate(), addons: { flannel: addon, other: addon } },
      next: { ...clusterTemplate(), kubernetesVersion: "v1.34.4", addons: { flannel: addon } },
    },
  });

test("upgrade names another template; templates of machines go for it, and an addon that it has not", () => {
  const { edits, allowance } = planTemplate(settings(), "tenant", "next");
  expect(edits).toEqual([{ vnf: "tenant", path: ["clusterTemplate"], value: "next" }]);
  const name = "tenant-default-0123abcd";
  const subjects = [
    objectSubject("infrastructure.cluster.x-k8s.io/v1beta1", "OpenStackMachineTemplate", name),
    objectSubject("bootstrap.cluster.x-k8s.io/v1beta2", "KubeadmConfigTemplate", name),
    objectSubject("other.example/v1", "KubeadmConfigTemplate", name),
    objectSubject("cluster.x-k8s.io/v1beta2", "MachineDeployment", "tenant-default"),
    objectSubject("cluster.x-k8s.io/v1beta2", "Cluster", "tenant"),
  ];
  expect(subjects.filter((subject) => allowance.mayGo({ subject }))).toEqual(subjects.slice(0, 2));
  expect(allowance.whole).toEqual(["tenant-other"]);
});

test("upgrade goes through several templates in turn, from the one that the cluster has", () => {
  const whats = (...templates: string[]) =>
    planTemplates(settings(), "tenant", templates).map(({ what, edits }) => [what, edits[0]?.value]);
  expect(whats("next", "kube")).toEqual([["template kube", "kube"]]);
  expect(whats("kube", "next")).toEqual([
    ["template kube", "kube"],
    ["template next", "next"],
  ]);
  expect(whats("next")).toEqual([["template next", "next"]]);
});

test("upgrade refuses a template that there is not, and a cluster that is by none", () => {
  expect(() => planTemplate(settings(), "tenant", "nxt")).toThrow(
    'vnfm:vnfs.tenant.clusterTemplate: "nxt" is not a template of vnfm:clusterTemplates; one of kube, next; did you mean "next"?',
  );
  expect(() => planTemplate(settings(), "vnf-a", "next")).toThrow(
    "vnf-a is not a workload cluster from a template: --template cannot be used",
  );
});

test("heal gives a node group, or the control plane, the present time", () => {
  const { edits, allowance } = planHeal(settings(), "tenant", ["default", "controlPlane"], TOKEN);
  expect(edits).toEqual([
    { vnf: "tenant", path: ["heal", "default"], value: TOKEN },
    { vnf: "tenant", path: ["heal", "controlPlane"], value: TOKEN },
  ]);
  const subject = objectSubject("cluster.x-k8s.io/v1beta2", "MachineDeployment", "tenant-default");
  expect(allowance.mayGo({ subject })).toBe(false);
  expect(() => planHeal(settings(), "tenant", ["defualt"], TOKEN)).toThrow(
    'tenant has no VNFC "defualt"; one of all, controlPlane, default; did you mean "default"?',
  );
});

test("rotate makes another credential, and nothing else", () => {
  const { edits, allowance } = planRotate(settings(), "tenant", ["credential"], TOKEN);
  expect(edits).toEqual([{ vnf: "tenant", path: ["credential", "rotate"], value: TOKEN }]);
  const subjects: readonly Subject[] = [
    { vnf: "tenant", kind: "applicationCredential", key: "" },
    { vnf: "tenant", kind: "applicationCredential", key: "1a2b3c4d" },
    { vnf: "tenant", kind: "serverGroup", key: "" },
    { vnf: "tenant", kind: "resource", key: "ApplicationCredentials" },
    { vnf: "tenant", kind: "command", key: "application credential" },
  ];
  expect(subjects.filter((subject) => allowance.mayGo({ subject }))).toEqual(subjects.slice(0, 2));
  expect(() => planRotate(settings(), "tenant", ["ssh_key"], TOKEN)).toThrow(
    '"ssh_key" is not one of credential',
  );
});

test("scale knows the groups that have replicas, not those of cluster-autoscaler", () => {
  const nodeGroups = { default: { replicas: 1 }, batch: { autoscaling: { min: 0, max: 4 } } };
  expect(planScale(settings({ nodeGroups }), "tenant", [{ aspect: "default", by: 2 }]).edits).toEqual([
    { vnf: "tenant", path: ["nodeGroups", "default", "replicas"], value: 3 },
  ]);
  expect(() => planScale(settings({ nodeGroups }), "tenant", [{ aspect: "batch", by: 1 }])).toThrow(
    'tenant has no node group "batch"; one of default',
  );
});
