/** Values of the chart openstack-cluster of capi-helm-charts as settings. */
import { stringify } from "yaml";
import { convertValues } from "../../../../automation/capi-helm";

const converted = (...values: readonly object[]) => {
  const files = values.map((one, i) => ({ path: `values/tenant-${i}.yaml`, text: stringify(one) }));
  const { templates, vnfs } = convertValues(files);
  return { template: templates[0]!, cluster: vnfs[0]! };
};

const NETWORK = { podCidr: "172.16.0.0/13", serviceCidr: "172.24.0.0/13", nodeCidr: "192.168.3.0/24" };

it("the conversion converts a small cluster, with the chart's own blocks and numbers of machines", () => {
  const { template, cluster } = converted({
    kubernetesVersion: "1.29.2",
    machineImage: "ubuntu-jammy-kube-v1.29.2",
    controlPlane: { machineFlavor: "vm.small" },
    nodeGroups: [{ name: "group-1", machineFlavor: "vm.small", machineCount: 1 }],
    clouds: { openstack: { auth: { application_credential_secret: "s3cret" } } },
  });
  expect(template).toEqual({
    name: "tenant-0",
    settings: {
      network: NETWORK,
      kubernetesVersion: "v1.29.2",
      image: "ubuntu-jammy-kube-v1.29.2",
      controlPlane: { flavor: "vm.small", replicas: 3 },
    },
    remarks: ["clouds: the cluster gets its own application credential: see `credential`"],
  });
  expect(cluster.settings).toEqual({
    clusterTemplate: "tenant-0",
    vim: "vnf-a",
    nodeGroups: { "group-1": { replicas: 1, flavor: "vm.small" } },
  });
});

it("the conversion merges files as Helm does, a null taking away what is there", () => {
  const base = { clusterNetworking: { internalNetwork: { networkFilter: { id: "net" } } } };
  expect(converted(base).template.settings["network"]).toEqual({
    ...{ podCidr: NETWORK.podCidr, serviceCidr: NETWORK.serviceCidr, network: "net" },
  });
  const reset = { clusterNetworking: { internalNetwork: { networkFilter: null } } };
  expect(converted(base, reset).template.settings["network"]).toEqual(NETWORK);
});

