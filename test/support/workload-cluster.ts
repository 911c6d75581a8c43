import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { REPOSITORY } from "./command";
import { labChart, releaseCnf } from "./management-cluster";

const NODE_REGISTRATION = {
  name: "{{ local_hostname }}",
  criSocket: "unix:///run/containerd/containerd.sock",
  imagePullPolicy: "IfNotPresent",
  // without a cloud controller manager, the kubelet itself sets the provider ID
  kubeletExtraArgs: [{ name: "provider-id", value: "openstack:///'{{ instance_id }}'" }],
};
const BEFORE_KUBEADM = ["sysctl -w net.ipv4.ip_forward=1"];

export interface WorkloadClusterOptions {
  readonly workers: number;
  /** Text of a clouds.yaml with the cluster's project as the cloud `lab`. */
  readonly clouds: string;
}

const GROUPS = {
  core: "cluster.x-k8s.io/v1beta2",
  bootstrap: "bootstrap.cluster.x-k8s.io/v1beta2",
  controlPlane: "controlplane.cluster.x-k8s.io/v1beta2",
  infrastructure: "infrastructure.cluster.x-k8s.io/v1beta1",
} as const;

/** Returns the Cluster API objects of a cluster `tenant` behind an Octavia load balancer. */
export function clusterObjects({ workers, clouds }: WorkloadClusterOptions): object[] {
  const name = "tenant";
  const object = (group: keyof typeof GROUPS, kind: string, name: string, spec: object) => ({
    apiVersion: GROUPS[group],
    kind,
    metadata: { name: name },
    spec,
  });
  const ref = (group: keyof typeof GROUPS, kind: string, name: string) => ({
    apiGroup: GROUPS[group].split("/")[0],
    kind,
    name: name,
  });
  const machine = {
    template: { spec: { flavor: "m1.small", image: { filter: { name: "debian-12-kube-v1.33.0" } } } },
  };
  const joining = { joinConfiguration: { nodeRegistration: NODE_REGISTRATION } };
  return [
    { apiVersion: "v1", kind: "Secret", metadata: { name: "clouds" }, stringData: { "clouds.yaml": clouds } },
    object("core", "Cluster", name, {
      clusterNetwork: {
        pods: { cidrBlocks: ["10.245.0.0/16"] },
        services: { cidrBlocks: ["10.97.0.0/16"] },
        serviceDomain: "cluster.local",
      },
      controlPlaneRef: ref("controlPlane", "KubeadmControlPlane", name),
      infrastructureRef: ref("infrastructure", "OpenStackCluster", name),
    }),
    object("infrastructure", "OpenStackCluster", name, {
      identityRef: { name: "clouds", cloudName: "lab" },
      externalNetwork: { filter: { name: "public" } },
      managedSubnets: [{ cidr: "10.7.0.0/24", dnsNameservers: ["198.19.0.1"] }],
      managedSecurityGroups: { allowAllInClusterTraffic: true },
      apiServerLoadBalancer: { enabled: true, provider: "ovn" },
    }),
    object("infrastructure", "OpenStackMachineTemplate", `${name}-control-plane`, machine),
    object("infrastructure", "OpenStackMachineTemplate", `${name}-workers`, machine),
    object("controlPlane", "KubeadmControlPlane", name, {
      replicas: 1,
      version: "v1.33.0",
      machineTemplate: {
        spec: {
          infrastructureRef: ref("infrastructure", "OpenStackMachineTemplate", `${name}-control-plane`),
        },
      },
      kubeadmConfigSpec: {
        initConfiguration: { nodeRegistration: NODE_REGISTRATION },
        ...joining,
        preKubeadmCommands: BEFORE_KUBEADM,
      },
    }),
    object("bootstrap", "KubeadmConfigTemplate", `${name}-workers`, {
      template: { spec: { ...joining, preKubeadmCommands: BEFORE_KUBEADM } },
    }),
    object("core", "MachineDeployment", `${name}-workers`, {
      clusterName: name,
      replicas: workers,
      selector: { matchLabels: {} },
      template: {
        spec: {
          clusterName: name,
          version: "v1.33.0",
          bootstrap: { configRef: ref("bootstrap", "KubeadmConfigTemplate", `${name}-workers`) },
          infrastructureRef: ref("infrastructure", "OpenStackMachineTemplate", `${name}-workers`),
        },
      },
    }),
  ];
}

