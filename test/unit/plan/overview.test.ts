import type { KubeObject } from "../../../components/kube/objects/object";
import type { InstancePlan } from "../../../components/plan/model";
import { overviewOf } from "../../../components/plan/overview";
import { planStack } from "../../../components/plan/stack";
import type { CnfPlan } from "../../../components/plan/workload/model";
import { Secret } from "../../../components/base/secret";
import type { AdditionalParams, VnfSettings } from "../../../components/settings/model";
import { parseSettings } from "../../../components/settings/parse";
import { loadPackage } from "../../support/packages";
import { storageVnf } from "../../support/configs";
import { planned } from "../cnf/support";
import { clusterFlavour, vdu, vnfPackage } from "../fixtures";
import { plannedCluster } from "./planned-cluster";
import { settingsFault } from "../places";

/** What a policy sees of a CNF of one manifest. */
function ofManifest(yaml: string, variables?: Readonly<Record<string, Secret>>) {
  const additionalParams = { ...(variables && { variables }) };
  const { plan: cnf } = planned(yaml, { params: additionalParams });
  return ofCnf(cnf, additionalParams);
}

function ofCnf(cnf: CnfPlan, additionalParams: AdditionalParams) {
  const workload: InstancePlan = {
    ...{
      kind: "cnf",
      name: "cnf",
      warnings: [],
      on: { kind: "vnf", vnf: "vnf-a" },
      cnf,
      cluster: undefined,
    },
    ...{ readyTimeout: "10m", protectForeignObjects: true, after: [] },
  };
  const { settings } = parseSettings({ cnf: { package: "p" } });
  const [own] = Object.values(settings.vnfs);
  return overviewOf([workload], { cnf: { ...(own as VnfSettings), additionalParams } })["cnf"];
}

test("rules hold against what a package asks for by itself: 500 servers of a flavor that no setting names", () => {
  const flavour = clusterFlavour({
    vdus: { big: vdu("big", { flavor: "m1.enormous", initialInstances: 500, maxInstances: 500 }) },
    connectionPoints: {},
    scalingAspects: {},
    instantiationLevels: {},
  });
  const policy = `plan:
  additionalProperties:
    properties:
      servers: { maximum: 20 }
      vdus: { additionalProperties: { properties: { flavor: { enum: [m1.small] } } } }
`;
  const { settings } = parseSettings({ "vnf-a": { package: "big" } });
  const sources = {
    loadPackage: () => vnfPackage("big", { simple: flavour }),
    readProjectFile: () => policy,
  };
  expect(planStack(settings, sources)).toHaveLength(1);
  expect(() => planStack({ ...settings, policy: "p" }, sources)).toThrow(
    settingsFault(
      "plan.vnf-a.servers: 500 violates the policy: must be <= 20",
      'plan.vnf-a.vdus.big.flavor: "m1.enormous" violates the policy: must be one of m1.small',
    ),
  );
});

test("an overview of servers has counts, flavors, images, networks, rules for others, and the images of the CNI", () => {
  const { settings } = parseSettings({
    "vnf-a": {
      ...storageVnf({
        virtualLinks: {
          nodes: { subnets: [{ cidr: "10.30.0.0/24" }], router: { externalNetwork: "public" } },
        },
        extVirtualLinks: {
          masterNode_CP1: { virtualLink: "nodes", floatingNetwork: "public" },
          workerNode_CP2: { virtualLink: "nodes", floatingNetwork: "public" },
          storage_server_CP: { network: "storage-net" },
        },
      }),
    },
  });
  const cni = `{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: cni, namespace: kube-system},
 spec: {template: {spec: {initContainers: [{image: "site/install:1"}], containers: [{image: "site/cni:1"}]}}}}`;
  const plans = planStack(settings, {
    loadPackage: (location) => {
      const found = loadPackage(location);
      const read = (path: string) =>
        path.endsWith("flannel.yaml") ? Buffer.from(cni) : found.files.read(path);
      return { ...found, files: { ...found.files, has: (path) => found.files.has(path), read } };
    },
    readProjectFile: () => undefined,
  });
  const overview = overviewOf(plans, settings.vnfs)["vnf-a"];
  expect(overview).toMatchObject({
    kind: "kubeadm",
    servers: 3,
    vdus: {
      masterNode: { servers: 1, flavor: "m1.medium", networks: [], floatingNetworks: ["public"] },
      storage_server: { servers: 1, networks: ["storage-net"], floatingNetworks: [] },
    },
    networks: { nodes: { cidrs: ["10.30.0.0/24"], externalNetwork: "public" } },
    pods: { "DaemonSet kube-system/cni": { images: ["site/install:1", "site/cni:1"] } },
  });
  expect(overview?.ingress).toContainEqual({
    ...{ group: "masters", protocol: "tcp", first: 6443, last: 6443, from: "198.19.0.0/24" },
  });
  expect(overview?.ingress.filter(({ group }) => group === "storage").map(({ first }) => first)).toContain(
    2049,
  );
});

