import { ApiError, type KubeApi } from "../../../../components/kube/client/kube-api";

const CORE = "cluster.x-k8s.io/v1beta2";
const INFRASTRUCTURE = "infrastructure.cluster.x-k8s.io/v1beta1";

const meta = (name: string, more: object = {}) => ({
  metadata: {
    name,
    namespace: "tenant",
    uid: `uid of ${name}`,
    resourceVersion: "7",
    generation: 2,
    ...more,
  },
});
const ref = (group: string, kind: string, name: string) => ({ apiGroup: group, kind, name });

/** Returns an entry of `metadata.managedFields`. */
const entry = (manager: string, fieldsV1: object, subresource?: string) => ({
  ...{ manager, operation: "Update", fieldsType: "FieldsV1", fieldsV1 },
  ...(subresource && { subresource }),
});

/** A Cluster that was created by `kubectl create`; its controllers have set the endpoint. */
export const CLUSTER = {
  apiVersion: CORE,
  kind: "Cluster",
  ...meta("tenant", {
    finalizers: ["cluster.cluster.x-k8s.io"],
    managedFields: [
      entry("kubectl-create", {
        "f:spec": { ".": {}, "f:controlPlaneRef": {}, "f:infrastructureRef": {}, "f:clusterNetwork": {} },
      }),
      entry("manager", {
        "f:metadata": { "f:finalizers": { ".": {}, 'v:"cluster.cluster.x-k8s.io"': {} } },
        "f:spec": { "f:controlPlaneEndpoint": { "f:host": {}, "f:port": {} } },
      }),
      entry("manager", { "f:status": { "f:phase": {} } }, "status"),
    ],
  }),
  spec: {
    clusterNetwork: { serviceDomain: "cluster.local" },
    controlPlaneEndpoint: { host: "198.19.0.7", port: 6443 },
    controlPlaneRef: ref("controlplane.cluster.x-k8s.io", "KubeadmControlPlane", "tenant"),
    infrastructureRef: ref("infrastructure.cluster.x-k8s.io", "OpenStackCluster", "tenant"),
  },
  status: { phase: "Provisioned" },
};

const OBJECTS: Readonly<Record<string, object>> = {
  [`/apis/${CORE}/namespaces/tenant/clusters/tenant`]: CLUSTER,
  [`/apis/${INFRASTRUCTURE}/namespaces/tenant/openstackclusters/tenant`]: {
    ...{ apiVersion: INFRASTRUCTURE, kind: "OpenStackCluster", ...meta("tenant") },
    spec: { identityRef: { name: "clouds", cloudName: "lab" } },
  },
  "/apis/controlplane.cluster.x-k8s.io/v1beta2/namespaces/tenant/kubeadmcontrolplanes/tenant": {
    ...{
      apiVersion: "controlplane.cluster.x-k8s.io/v1beta2",
      kind: "KubeadmControlPlane",
      ...meta("tenant"),
    },
    spec: {
      replicas: 1,
      version: "v1.33.0",
      machineTemplate: {
        spec: {
          infrastructureRef: ref("infrastructure.cluster.x-k8s.io", "OpenStackMachineTemplate", "masters"),
        },
      },
      kubeadmConfigSpec: { files: [{ path: "/a", contentFrom: { secret: { name: "files", key: "a" } } }] },
    },
  },
  [`/apis/${INFRASTRUCTURE}/namespaces/tenant/openstackmachinetemplates/masters`]: {
    ...{ apiVersion: INFRASTRUCTURE, kind: "OpenStackMachineTemplate", ...meta("masters") },
    spec: { template: { spec: { flavor: "m1.small" } } },
  },
  [`/apis/${CORE}/namespaces/tenant/machinedeployments`]: {
    items: [
      { ...meta("workers"), spec: { clusterName: "tenant" } },
      { ...meta("others"), spec: { clusterName: "other" } },
    ],
  },
  [`/apis/${CORE}/namespaces/tenant/machinedeployments/workers`]: {
    ...{ apiVersion: CORE, kind: "MachineDeployment", ...meta("workers") },
    spec: {
      clusterName: "tenant",
      replicas: 2,
      template: {
        spec: {
          infrastructureRef: ref("infrastructure.cluster.x-k8s.io", "OpenStackMachineTemplate", "masters"),
        },
      },
    },
  },
};

const resources = (...kinds: (readonly [kind: string, plural: string])[]) => ({
  resources: [
    ...kinds.map(([kind, name]) => ({ kind, name, namespaced: true })),
    ...kinds.map(([kind, name]) => ({ kind, name: `${name}/status`, namespaced: true })),
  ],
});
const group = (name: string, groupVersion: string) => ({ name, preferredVersion: { groupVersion } });

const DISCOVERY: Readonly<Record<string, object>> = {
  "/apis": {
    groups: [
      group("cluster.x-k8s.io", CORE),
      group("controlplane.cluster.x-k8s.io", "controlplane.cluster.x-k8s.io/v1beta2"),
      group("infrastructure.cluster.x-k8s.io", INFRASTRUCTURE),
      group("one.example", "one.example/v1"),
      group("other.example", "other.example/v1"),
    ],
  },
  "/api/v1": resources(["Secret", "secrets"], ["Service", "services"]),
  [`/apis/${CORE}`]: resources(["Cluster", "clusters"], ["MachineDeployment", "machinedeployments"]),
  "/apis/controlplane.cluster.x-k8s.io/v1beta2": resources(["KubeadmControlPlane", "kubeadmcontrolplanes"]),
  [`/apis/${INFRASTRUCTURE}`]: resources(
    ["OpenStackCluster", "openstackclusters"],
    ["OpenStackMachineTemplate", "openstackmachinetemplates"],
  ),
  "/apis/one.example/v1": resources(["Gateway", "gateways"]),
  "/apis/other.example/v1": resources(["Service", "services"], ["Gateway", "gateways"]),
};

/** API of a management cluster with one workload cluster that vnfm did not create. */
export const API: Pick<KubeApi, "get"> = {
  get: (path: string) => {
    const found = DISCOVERY[path] ?? OBJECTS[path];
    return found === undefined
      ? Promise.reject(new ApiError(404, `${path} not found`))
      : Promise.resolve(found as Record<string, unknown>);
  },
};
