import { checkKubeletArguments } from "../../../components/settings/kubelet-arguments";
import { gateProblems, kubeletProblems } from "../../../components/settings/kubelet-rules";
import { recorded } from "../places";

const problems = (given: object, minor: number | undefined = 33) =>
  kubeletProblems({ ...given }, minor).map(({ field, problem }) => `${field}: ${problem}`);

const SIGNALS =
  "one of allocatableMemory.available, containerfs.available, containerfs.inodesFree, imagefs.available, " +
  "imagefs.inodesFree, memory.available, nodefs.available, nodefs.inodesFree, pid.available";
const RESERVED =
  "static needs CPUs for the node itself; set reservedSystemCPUs, or cpu in kubeReserved or systemReserved";

it.each<[object, string[]]>([
  [{ cpuManagerPolicy: "static" }, [`cpuManagerPolicy: ${RESERVED}`]],
  [{ cpuManagerPolicy: "static", kubeReserved: { memory: "1Gi" } }, [`cpuManagerPolicy: ${RESERVED}`]],
  [{ cpuManagerPolicy: "static", systemReserved: { cpu: "0" } }, [`cpuManagerPolicy: ${RESERVED}`]],
  [
    { memoryManagerPolicy: "Static" },
    [
      "memoryManagerPolicy: Static needs reservedMemory for each NUMA node: in total as much memory as kubeReserved, systemReserved and memory.available of evictionHard",
    ],
  ],
  [
    {
      memoryManagerPolicy: "Static",
      kubeReserved: { memory: "500Mi" },
      reservedMemory: [{ numaNode: 0, limits: { memory: "1Gi" } }],
    },
    [
      "reservedMemory: has 1024Mi of memory, and kubeReserved, systemReserved and memory.available of evictionHard (100Mi by default) have 600Mi together; make them equal",
    ],
  ],
  [
    { reservedSystemCPUs: "0-1", kubeReservedCgroup: "/kube" },
    ["reservedSystemCPUs: is not possible with kubeReservedCgroup; remove one"],
  ],
  [{ reservedSystemCPUs: "a" }, ['reservedSystemCPUs: "a" is not a list of CPUs, as in 0-1,8']],
  [
    { cpuManagerPolicyOptions: { "full-pcpus-only": "true" } },
    ["cpuManagerPolicyOptions: require cpuManagerPolicy static; set that, or remove them"],
  ],
  [
    { topologyManagerPolicyOptions: { "prefer-closest-numa-node": "true" } },
    [
      'topologyManagerPolicyOptions: "prefer-closest-numa-node" is not an option; one of max-allowable-numa-nodes, prefer-closest-numa-nodes; did you mean "prefer-closest-numa-nodes"?',
    ],
  ],
  [
    { evictionSoft: { "memory.available": "500Mi" } },
    ['evictionSoft: "memory.available" has no period in evictionSoftGracePeriod; set one, as in 1m30s'],
  ],
  [{ evictionHard: { "memory.free": "1Gi" } }, [`evictionHard: "memory.free" is not a signal; ${SIGNALS}`]],
  [
    { evictionMinimumReclaim: { "nodefs.inodesfree": "1" } },
    [
      `evictionMinimumReclaim: "nodefs.inodesfree" is not a signal; ${SIGNALS}; did you mean "nodefs.inodesFree"?`,
    ],
  ],
  [
    { imageGCHighThresholdPercent: 70 },
    [
      "imageGCHighThresholdPercent: 70 leaves nothing between imageGCLowThresholdPercent 80 and imageGCHighThresholdPercent 70; the low one must be less",
    ],
  ],
  [
    { imageGCLowThresholdPercent: 85 },
    [
      "imageGCLowThresholdPercent: 85 leaves nothing between imageGCLowThresholdPercent 85 and imageGCHighThresholdPercent 85; the low one must be less",
    ],
  ],
  [
    { enforceNodeAllocatable: ["pods", "kube-reserved"] },
    [
      "enforceNodeAllocatable: kube-reserved needs kubeReservedCgroup, a cgroup of the node; set it too, or remove kube-reserved",
    ],
  ],
  [
    { enforceNodeAllocatable: ["none", "pods", "pods"], cgroupsPerQOS: false },
    [
      "enforceNodeAllocatable: none excludes the others; remove the others",
      "enforceNodeAllocatable: has a duplicate; remove it",
      "enforceNodeAllocatable: needs cgroupsPerQOS, which is false; set none here, or remove cgroupsPerQOS",
    ],
  ],
  [
    {
      enforceNodeAllocatable: ["system-reserved", "system-reserved-compressible"],
      systemReservedCgroup: "/system.slice",
    },
    [
      "enforceNodeAllocatable: system-reserved and system-reserved-compressible exclude each other; remove one",
    ],
  ],
  [
    { maxParallelImagePulls: 5, serializeImagePulls: true },
    ["maxParallelImagePulls: 5 is not possible with serializeImagePulls: true; remove one"],
  ],
  [
    { shutdownGracePeriod: "5s", shutdownGracePeriodCriticalPods: "1m" },
    ["shutdownGracePeriodCriticalPods: 1m is a part of shutdownGracePeriod, which is 5s; increase that"],
  ],
  [{ systemCgroups: "/system" }, ["systemCgroups: needs cgroupRoot; set it too"]],
  [{ tlsCipherSuites: ["AES"] }, ['tlsCipherSuites: "AES" is not a cipher suite of Go']],
  [
    { featureGates: { Nope: true } },
    ['featureGates: "Nope" is not a feature gate of Kubernetes 1.31 to 1.37'],
  ],
  [
    { featureGates: { SidecarContainers: false } },
    ['featureGates: "SidecarContainers" is always true in Kubernetes 1.33; remove it'],
  ],
])("a kubelet with %j does not start", (given, expected) => {
  expect(problems(given)).toEqual(expected);
});