test("an overview of objects has images of all containers and volumes, and the most pods of an autoscaler", () => {
  const overview = ofManifest(`
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 2
  template:
    spec:
      initContainers: [{ image: "a:1" }]
      containers: [{ image: "b:1" }, { image: "a:1" }]
      volumes: [{ name: v, image: { reference: "c:1" } }, { name: w, emptyDir: {} }]
---
{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db}, spec: {template: {spec: {containers: [{image: "d:1"}]}}}}
---
{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: h}, spec: {maxReplicas: 900, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}}
---
{apiVersion: batch/v1, kind: CronJob, metadata: {name: c}, spec: {jobTemplate: {spec: {template: {spec: {containers: [{image: "e:1"}]}}}}}}
`);
  expect(overview).toMatchObject({ kind: "cnf", servers: 0, vdus: {}, networks: {}, ingress: [] });
  expect(overview?.pods).toEqual({
    "Deployment default/web": { replicas: 900, images: ["a:1", "b:1", "c:1"] },
    "StatefulSet default/db": { replicas: 1, images: ["d:1"] },
    "CronJob default/c": { replicas: 1, images: ["e:1"] },
  });
});

test("an overview of a cluster from a template has the machines, as many as an autoscaler may create", () => {
  const { plans } = plannedCluster({
    nodeGroups: {
      a: { replicas: 3, image: "other", flavor: "m1.large" },
      b: { autoscaling: { min: 1, max: 8 }, flavor: "m1.large" },
    },
  });
  const machines = (servers: number, image: string, flavor: string) => ({
    ...{ servers, flavor, images: [image], networks: [], floatingNetworks: [] },
  });
  const controlPlane = machines(1, "debian-12-kube-v1.33.0", "m1.medium");
  expect(overviewOf(plans, {})["tenant"]).toMatchObject({
    kind: "template",
    servers: 12,
    vdus: {
      "KubeadmControlPlane tenant/tenant": { ...controlPlane, floatingNetworks: ["public"] },
      "MachineDeployment tenant/tenant-a": machines(3, "other", "m1.large"),
      "MachineDeployment tenant/tenant-b": machines(8, "debian-12-kube-v1.33.0", "m1.large"),
    },
  });
});

test("an overview of a cluster from a template has the bastion and the networks, also those of patches", () => {
  const { plans } = plannedCluster(
    {
      network: { network: "site", bastion: { flavor: "m1.tiny", image: "debian-12" } },
      nodeGroups: { radio: { replicas: 1, additionalPorts: [{ network: "radio" }] } },
      apiServer: { floatingIp: false, fixedIp: "10.0.0.9" },
    },
    {
      network: { externalNetwork: "public" },
      patches: [
        {
          target: { kind: "OpenStackCluster" },
          mergePatch: { spec: { externalNetwork: { filter: { name: "other" } } } },
        },
      ],
    },
  );
  const overview = overviewOf(plans, {})["tenant"];
  expect(overview).toMatchObject({ servers: 3, networks: {} });
  const on = Object.entries(overview?.vdus ?? {}).map(([name, { networks, floatingNetworks }]) => [
    ...[name, networks, floatingNetworks],
  ]);
  expect(on).toEqual([
    ["KubeadmControlPlane tenant/tenant", ["site"], []],
    ["MachineDeployment tenant/tenant-radio", ["site", "radio"], []],
    ["OpenStackCluster tenant/tenant bastion", ["site"], ["other"]],
  ]);
  expect(overview?.vdus["OpenStackCluster tenant/tenant bastion"]).toMatchObject({
    ...{ servers: 1, flavor: "m1.tiny", images: ["debian-12"] },
  });
});

