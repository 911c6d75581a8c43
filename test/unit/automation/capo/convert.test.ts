/** Cluster templates of CAPO as settings. */
import { stringify } from "yaml";
import { convertManifests } from "../../../../automation/capo";
import { settingsYaml } from "../../../../automation/conversion/yaml";
import { CLOSE_METADATA_SERVICE, METADATA_SERVICE } from "../../../../components/plan/metadata-service";
import { fields, items, type KubeObject } from "../../../../components/kube/objects/object";
import { plannedCluster } from "../../plan/planned-cluster";

const CREDENTIAL = "the cluster gets its own application credential: see `credential`";

const convertedTexts = (environment: Record<string, string>, ...texts: readonly string[]) =>
  convertManifests(
    texts.map((text, i) => ({ path: `${i + 1}.yaml`, text })),
    environment,
  );
const converted = (...objects: readonly object[]) =>
  convertedTexts({}, objects.map((object) => stringify(object)).join("---\n"));

/** Objects of a cluster with its control plane, as clusterctl's template names them. */
function cluster({
  spec = {},
  openStack = {},
  controlPlane = {},
  machine = {},
}: Partial<Record<"spec" | "openStack" | "controlPlane" | "machine", object>> = {}): object[] {
  const object = (
    kind: string,
    name: string,
    its: object,
    group = "infrastructure.cluster.x-k8s.io/v1beta1",
  ) => ({
    ...{ apiVersion: group, kind, metadata: { name }, spec: its },
  });
  return [
    object(
      "Cluster",
      "edge",
      {
        controlPlaneRef: { kind: "KubeadmControlPlane", name: "edge-control-plane" },
        infrastructureRef: { kind: "OpenStackCluster", name: "edge" },
        ...spec,
      },
      "cluster.x-k8s.io/v1beta1",
    ),
    object("OpenStackCluster", "edge", { apiServerLoadBalancer: { enabled: true }, ...openStack }),
    object(
      "KubeadmControlPlane",
      "edge-control-plane",
      {
        machineTemplate: { infrastructureRef: { kind: "OpenStackMachineTemplate", name: "edge-masters" } },
        ...controlPlane,
      },
      "controlplane.cluster.x-k8s.io/v1beta1",
    ),
    object("OpenStackMachineTemplate", "edge-masters", { template: { spec: machine } }),
  ];
}

/** An unrendered template as CAPO's repository has them. */
const TEMPLATE = `
apiVersion: cluster.x-k8s.io/v1beta1
kind: Cluster
metadata:
  name: \${CLUSTER_NAME}
spec:
  clusterNetwork:
    pods: {cidrBlocks: [192.168.0.0/16]}
    serviceDomain: cluster.local
  controlPlaneRef: {apiVersion: controlplane.cluster.x-k8s.io/v1beta1, kind: KubeadmControlPlane, name: "\${CLUSTER_NAME}-cp"}
  infrastructureRef: {apiVersion: infrastructure.cluster.x-k8s.io/v1beta1, kind: OpenStackCluster, name: "\${CLUSTER_NAME}"}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackCluster
metadata:
  name: \${CLUSTER_NAME}
spec:
  externalNetwork: {id: "\${OPENSTACK_EXTERNAL_NETWORK_ID}"}
  identityRef: {cloudName: "\${OPENSTACK_CLOUD}", name: "\${CLUSTER_NAME}-cloud-config"}
  managedSecurityGroups:
    allowAllInClusterTraffic: true
  managedSubnets:
  - cidr: 10.6.0.0/24
    dnsNameservers: ["\${OPENSTACK_DNS_NAMESERVERS:=9.9.9.9}"]
---
apiVersion: controlplane.cluster.x-k8s.io/v1beta1
kind: KubeadmControlPlane
metadata:
  name: \${CLUSTER_NAME}-cp
spec:
  replicas: \${CONTROL_PLANE_MACHINE_COUNT:=1}
  version: \${KUBERNETES_VERSION}
  machineTemplate:
    infrastructureRef: {kind: OpenStackMachineTemplate, name: "\${CLUSTER_NAME}-cp"}
  kubeadmConfigSpec:
    clusterConfiguration:
      controllerManager: {extraArgs: {cloud-provider: external}}
    initConfiguration:
      nodeRegistration:
        name: '{{ local_hostname }}'
        kubeletExtraArgs: {cloud-provider: external, provider-id: "openstack:///'{{ instance_id }}'"}
    files: []
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackMachineTemplate
metadata:
  name: \${CLUSTER_NAME}-cp
spec:
  template:
    spec:
      flavor: \${OPENSTACK_CONTROL_PLANE_MACHINE_FLAVOR}
      image: {filter: {name: "\${OPENSTACK_IMAGE_NAME}"}}
      sshKeyName: \${OPENSTACK_SSH_KEY_NAME}
---
apiVersion: cluster.x-k8s.io/v1beta1
kind: MachineDeployment
metadata:
  name: \${CLUSTER_NAME}-md-0
spec:
  clusterName: \${CLUSTER_NAME}
  replicas: \${WORKER_MACHINE_COUNT}
  selector: {matchLabels: null}
  template:
    spec:
      clusterName: \${CLUSTER_NAME}
      version: \${KUBERNETES_VERSION}
      failureDomain: \${OPENSTACK_FAILURE_DOMAIN}
      bootstrap: {configRef: {kind: KubeadmConfigTemplate, name: "\${CLUSTER_NAME}-md-0"}}
      infrastructureRef: {kind: OpenStackMachineTemplate, name: "\${CLUSTER_NAME}-md-0"}
---
apiVersion: infrastructure.cluster.x-k8s.io/v1beta1
kind: OpenStackMachineTemplate
metadata:
  name: \${CLUSTER_NAME}-md-0
spec:
  template:
    spec:
      flavor: \${OPENSTACK_NODE_MACHINE_FLAVOR}
      image: {filter: {name: "\${OPENSTACK_IMAGE_NAME}"}}
      sshKeyName: \${OPENSTACK_SSH_KEY_NAME}
---
apiVersion: bootstrap.cluster.x-k8s.io/v1beta1
kind: KubeadmConfigTemplate
metadata:
  name: \${CLUSTER_NAME}-md-0
spec:
  template:
    spec:
      joinConfiguration:
        nodeRegistration: {name: '{{ local_hostname }}', kubeletExtraArgs: {cloud-provider: external}}
---
apiVersion: v1
kind: Secret
metadata:
  name: \${CLUSTER_NAME}-cloud-config
data:
  clouds.yaml: \${OPENSTACK_CLOUD_YAML_B64}
`;