it.each<object>([
  {
    cpuManagerPolicy: "static",
    reservedSystemCPUs: "0-1,8",
    cpuManagerPolicyOptions: { "full-pcpus-only": "true" },
  },
  { cpuManagerPolicy: "static", kubeReserved: { cpu: "500m" } },
  {
    memoryManagerPolicy: "Static",
    kubeReserved: { memory: "500Mi" },
    evictionHard: { "memory.available": "524Mi" },
    reservedMemory: [{ numaNode: 0, limits: { memory: "1Gi" } }],
  },
  {
    memoryManagerPolicy: "Static",
    evictionHard: { "memory.available": "5%" },
    reservedMemory: [{ numaNode: 0, limits: { memory: "1Gi" } }],
  },
  { evictionSoft: { "nodefs.available": "15%" }, evictionSoftGracePeriod: { "nodefs.available": "1m" } },
  { imageGCHighThresholdPercent: 70, imageGCLowThresholdPercent: 60 },
  { enforceNodeAllocatable: ["pods", "kube-reserved"], kubeReservedCgroup: "/kube" },
  { enforceNodeAllocatable: ["none"], cgroupsPerQOS: false },
  { maxParallelImagePulls: 5 },
  { tlsCipherSuites: ["TLS_AES_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305"] },
  { featureGates: { SidecarContainers: true, AllAlpha: false, CPUManagerPolicyAlphaOptions: true } },
  { cpuManagerPolicy: [], evictionSoft: "no", enforceNodeAllocatable: {}, featureGates: [] },
])("a kubelet with %j starts", (given) => {
  expect(problems(given)).toEqual([]);
});