test("an overview of a cluster from a template has the network that is created", () => {
  const { plans } = plannedCluster({ network: { nodeCidr: "10.9.0.0/24" } });
  expect(overviewOf(plans, {})["tenant"]?.networks).toEqual({
    "OpenStackCluster tenant/tenant": { cidrs: ["10.9.0.0/24"], externalNetwork: "public" },
  });
});

test("an overview of manifests of Cluster API has the machines, also in the forms before v1beta2", () => {
  const overview = ofManifest(`
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackMachineTemplate
metadata: { name: m }
spec: { template: { spec: { flavor: m1.enormous, image: { id: 0f5cf2d2-9a0c-4b3e-8a53-5a8f5b0c0d9c } } } }
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta1
kind: KubeadmControlPlane
metadata: { name: cp }
spec: { replicas: 3, machineTemplate: { infrastructureRef: { kind: OpenStackMachineTemplate, name: m } } }
---
apiVersion: cluster.x-k8s.io/v1beta1
kind: MachineDeployment
metadata: { name: md }
spec: { template: { spec: { infrastructureRef: { kind: OpenStackMachineTemplate, name: elsewhere } } } }
`);
  expect(overview?.servers).toBe(4);
  expect(overview?.vdus).toMatchObject({
    "KubeadmControlPlane cp": {
      servers: 3,
      flavor: "m1.enormous",
      images: ["0f5cf2d2-9a0c-4b3e-8a53-5a8f5b0c0d9c"],
    },
    // of one that the manifests do not have
    "MachineDeployment md": { servers: 1, flavor: undefined, images: [] },
  });
});

test("an overview has [secret] for encrypted values, in images of manifests and of charts", () => {
  const pod = (image: string) => ({ spec: { template: { spec: { containers: [{ image }] } } } });
  const manifest = JSON.stringify({
    ...{ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" } },
    ...pod("r.example/${TOKEN}/web:1"),
  });
  const variables = { TOKEN: new Secret("hunter2") };
  expect(ofManifest(manifest, variables)?.pods).toEqual({
    "Deployment default/web": { replicas: 1, images: ["r.example/[secret]/web:1"] },
  });
  const { plan } = planned("{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}");
  const rendered = {
    ...{ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "db", namespace: "default" } },
    ...pod("r.example/hunter2.+/db:1"),
  };
  const release = {
    ...{
      key: "k",
      name: "db",
      namespace: "default",
      chartPath: "c",
      atomic: false,
      hooks: [],
      definitions: [],
    },
    values: { image: { paths: [new Secret("hunter2.+"), new Secret("")] } },
    objects: [{ key: "o", object: rendered, awaited: undefined, random: false }],
  };
  expect(ofCnf({ ...plan, releases: [release] }, {})?.pods).toEqual({
    "Deployment default/db": { replicas: 1, images: ["r.example/[secret]/db:1"] },
  });
});

test("an overview has the pods of hooks of charts, each by a name of its own", () => {
  const { plan } = planned("{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}");
  const job = (image: string): KubeObject => ({
    ...{ apiVersion: "batch/v1", kind: "Job", metadata: { name: "migrate", namespace: "default" } },
    spec: { template: { spec: { containers: [{ image }] } } },
  });
  const release = {
    ...{ key: "k", name: "db", namespace: "default", chartPath: "c", atomic: false, definitions: [] },
    ...{ values: {}, objects: [] },
    hooks: [
      { key: "h", objects: [job("evil.example/a:1"), job("b:1")] as const, isTest: false, random: false },
      { key: "t", objects: [job("evil.example/c:1")] as const, isTest: true, random: false },
    ],
  };
  expect(ofCnf({ ...plan, releases: [release] }, {})?.pods).toEqual({
    "Job default/migrate": { replicas: 1, images: ["evil.example/a:1"] },
    "Job default/migrate (2)": { replicas: 1, images: ["b:1"] },
    "Job default/migrate (3)": { replicas: 1, images: ["evil.example/c:1"] },
  });
});