/**
 * Returns a CNF on vnf-a with the workload cluster `tenant`, by vnfm's package, with one control-plane machine.
 * @param variables variables of the manifests, which replace the lab's
 */
export function workloadCnf(
  { workers, clouds, externalNetwork }: WorkloadClusterOptions & { readonly externalNetwork: string },
  variables: object = {},
): object {
  const name = "tenant";
  return {
    package: "vnf-packages/workload-cluster",
    vim: "vnf-a",
    scale: { worker_instance: workers },
    readyTimeout: "20m",
    additionalParams: {
      namespace: name,
      "lcm-kubernetes-def-files": ["cluster", "control-plane", "credential", "workers"].map(
        (file) => `Files/kubernetes/${file}.yaml`,
      ),
      variables: {
        CLUSTER_NAME: name,
        KUBERNETES_VERSION: "v1.33.0",
        OPENSTACK_CLOUD: "lab",
        OPENSTACK_CLOUD_YAML_B64: Buffer.from(clouds).toString("base64"),
        OPENSTACK_CONTROL_PLANE_MACHINE_FLAVOR: "m1.small",
        OPENSTACK_DNS_NAMESERVERS: "198.19.0.1",
        OPENSTACK_EXTERNAL_NETWORK_ID: externalNetwork,
        OPENSTACK_IMAGE_NAME: "debian-12-kube-v1.33.0",
        OPENSTACK_LOAD_BALANCER_PROVIDER: "ovn",
        OPENSTACK_NODE_MACHINE_FLAVOR: "m1.small",
        ...variables,
      },
      vdu_mapping: {
        controlPlane: { kind: "KubeadmControlPlane", name: `${name}-control-plane` },
        worker: { kind: "MachineDeployment", name: `${name}-workers` },
      },
    },
  };
}

/** Returns a CNF that installs flannel, by its chart, on a workload cluster of the package. */
export async function flannelCnf(vim: string): Promise<object> {
  const cnf = releaseCnf("kube-flannel", await labChart("flannel"), { podCidr: "10.244.0.0/16" }, vim);
  return { ...cnf, readyTimeout: "20m" };
}

/** Reads flannel's manifest for the cluster of `clusterObjects`. Its pods reach the API through the Service. */
export function flannelObjects(): object[] {
  const path = "vnf-packages/kubernetes-cluster/Files/kubernetes/flannel.yaml";
  const text = readFileSync(join(REPOSITORY, path), "utf8").replaceAll("${POD_CIDR}", "10.245.0.0/16");
  return text
    .replaceAll("${FLANNEL_BACKEND}", "vxlan")
    .replaceAll("${API_HOST}", "10.97.0.1")
    .replaceAll("${API_PORT}", "443")
    .split(/^---$/m)
    .map((document) => parse(document) as object);
}

/**
 * Returns a CNF with these objects, and writes its package next to the stack. VDUs do not scale: replicas come from the
 * manifests.
 *
 * @param folder folder of the stack
 * @param name name of the package
 * @param params further `additionalParams`
 */
export function objectsCnf(
  folder: string,
  name: string,
  vim: string | object,
  objects: readonly object[],
  params: object = {},
): object {
  const location = join(folder, name);
  cpSync(join(REPOSITORY, "vnf-packages/web-cnf"), location, { recursive: true });
  writeFileSync(
    join(location, "Files/kubernetes/all.yaml"),
    objects.map((it) => stringify(it)).join("---\n"),
  );
  return {
    package: name,
    vim,
    additionalParams: {
      "lcm-kubernetes-def-files": ["Files/kubernetes/all.yaml"],
      vdu_mapping: { web: "none" },
      ...params,
    },
  };
}