it.each([
  [31, { DynamicResourceAllocation: true }, []],
  [32, { DevicePluginCDIDevices: true }, []],
  [
    37,
    { DevicePluginCDIDevices: true },
    ['"DevicePluginCDIDevices" is not a feature gate from Kubernetes 1.34 on; remove it'],
  ],
  [60, { Nope: true }, []],
  [29, { Nope: true }, []],
  [33, { AllAlpha: "yes" }, ['"AllAlpha" "yes" is neither true nor false']],
])("feature gates of Kubernetes 1.%s, %j, have the problems %j", (minor, given, expected) => {
  expect(gateProblems(given, minor).map(({ problem }) => problem)).toEqual(expected);
});

it.each([
  [33, { ControlPlaneKubeletLocalMode: true, RootlessControlPlane: false }, []],
  [
    36,
    { ControlPlaneKubeletLocalMode: true },
    ['"ControlPlaneKubeletLocalMode" is not a feature gate from Kubernetes 1.36 on; remove it'],
  ],
  [
    31,
    { NodeLocalCRISocket: true },
    ['"NodeLocalCRISocket" is a feature gate of Kubernetes 1.32 and newer; remove it, or use that version'],
  ],
  [
    undefined,
    { SidecarContainers: true },
    ['"SidecarContainers" is not a feature gate of Kubernetes 1.31 to 1.37'],
  ],
])("feature gates of kubeadm 1.%s, %j, have the problems %j", (minor, given, expected) => {
  expect(gateProblems(given, minor, "kubeadm").map(({ problem }) => problem)).toEqual(expected);
});

const argumentFaults = (args: object, version = "v1.33.0") =>
  recorded((findings) => checkKubeletArguments({ ...args }, version, findings.instance("tenant")));

it("a kubelet's arguments have the rules of the fields that they stand for", () => {
  expect(
    argumentFaults({
      "cpu-manager-policy": "static",
      "kube-reserved": "memory=1Gi",
      "eviction-soft": "memory.available<500Mi",
      "image-gc-high-threshold": "70",
      "feature-gates": "Nope=true,SidecarContainers=false",
      "tls-min-version": "TLS12",
      "--v": "2",
      "network-plugin": "cni",
      "register-schedulable": "false",
      max_pods: "100",
    }),
  ).toEqual([
    'vnfm:vnfs.tenant.tls-min-version: "TLS12" is not one of VersionTLS10, VersionTLS11, VersionTLS12, VersionTLS13',
    "vnfm:vnfs.tenant.--v: is written without dashes, as v",
    "vnfm:vnfs.tenant.network-plugin: is not an argument of kubelet of Kubernetes 1.31 to 1.37",
    `vnfm:vnfs.tenant.cpu-manager-policy: ${RESERVED}`,
    'vnfm:vnfs.tenant.eviction-soft: "memory.available" has no period in evictionSoftGracePeriod; set one, as in 1m30s',
    "vnfm:vnfs.tenant.image-gc-high-threshold: 70 leaves nothing between imageGCLowThresholdPercent 80 and imageGCHighThresholdPercent 70; the low one must be less",
    'vnfm:vnfs.tenant.feature-gates: "Nope" is not a feature gate of Kubernetes 1.31 to 1.37',
    'vnfm:vnfs.tenant.feature-gates: "SidecarContainers" is always true in Kubernetes 1.33; remove it',
  ]);
  expect(argumentFaults({ "register-schedulable": "false" }, "v1.34.0")).toEqual([
    "vnfm:vnfs.tenant.register-schedulable: is not an argument of kubelet from Kubernetes 1.34 on; remove it",
  ]);
});

it("arguments that a kubelet starts with are taken", () => {
  expect(
    argumentFaults({
      "cpu-manager-policy": "static",
      "reserved-cpus": "0-1",
      "memory-manager-policy": "Static",
      "reserved-memory": "0:memory=50Mi,hugepages-1Gi=2Gi;1:memory=50Mi",
      "eviction-soft": "memory.available<500Mi",
      "eviction-soft-grace-period": "memory.available=1m30s",
      "enforce-node-allocatable": "pods",
      v: "2",
    }),
  ).toEqual([]);
});