it("the conversion converts most of the values that the chart has", () => {
  const { template, cluster } = converted({
    machineSSHKeyName: "operator",
    machineMetadata: { tenant: "a" },
    oidc: {
      issuerUrl: "https://login.example",
      clientId: "kube",
      usernameClaim: "sub",
      signingAlgs: "RS256",
    },
    clusterNetworking: {
      externalNetworkId: "ext",
      dnsNameservers: ["9.9.9.9"],
      internalNetwork: { nodeCidr: "10.0.0.0/24" },
    },
    registryMirrors: {
      "docker.io": ["https://mirror.example"],
      "quay.io": {
        upstream: "https://quay.io",
        mirrors: [{ url: "https://quay.example", capabilities: ["pull"] }],
      },
    },
    trustedCAs: { site: "-----BEGIN CERTIFICATE-----" },
    etcd: { blockDevice: { size: 20, type: "Volume", volumeType: "ssd" } },
    apiServer: {
      ...{ enableLoadBalancer: true, loadBalancerProvider: "ovn", associateFloatingIP: false, port: 443 },
      admissionConfiguration: { PodSecurity: { kind: "PodSecurityConfiguration" } },
    },
    controlPlane: {
      ...{ machineCount: 1, machineFlavor: "m", failureDomains: ["az1"], omitFailureDomain: false },
      nodeDrainTimeout: "5m0s",
      kubeadmConfigSpec: {
        clusterConfiguration: { apiServer: { extraArgs: { "cloud-provider": "external", v: "3" } } },
        preKubeadmCommands: ["modprobe sctp"],
        kubeProxyConfiguration: { metricsBindAddress: "0.0.0.0:10249" },
      },
    },
    nodeGroupDefaults: {
      machineFlavor: "l",
      nodeLabels: { site: "a" },
      machineRootVolume: { diskSize: null },
    },
    nodeGroups: [
      { name: "plain", machineCount: 2, machineFlavor: "l" },
      {
        ...{
          name: "gpu",
          autoscale: true,
          machineCountMin: 0,
          machineCountMax: 5,
          machineImageId: "gpu-image",
        },
        nodeLabels: { gpu: "yes" },
        machineRootVolume: { diskSize: 40, volumeType: "ssd" },
        additionalBlockDevices: { scratch: { size: 100 }, local: { size: 9, type: "Local" } },
        rolloutStrategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      },
    ],
  });
  expect(template.settings).toEqual({
    sshKeyName: "operator",
    network: {
      ...{ podCidr: "172.16.0.0/13", serviceCidr: "172.24.0.0/13", nodeCidr: "10.0.0.0/24" },
      ...{ externalNetwork: "ext", dnsNameservers: ["9.9.9.9"] },
    },
    registryMirrors: { "docker.io": ["https://mirror.example"], "quay.io": ["https://quay.example"] },
    trustedCertificates: ["-----BEGIN CERTIFICATE-----"],
    apiServer: {
      ...{ loadBalancer: true, loadBalancerProvider: "ovn", floatingIp: false, port: 443 },
      oidc: { issuerUrl: "https://login.example", clientId: "kube", usernameClaim: "sub" },
      admissionConfiguration: {
        plugins: [{ name: "PodSecurity", configuration: { kind: "PodSecurityConfiguration" } }],
      },
      extraArgs: { v: "3" },
    },
    controlPlane: {
      ...{
        replicas: 1,
        flavor: "m",
        availabilityZones: ["az1"],
        nodeDrainTimeout: "5m",
        metadata: { tenant: "a" },
      },
      etcdVolume: { sizeGiB: 20, type: "ssd" },
    },
    kubeadm: {
      preKubeadmCommands: ["modprobe sctp"],
      kubeProxyConfiguration: { metricsBindAddress: "0.0.0.0:10249" },
    },
    nodeGroup: { flavor: "l", labels: { site: "a" }, metadata: { tenant: "a" } },
  });
  expect(cluster.settings["nodeGroups"]).toEqual({
    plain: { replicas: 2 },
    gpu: {
      autoscaling: { min: 0, max: 5 },
      image: "gpu-image",
      labels: { site: "a", gpu: "yes" },
      rootVolume: { sizeGiB: 40, type: "ssd" },
      volumes: [{ name: "scratch", sizeGiB: 100 }],
      ...{ maxSurge: 1, maxUnavailable: 0 },
    },
  });
  expect(template.remarks).toEqual([
    "nodeGroups.gpu: additionalBlockDevices: local: paths on the host, for which there is no setting",
  ]);
});

it.each<[object, string]>([
  [
    { addons: { ingress: { enabled: true } } },
    "addons: list charts of the cluster under `addons`, each with its version and values",
  ],
  [
    { machineImage: "kube-{{ .Values.x }}" },
    'machineImage "kube-{{ .Values.x }}": is a Helm template: write the name that it results in',
  ],
  [
    { etcd: { encryption: { enabled: true } } },
    "etcd.encryption.enabled true: set a key under `apiServer.encryptionKeys`",
  ],
  [
    { controlPlane: { nodeLabels: { a: "b" } } },
    "controlPlane.nodeLabels: there is no setting for labels of control-plane nodes",
  ],
  [{ anything: 1 }, "anything 1: is not supported"],
])("the conversion names what it does not take: %j", (values, remark) => {
  expect(converted(values).template.remarks).toEqual([remark]);
});

it("the conversion refuses files that have no values", () => {
  const read = (text: string) => () => convertValues([{ path: "a.yaml", text }]);
  expect(read("- a")).toThrow("a.yaml does not contain values of a Helm chart, which are a map");
  expect(read("kind: Cluster")).toThrow(
    "a.yaml contains a Kubernetes object instead of values of a Helm chart",
  );
});