it("the conversion takes the values of clusterctl's variables from the environment, and names those without one", () => {
  const environment = {
    CLUSTER_NAME: "edge",
    KUBERNETES_VERSION: "v1.33.1",
    OPENSTACK_CONTROL_PLANE_MACHINE_FLAVOR: "m1.medium",
    OPENSTACK_NODE_MACHINE_FLAVOR: "m1.large",
    OPENSTACK_IMAGE_NAME: "kube-v1.33.1",
    OPENSTACK_EXTERNAL_NETWORK_ID: "public",
    OPENSTACK_SSH_KEY_NAME: "operator",
    OPENSTACK_FAILURE_DOMAIN: "az1",
    OPENSTACK_CLOUD_YAML_B64: "c2VjcmV0",
  };
  expect(settingsYaml(convertedTexts(environment, TEMPLATE))).toBe(`config:
  vnfm:clusterTemplates:
    # OpenStackCluster edge spec.identityRef: ${CREDENTIAL}
    # MachineDeployment edge-md-0 spec.replicas "\${WORKER_MACHINE_COUNT}": is a variable without a value: set it in the environment, or write \`replicas\`
    # Secret edge-cloud-config: Secrets are not read: the cluster gets its own credential and certificates
    edge:
      network:
        podCidr: 192.168.0.0/16
        externalNetwork: public
        nodeCidr: 10.6.0.0/24
        dnsNameservers:
          - 9.9.9.9
      kubernetesVersion: v1.33.1
      image: kube-v1.33.1
      sshKeyName: operator
      controlPlane:
        replicas: 1
        flavor: m1.medium
      apiServer:
        loadBalancer: false
  vnfm:vnfs:
    edge:
      clusterTemplate: edge
      vim: vnf-a # instance name of the cluster that it runs on
      nodeGroups:
        md-0:
          replicas: 1
          flavor: m1.large
          availabilityZone: az1
`);
});

it("the conversion converts a template without any value into what it says itself", () => {
  const { templates, vnfs: clusters } = convertedTexts({}, TEMPLATE);
  expect(templates[0]?.settings).toEqual({
    network: { podCidr: "192.168.0.0/16", nodeCidr: "10.6.0.0/24", dnsNameservers: ["9.9.9.9"] },
    controlPlane: { replicas: 1 },
    apiServer: { loadBalancer: false },
  });
  expect(clusters).toEqual([
    {
      name: "cluster-name",
      settings: { clusterTemplate: "cluster-name", vim: "vnf-a", nodeGroups: { "md-0": { replicas: 1 } } },
      remarks: ['its name in the manifests is "${CLUSTER_NAME}"'],
    },
  ]);
});

/** Files and commands that each machine of this program has are no settings. */
function withoutOwn(object: KubeObject): KubeObject {
  const text = JSON.stringify(object, (key, value: unknown) => {
    if (key === "files") return items(value).filter((file) => fields(file)["path"] !== METADATA_SERVICE.path);
    return key === "preKubeadmCommands"
      ? items(value).filter((one) => one !== CLOSE_METADATA_SERVICE)
      : value;
  });
  return JSON.parse(text) as KubeObject;
}

const TAINT = { key: "gpu", value: "true", effect: "NoSchedule" };

it.each([
  ["a small cluster", {}],
  [
    "a cluster with most settings",
    {
      sshKeyName: "operator",
      controlPlane: {
        replicas: 3,
        availabilityZones: ["az1", "az2"],
        taints: [{ key: "dedicated", effect: "NoSchedule" }],
        etcdVolume: { sizeGiB: 20, type: "ssd" },
        certificatesExpiryDays: 60,
        nodeDrainTimeout: "2h",
        nodeVolumeDetachTimeout: "90s",
      },
      nodeGroups: {
        small: { replicas: 0, flavor: "m1.tiny" },
        gpu: {
          autoscaling: { min: 1, max: 4 },
          ...{ image: "gpu", kubernetesVersion: "v1.32.0", availabilityZone: "az2", taints: [TAINT] },
          labels: { gpu: "yes", "node-role.kubernetes.io/gpu": "" },
          ...{ maxSurge: 0, maxUnavailable: 1, tags: ["gpu"], metadata: { tenant: "a" }, configDrive: true },
          rootVolume: { sizeGiB: 40, type: "ssd", availabilityZone: "nova" },
          volumes: [{ name: "data", sizeGiB: 100, type: "hdd" }],
          additionalPorts: [
            { network: "radio", subnet: "radio-a", vnicType: "direct", portSecurity: false },
            { network: "core", trunk: true, allowedAddresses: ["10.9.0.1/32"] },
          ],
          healthCheck: { unhealthyTimeout: "10m", nodeStartupTimeout: "1h", maxUnhealthy: "40%" },
        },
      },
      network: {
        externalNetwork: "public",
        router: "site",
        nodeCidr: "10.9.0.0/24",
        podCidr: "10.128.0.0/16",
        serviceCidr: "10.97.0.0/16",
        allocationPools: [{ start: "10.9.0.10", end: "10.9.0.99" }],
        mtu: 1400,
        ingressRules: [{ ports: ["tcp/30000-32767"], cidrs: ["198.51.100.0/24"] }],
        bastion: { flavor: "m1.tiny", image: "debian-12", availabilityZone: "az1" },
      },
      apiServer: {
        ...{ loadBalancerProvider: "amphora", allowedCidrs: ["10.0.0.0/8"], floatingIp: "198.51.100.7" },
        certSans: ["edge.example"],
        extraArgs: { v: "2" },
      },
      kubeadm: {
        ignorePreflightErrors: ["Swap"],
        kubeletExtraArgs: { "max-pods": "200" },
        files: [{ path: "/etc/sysctl.d/90-site.conf", content: "vm.swappiness=0\n", permissions: "0600" }],
        preKubeadmCommands: ["modprobe sctp"],
        postKubeadmCommands: ["true"],
        skipPhases: ["addon/kube-proxy"],
      },
    },
  ],
])("the conversion converts the objects of %s back to settings that make the same objects", (_, settings) => {
  const { objects } = plannedCluster(settings);
  const its = objects.map(withoutOwn);
  const { templates, vnfs: clusters } = converted(...its);
  const [template, ofCluster] = [templates[0]?.settings ?? {}, clusters[0]?.settings ?? {}];
  const { clusterTemplate, vim, ...own } = ofCluster;
  expect([clusterTemplate, vim]).toEqual(["tenant", "vnf-a"]);
  const again = plannedCluster(own, template).objects.map(withoutOwn);
  expect(again).toEqual(its);
});

it("the conversion takes fields by the names that earlier versions of CAPO have for them", () => {
  const { templates } = converted(
    ...cluster({
      openStack: {
        managedAPIServerLoadBalancer: true,
        apiServerLoadBalancerFloatingIP: "198.51.100.7",
        apiServerLoadBalancerPort: 443,
        externalNetworkId: "ext",
        nodeCidr: "10.6.0.0/24",
        dnsNameservers: ["9.9.9.9"],
        apiServerLoadBalancer: undefined,
      },
      machine: {
        flavor: "m1.small",
        image: "kube",
        rootVolume: { diskSize: 30, volumeType: "ssd" },
        serverMetadata: { tenant: "a" },
      },
    }),
  );
  expect(templates[0]?.settings).toEqual({
    network: { externalNetwork: "ext", nodeCidr: "10.6.0.0/24", dnsNameservers: ["9.9.9.9"] },
    apiServer: { loadBalancer: true, floatingIp: "198.51.100.7", port: 443 },
    image: "kube",
    controlPlane: { flavor: "m1.small", rootVolume: { sizeGiB: 30, type: "ssd" }, metadata: { tenant: "a" } },
  });
});

it("the conversion takes fields by the names that the next version of CAPO has for them", () => {
  const { templates } = converted(
    ...cluster({
      openStack: {
        apiServer: {
          managedLoadBalancer: { enabled: true, provider: "ovn" },
          enableFloatingIP: false,
          fixedIP: "10.6.0.9",
        },
        managedNetwork: { mtu: 1450 },
        managedSubnets: [{ cidr: "10.6.0.0/24" }],
        apiServerLoadBalancer: undefined,
      },
      machine: { flavor: { filter: { name: "m1.small" } }, image: { imageRef: { name: "node" } } },
    }),
  );
  expect(templates[0]?.settings).toEqual({
    network: { mtu: 1450, nodeCidr: "10.6.0.0/24" },
    apiServer: { loadBalancer: true, loadBalancerProvider: "ovn", floatingIp: false, fixedIp: "10.6.0.9" },
    image: "node",
    controlPlane: { flavor: "m1.small" },
  });
});

it.each<[object, string]>([
  [
    { openStack: { tags: ["a"] } },
    "OpenStackCluster edge spec.tags: there is no setting for it; change it with `patches`",
  ],
  [
    { machine: { serverGroup: { id: "g" } } },
    "OpenStackMachineTemplate edge-masters spec.template.spec.serverGroup: a server group is created from its policy, as in `serverGroup: soft-anti-affinity`",
  ],
  [
    { machine: { image: { filter: { tags: ["kube"] } } } },
    "OpenStackMachineTemplate edge-masters spec.template.spec.image: is selected by more than its id or name: set the name of the one that is meant",
  ],
  [
    { controlPlane: { kubeadmConfigSpec: { clusterConfiguration: { scheduler: { extraArgs: { v: 2 } } } } } },
    "KubeadmControlPlane edge-control-plane spec.kubeadmConfigSpec.clusterConfiguration.scheduler.extraArgs: has v: change clusterConfiguration of the KubeadmControlPlane by `patches`",
  ],
  [
    { controlPlane: { kubeadmConfigSpec: { files: [{ path: "/a", content: "http://u:p@proxy" }] } } },
    "KubeadmControlPlane edge-control-plane spec.kubeadmConfigSpec.files: /a may contain a secret: write it as `content`, encrypted by `pulumi config set --secret --path`",
  ],
  [
    { spec: { clusterNetwork: { pods: { cidrBlocks: ["10.1.0.0/16", "fd00::/56"] } } } },
    "Cluster edge spec.clusterNetwork.pods.cidrBlocks: has 2 blocks, of which the first one is used",
  ],
])("the conversion names what it does not take: %j", (parts, remark) => {
  expect(converted(...cluster(parts)).templates[0]?.remarks).toContain(remark);
});

it("the conversion leaves a variable of a shell in commands as it is", () => {
  const command = "export NAME=$${NAME%.*}";
  const { templates } = converted(
    ...cluster({ controlPlane: { kubeadmConfigSpec: { preKubeadmCommands: [command] } } }),
  );
  expect(templates[0]?.settings["kubeadm"]).toEqual({ preKubeadmCommands: ["export NAME=${NAME%.*}"] });
});

it("the conversion tells of all objects that are missing, and of clusters that a ClusterClass makes", () => {
  const [first, , ...others] = cluster();
  const topology = {
    apiVersion: "cluster.x-k8s.io/v1beta1",
    kind: "Cluster",
    metadata: { name: "b" },
    spec: { topology: {} },
  };
  const convertAll = () => converted(first!, ...others.slice(1), topology);
  expect(convertAll).toThrow(
    "Cluster edge: its OpenStackCluster edge is in none of the files; pass the file that contains it",
  );
  expect(convertAll).toThrow(
    "Cluster edge: its KubeadmControlPlane edge-control-plane is in none of the files",
  );
  expect(convertAll).toThrow("Cluster b uses a ClusterClass, and the files contain no machines");
  expect(() => converted({ apiVersion: "v1", kind: "Namespace", metadata: { name: "a" } })).toThrow(
    "the files contain no Cluster of cluster.x-k8s.io",
  );
});
