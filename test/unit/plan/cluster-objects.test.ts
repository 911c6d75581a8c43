/** What each setting of a cluster by a template becomes in the objects of Cluster API. */
import { parse } from "yaml";
import { at, fields, items, type KubeObject } from "../../../components/kube/objects/object";
import { CLOSE_METADATA_SERVICE, METADATA_SERVICE } from "../../../components/plan/metadata-service";
import { Secret } from "../../../components/base/secret";
import { plannedCluster } from "./planned-cluster";

const [EXTERNAL, BASTION_IMAGE] = [
  "1e2f3a4b-0000-4000-8000-000000000001",
  "1e2f3a4b-0000-4000-8000-000000000002",
];
const CERTIFICATE = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
const KEYS = ["A", "B"].map((letter) => Buffer.from(letter.repeat(32)).toString("base64"));

/** The file that machines have whatever the settings are. */
const OF_EACH_MACHINE = { ...METADATA_SERVICE, owner: "root:root" };

const spec = (object: KubeObject | undefined) => fields(at(object, "spec"));
const machine = (object: KubeObject | undefined) => fields(at(object, "spec", "template", "spec"));
const only = (objects: readonly KubeObject[]) => {
  expect(objects).toHaveLength(1);
  return objects[0];
};

test("a network that is made: router, DNS, pools, MTU, rules, a bastion, a public API", () => {
  const { find } = plannedCluster({
    sshKeyName: "operator",
    controlPlane: { availabilityZones: ["az1", "az2"] },
    network: {
      externalNetwork: EXTERNAL,
      router: "site",
      nodeCidr: "10.9.0.0/24",
      allocationPools: [{ start: "10.9.0.10", end: "10.9.0.99" }],
      mtu: 1400,
      ingressRules: [
        { ports: ["tcp/30000-32767", "icmp"], cidrs: ["198.51.100.0/24"] },
        { ports: ["icmp"], cidrs: ["198.51.100.0/24"] },
        { ports: ["udp/53"], cidrs: ["2001:db8::/32"] },
      ],
      bastion: { flavor: "m1.tiny", image: BASTION_IMAGE },
    },
    apiServer: {
      loadBalancerProvider: "amphora",
      floatingIp: "198.51.100.7",
      port: 443,
      allowedCidrs: ["10.0.0.0/8"],
    },
  });
  expect(spec(only(find("OpenStackCluster ")))).toEqual({
    identityRef: { name: "tenant-cloud-config", cloudName: "openstack" },
    externalNetwork: { id: EXTERNAL },
    router: { filter: { name: "site" } },
    networkMTU: 1400,
    managedSubnets: [
      {
        cidr: "10.9.0.0/24",
        allocationPools: [{ start: "10.9.0.10", end: "10.9.0.99" }],
        dnsNameservers: ["198.19.0.1"],
      },
    ],
    managedSecurityGroups: {
      allowAllInClusterTraffic: true,
      allNodesSecurityGroupRules: [
        {
          ...{ name: "tcp/443 from 0.0.0.0/0", direction: "ingress", etherType: "IPv4" },
          ...{ protocol: "tcp", portRangeMin: 443, portRangeMax: 443, remoteIPPrefix: "0.0.0.0/0" },
        },
        {
          ...{ name: "tcp/30000-32767 from 198.51.100.0/24", direction: "ingress", etherType: "IPv4" },
          ...{ protocol: "tcp", portRangeMin: 30000, portRangeMax: 32767, remoteIPPrefix: "198.51.100.0/24" },
        },
        {
          ...{ name: "icmp from 198.51.100.0/24", direction: "ingress", etherType: "IPv4" },
          ...{ protocol: "icmp", remoteIPPrefix: "198.51.100.0/24" },
        },
        {
          ...{ name: "udp/53 from 2001:db8::/32", direction: "ingress", etherType: "IPv6" },
          ...{ protocol: "udp", portRangeMin: 53, portRangeMax: 53, remoteIPPrefix: "2001:db8::/32" },
        },
      ],
    },
    apiServerLoadBalancer: { enabled: true, provider: "amphora", allowedCIDRs: ["10.0.0.0/8"] },
    apiServerPort: 443,
    disableAPIServerFloatingIP: false,
    apiServerFloatingIP: "198.51.100.7",
    controlPlaneAvailabilityZones: ["az1", "az2"],
    bastion: {
      enabled: true,
      spec: { flavor: "m1.tiny", image: { id: BASTION_IMAGE }, sshKeyName: "operator" },
    },
  });
});

test("kube-apiserver listens at the port of the API on every machine; at kubeadm's own without a word", () => {
  const config = (apiServer: object) => {
    const { kubeadmConfigSpec } = spec(only(plannedCluster({ apiServer }).find("KubeadmControlPlane ")));
    const { initConfiguration: init, joinConfiguration: join } = fields(kubeadmConfigSpec);
    return [fields(init)["localAPIEndpoint"], fields(join)["controlPlane"]];
  };
  expect(config({ port: 443 })).toEqual([{ bindPort: 443 }, { localAPIEndpoint: { bindPort: 443 } }]);
  expect(config({})).toEqual([undefined, undefined]);
});

test("clusterConfiguration, which nobody may take out of a control plane, is never empty", () => {
  const { kubeadmConfigSpec } = spec(only(plannedCluster().find("KubeadmControlPlane ")));
  expect(fields(kubeadmConfigSpec)["clusterConfiguration"]).toEqual({
    etcd: { local: { dataDir: "/var/lib/etcd" } },
  });
});

test("the router of a network that is there, whose machines allowedCidrs let in", () => {
  const network = { network: "site", router: "site", externalNetwork: "public" };
  const { find } = plannedCluster(
    { apiServer: { loadBalancerProvider: "amphora", allowedCidrs: ["10.0.0.0/8"] } },
    { network },
  );
  expect(spec(only(find("OpenStackCluster ")))).toMatchObject({
    network: { filter: { name: "site" } },
    router: { filter: { name: "site" } },
  });
});

test("a group of an older minor version is told to get no machines", () => {
  const groups = {
    old: { replicas: 1, kubernetesVersion: "v1.32.9" },
    same: { replicas: 1, kubernetesVersion: "v1.33.0" },
    plain: { replicas: 1 },
  };
  expect(
    plannedCluster({ nodeGroups: groups }).plan.warnings.filter((text) => text.includes("minor")),
  ).toEqual([
    "vnfm:vnfs.tenant.nodeGroups.old.kubernetesVersion: v1.32.9 has another minor version than the control plane's v1.33.0: " +
      "until the group has that version, it gets no new machines, not even to replace failed ones",
  ]);
});

test("a network that is there, and an API in it alone", () => {
  const network = { network: "site", subnet: "site-nodes" };
  const template = { network, apiServer: { loadBalancer: false, floatingIp: false, fixedIp: "10.0.0.5" } };
  const { find } = plannedCluster({}, template);
  expect(spec(only(find("OpenStackCluster ")))).toEqual({
    identityRef: { name: "tenant-cloud-config", cloudName: "openstack" },
    disableExternalNetwork: true,
    network: { filter: { name: "site" } },
    subnets: [{ filter: { name: "site-nodes" } }],
    managedSecurityGroups: { allowAllInClusterTraffic: true },
    apiServerLoadBalancer: { enabled: false },
    apiServerPort: 6443,
    disableAPIServerFloatingIP: true,
    apiServerFixedIP: "10.0.0.5",
    controlPlaneOmitAvailabilityZone: true,
    bastion: { enabled: false },
  });
});

describe("kube-vip in place of a load balancer", () => {
  const plan = (kubernetesVersion: string) =>
    plannedCluster(
      { kubernetesVersion, controlPlane: { replicas: 3 } },
      {
        network: { network: "site" },
        apiServer: { loadBalancer: false, floatingIp: false, fixedIp: "10.0.0.5", kubeVip: {} },
      },
    ).find;

  it("is a static pod of each machine of the control plane, which alone may have the address", () => {
    const find = plan("v1.33.0");
    const config = spec(only(find("KubeadmControlPlane ")))["kubeadmConfigSpec"] as {
      files: { path: string; content: string }[];
      preKubeadmCommands: string[];
      postKubeadmCommands: string[];
    };
    const [file] = config.files.filter(({ path }) => path === "/etc/kubernetes/manifests/kube-vip.yaml");
    const pod = parse(file?.content ?? "") as { spec: { containers: { image: string; env: object[] }[] } };
    const [container] = pod.spec.containers;
    expect(container?.image).toBe("ghcr.io/kube-vip/kube-vip:v1.0.0");
    expect(container?.env).toEqual(
      expect.arrayContaining([
        { name: "address", value: "10.0.0.5" },
        { name: "port", value: "6443" },
      ]),
    );
    const from = "path: /etc/kubernetes/admin.conf";
    const to = "path: /etc/kubernetes/super-admin.conf";
    expect(config.preKubeadmCommands).toEqual([
      CLOSE_METADATA_SERVICE,
      `! [ -f /run/kubeadm/kubeadm.yaml ] || sed -i 's|${from}$|${to}|' /etc/kubernetes/manifests/kube-vip.yaml`,
    ]);
    expect(config.postKubeadmCommands).toEqual([
      `! [ -f /run/kubeadm/kubeadm.yaml ] || sed -i 's|${to}$|${from}|' /etc/kubernetes/manifests/kube-vip.yaml`,
    ]);
    expect(machine(only(find("OpenStackMachineTemplate tenant/tenant-control-plane-")))["ports"]).toEqual([
      { allowedAddressPairs: [{ ipAddress: "10.0.0.5" }] },
    ]);
    expect(machine(only(find("OpenStackMachineTemplate tenant/tenant-default-")))["ports"]).toBeUndefined();
  });

  it("has the rights of admin.conf from the beginning before Kubernetes 1.29", () => {
    const config = spec(only(plan("v1.28.0")("KubeadmControlPlane ")))["kubeadmConfigSpec"] as object;
    expect(Object.keys(config)).toEqual([
      ...["clusterConfiguration", "initConfiguration", "joinConfiguration", "files", "preKubeadmCommands"],
    ]);
    expect(at(config, "preKubeadmCommands")).toEqual([CLOSE_METADATA_SERVICE]);
  });
});

test("machines: volumes, ports, metadata, tags, and a server group that is made before them", () => {
  const batch = {
    replicas: 1,
    rootVolume: { sizeGiB: 40, type: "ssd", availabilityZone: "storage-1" },
    volumes: [{ name: "scratch", sizeGiB: 100 }],
    additionalPorts: [
      { network: "storage", subnet: "storage-4", vnicType: "direct", portSecurity: false },
      { network: "trunks", trunk: true, allowedAddresses: ["10.1.0.0/24"] },
    ],
    metadata: { owner: "a", cost: "b" },
    tags: ["tenant-a"],
    configDrive: false,
    serverGroup: "soft-anti-affinity",
  };
  const { plan, find } = plannedCluster({ sshKeyName: "operator", nodeGroups: { batch } });
  expect(plan.serverGroups).toEqual([{ name: "tenant-batch", policy: "soft-anti-affinity" }]);
  expect(machine(only(find("OpenStackMachineTemplate tenant/tenant-batch-")))).toEqual({
    flavor: "m1.small",
    image: { filter: { name: "debian-12-kube-v1.33.0" } },
    sshKeyName: "operator",
    rootVolume: { sizeGiB: 40, type: "ssd", availabilityZone: { from: "Name", name: "storage-1" } },
    additionalBlockDevices: [{ name: "scratch", sizeGiB: 100, storage: { type: "Volume" } }],
    ports: [
      {},
      {
        network: { filter: { name: "storage" } },
        fixedIPs: [{ subnet: { filter: { name: "storage-4" } } }],
        vnicType: "direct",
        disablePortSecurity: true,
      },
      {
        network: { filter: { name: "trunks" } },
        trunk: true,
        allowedAddressPairs: [{ ipAddress: "10.1.0.0/24" }],
      },
    ],
    serverMetadata: [
      { key: "cost", value: "b" },
      { key: "owner", value: "a" },
    ],
    tags: ["tenant-a"],
    configDrive: false,
    serverGroup: { filter: { name: "tenant-batch" } },
  });
});

test("etcd on a volume of its own", () => {
  const { find } = plannedCluster({ controlPlane: { etcdVolume: { sizeGiB: 10, type: "ssd" } } });
  expect(
    machine(only(find("OpenStackMachineTemplate tenant/tenant-control-plane-")))["additionalBlockDevices"],
  ).toEqual([{ name: "etcd", sizeGiB: 10, storage: { type: "Volume", volume: { type: "ssd" } } }]);
  expect(at(only(find("KubeadmControlPlane")), "spec", "kubeadmConfigSpec")).toMatchObject({
    clusterConfiguration: { etcd: { local: { dataDir: "/var/lib/etcd-volume/etcd" } } },
    diskSetup: { filesystems: [{ device: "/dev/vdb", filesystem: "ext4", label: "etcd", overwrite: false }] },
    mounts: [["LABEL=etcd", "/var/lib/etcd-volume"]],
  });
});

test("the API server gets OpenID Connect, audit and further names; its own arguments override", () => {
  const { find } = plannedCluster({
    apiServer: {
      certSans: ["api.example.org"],
      oidc: { issuerUrl: "https://id.example.org", clientId: "kube", groupsClaim: "groups", ca: CERTIFICATE },
      auditPolicy: { rules: [{ level: "Metadata" }] },
      extraArgs: { "audit-log-maxage": "7" },
    },
  });
  const config = at(only(find("KubeadmControlPlane")), "spec", "kubeadmConfigSpec");
  expect(at(config, "clusterConfiguration", "apiServer")).toEqual({
    certSANs: ["api.example.org"],
    extraArgs: [
      { name: "audit-log-maxage", value: "7" },
      { name: "audit-log-maxbackup", value: "10" },
      { name: "audit-log-maxsize", value: "100" },
      { name: "audit-log-path", value: "/var/log/kubernetes/audit/audit.log" },
      { name: "audit-policy-file", value: "/etc/kubernetes/audit-policy.yaml" },
      { name: "oidc-ca-file", value: "/etc/kubernetes/oidc-ca.crt" },
      { name: "oidc-client-id", value: "kube" },
      { name: "oidc-groups-claim", value: "groups" },
      { name: "oidc-issuer-url", value: "https://id.example.org" },
    ],
    extraVolumes: [
      {
        ...{ name: "audit-policy", hostPath: "/etc/kubernetes/audit-policy.yaml" },
        ...{ mountPath: "/etc/kubernetes/audit-policy.yaml", readOnly: true, pathType: "File" },
      },
      {
        ...{
          name: "audit-logs",
          hostPath: "/var/log/kubernetes/audit",
          mountPath: "/var/log/kubernetes/audit",
        },
        pathType: "DirectoryOrCreate",
      },
      {
        ...{
          name: "oidc-ca",
          hostPath: "/etc/kubernetes/oidc-ca.crt",
          mountPath: "/etc/kubernetes/oidc-ca.crt",
        },
        ...{ readOnly: true, pathType: "File" },
      },
    ],
  });
  expect(at(config, "files")).toEqual(
    expect.arrayContaining([
      {
        ...{ path: "/etc/kubernetes/audit-policy.yaml", permissions: "0600", owner: "root:root" },
        content: "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules:\n  - level: Metadata\n",
      },
      {
        ...{ path: "/etc/kubernetes/oidc-ca.crt", permissions: "0644", owner: "root:root" },
        content: CERTIFICATE,
      },
    ]),
  );
});

test("hardening is for the control plane's components, and as a patch and a file for the kubelets of all machines", () => {
  const { find } = plannedCluster({ hardening: "cis", apiServer: { encryptionKeys: KEYS.slice(0, 1) } });
  const control = fields(at(only(find("KubeadmControlPlane")), "spec", "kubeadmConfigSpec"));
  const config = fields(control["clusterConfiguration"]);
  expect(config["controllerManager"]).toEqual({ extraArgs: [{ name: "profiling", value: "false" }] });
  expect(config["scheduler"]).toEqual({ extraArgs: [{ name: "profiling", value: "false" }] });
  expect(at(config, "apiServer", "extraArgs")).toEqual(
    expect.arrayContaining([
      { name: "authentication-config", value: "/etc/kubernetes/authentication.yaml" },
      { name: "encryption-provider-config", value: "/etc/kubernetes/encryption.yaml" },
      { name: "profiling", value: "false" },
    ]),
  );
  const paths = (files: unknown) => (files as { path: string }[]).map(({ path }) => path);
  const ofKubelets = [
    "/etc/systemd/system/kubelet.service.d/20-file-modes.conf",
    "/etc/kubernetes/patches/kubeletconfiguration+merge.yaml",
  ];
  expect(paths(control["files"])).toEqual([
    METADATA_SERVICE.path,
    ...["audit-policy", "admission", "authentication"].map((name) => `/etc/kubernetes/${name}.yaml`),
    ...ofKubelets,
    "/etc/kubernetes/encryption.yaml",
  ]);
  const worker = machine(only(find("KubeadmConfigTemplate")));
  expect(paths(worker["files"])).toEqual([METADATA_SERVICE.path, ...ofKubelets]);
  const patches = { directory: "/etc/kubernetes/patches" };
  for (const part of [
    control["initConfiguration"],
    control["joinConfiguration"],
    worker["joinConfiguration"],
  ])
    expect(part).toMatchObject({ patches });
});

test.each([{}, { hardening: "cis", apiServer: { encryptionKeys: KEYS.slice(0, 1) } }])(
  "machines of each group close the metadata service to pods before kubeadm: %j",
  (template) => {
    const { find } = plannedCluster(template, { nodeGroups: { batch: { replicas: 1 } } });
    const configs = [
      at(only(find("KubeadmControlPlane")), "spec", "kubeadmConfigSpec"),
      ...find("KubeadmConfigTemplate").map(machine),
    ];
    expect(configs).toHaveLength(3);
    for (const config of configs) {
      expect(items(at(config, "files"))[0]).toEqual(OF_EACH_MACHINE);
      expect(items(at(config, "preKubeadmCommands"))[0]).toBe("/etc/kubernetes/metadata-service.sh install");
    }
  },
);

test("an API server with OpenID Connect keeps Kubernetes' own rule for anonymous requests", () => {
  const oidc = { issuerUrl: "https://issuer.example", clientId: "kubernetes" };
  const { find } = plannedCluster({
    hardening: "cis",
    apiServer: { oidc, encryptionKeys: KEYS.slice(0, 1) },
  });
  const { files } = fields(at(only(find("KubeadmControlPlane")), "spec", "kubeadmConfigSpec"));
  expect(JSON.stringify(files)).not.toContain("AuthenticationConfiguration");
});

test("files with secrets come from a Secret, those of the control plane on its machines alone", () => {
  const { find, plan } = plannedCluster({
    apiServer: { encryptionKeys: KEYS },
    proxy: { httpProxy: "http://user:hidden%20@proxy.example:3128", noProxy: "mirror.example" },
  });
  const secret = only(find("Secret tenant/tenant-files-"));
  const { name } = secret?.metadata ?? {};
  expect(fields(secret?.["stringData"])["file-1"]).toBe(
    [
      'HTTP_PROXY="http://user:hidden%20@proxy.example:3128"',
      'NO_PROXY="mirror.example,127.0.0.1,localhost,.svc,.cluster.local,10.244.0.0/16,10.96.0.0/12,10.6.0.0/24"',
      "",
    ].join("\n"),
  );
  expect(fields(secret?.["stringData"])["file-0"]).toMatch(
    /secretbox:\n {10}keys:\n {12}- name: key-[0-9a-f]{8}\n {14}secret: QUFB/,
  );
  expect(plan.cnf.objects.find(({ object }) => object === secret)?.secret).toBe(true);
  // systemd shows everybody what a unit has in Environment=
  const unit = {
    ...{
      path: "/etc/systemd/system/containerd.service.d/proxy.conf",
      owner: "root:root",
      permissions: "0644",
    },
    content: "[Service]\nEnvironmentFile=/etc/containerd/vnfm-proxy.env\n",
  };
  const variables = {
    ...{ path: "/etc/containerd/vnfm-proxy.env", owner: "root:root", permissions: "0600" },
    contentFrom: { secret: { name, key: "file-1" } },
  };
  const encryption = {
    ...{ path: "/etc/kubernetes/encryption.yaml", owner: "root:root", permissions: "0600" },
    contentFrom: { secret: { name, key: "file-0" } },
  };
  const worker = machine(only(find("KubeadmConfigTemplate")));
  expect(items(worker["files"]).slice(1)).toEqual([unit, variables]);
  expect(worker["preKubeadmCommands"]).toEqual([
    CLOSE_METADATA_SERVICE,
    "systemctl daemon-reload",
    "systemctl restart containerd",
  ]);
  expect(at(only(find("KubeadmControlPlane")), "spec", "kubeadmConfigSpec", "files")).toEqual(
    expect.arrayContaining([unit, encryption, variables]),
  );
});

test("another key is another Secret, another password of the proxy is not", () => {
  const nameOf = (apiServer: object, password: string) =>
    only(
      plannedCluster({ apiServer, proxy: { httpProxy: `http://user:${password}@proxy.example:3128` } }).find(
        "Secret tenant/tenant-files-",
      ),
    )?.metadata.name;
  const before = nameOf({ encryptionKeys: KEYS.slice(0, 1) }, "one");
  expect(nameOf({ encryptionKeys: KEYS.slice(0, 1) }, "two")).toBe(before);
  expect(nameOf({ encryptionKeys: KEYS }, "one")).not.toBe(before);
});

test("logins of registries are for every kubelet, and another password alone replaces no machine", () => {
  const secretOf = (password: string, username = "puller") =>
    only(
      plannedCluster({ registryLogins: { "registry.example:5000": { username, password } } }).find(
        "Secret tenant/tenant-files-",
      ),
    );
  const secret = secretOf("one");
  expect(secret?.["stringData"]).toEqual({
    "file-0": '{"auths":{"registry.example:5000":{"auth":"cHVsbGVyOm9uZQ=="}}}\n',
  });
  expect(secretOf("two")?.metadata.name).toBe(secret?.metadata.name);
  expect(secretOf("one", "other")?.metadata.name).not.toBe(secret?.metadata.name);
  const { find } = plannedCluster({
    registryLogins: { "registry.example:5000": { username: "puller", password: "one" } },
  });
  expect(machine(only(find("KubeadmConfigTemplate")))["files"]).toEqual([
    OF_EACH_MACHINE,
    {
      ...{ path: "/.docker/config.json", owner: "root:root", permissions: "0600" },
      contentFrom: { secret: { name: secret?.metadata.name, key: "file-0" } },
    },
  ]);
});

test("an encrypted file comes from the Secret, and its text tells nothing of the names", () => {
  const of = (content: string) => {
    const plain = { path: "/etc/plain", content: "a" };
    const secret = { path: "/etc/key", content: new Secret(content), permissions: "0640" };
    return plannedCluster({}, { kubeadm: { files: [plain, secret] } });
  };
  const { plan, find } = of("hidden");
  const secret = only(find("Secret tenant/tenant-files-"));
  expect(secret?.["stringData"]).toEqual({ "file-0": "hidden" });
  expect(plan.cnf.objects.find(({ object }) => object === secret)?.secret).toBe(true);
  expect(machine(only(find("KubeadmConfigTemplate")))["files"]).toEqual([
    OF_EACH_MACHINE,
    { path: "/etc/plain", content: "a", permissions: "0644", owner: "root:root" },
    {
      ...{ path: "/etc/key", owner: "root:root", permissions: "0640" },
      contentFrom: { secret: { name: secret?.metadata.name, key: "file-0" } },
    },
  ]);
  expect(find("").filter((object) => object !== secret)).toEqual(
    of("other").objects.filter(
      ({ kind, metadata }) => kind !== "Secret" || metadata.name !== secret?.metadata.name,
    ),
  );
});

const OPEN =
  "vnfm:vnfs.tenant.apiServer.allowedCidrs: is not set, so 0.0.0.0/0 can reach the Kubernetes API (6443); ";
const NETWORKS =
  "set the networks of the operators (with this machine), of the management cluster, and of the CNFs' users";

test.each<[string, object, object, string[]]>([
  ["an API without lists", { loadBalancerProvider: "amphora" }, {}, [OPEN + NETWORKS]],
  [
    "a provider that has none",
    { loadBalancerProvider: "ovn" },
    {},
    [`${OPEN}use the loadBalancerProvider amphora, because ovn has no such lists, and ${NETWORKS}`],
  ],
  [
    "no load balancer",
    { loadBalancer: false, floatingIp: "198.51.100.7" },
    {},
    [
      `${OPEN}use a loadBalancer, because only it supports such lists, and ${NETWORKS}`,
      expect.stringContaining("tenant.apiServer.loadBalancer: ") as string,
    ],
  ],
  ["an API with them", { allowedCidrs: ["0.0.0.0/0"] }, {}, []],
  ["an API without a floating IP", { floatingIp: false }, {}, []],
  ["a network that nobody reaches from outside", { floatingIp: false }, { externalNetwork: undefined }, []],
])("a cluster from a template has a warning about its open API: %s", (_, apiServer, network, warnings) => {
  const template = {
    apiServer,
    network: { externalNetwork: "public", dnsNameservers: ["198.19.0.1"], ...network },
  };
  expect(plannedCluster({}, template).plan.warnings).toEqual(warnings);
});

test("a field of kube-proxy that a later version may know is warned of, as of clusters on servers", () => {
  const template = {
    ...{ kubernetesVersion: "v1.99.0", apiServer: { floatingIp: false } },
    kubeadm: { kubeProxyConfiguration: { later: true } },
  };
  expect(plannedCluster({}, template).plan.warnings).toEqual([
    "vnfm:vnfs.tenant.kubeadm.kubeProxyConfiguration.later: kubeproxy.config.k8s.io/v1alpha1 has no such field; allowed: the fields of Kubernetes 1.31 to 1.37, and kubeadm rejects unknown fields on the first machine, before the cluster is bootstrapped",
  ]);
});

test("a mirror of http:// gets no login without a word", () => {
  const registryLogins = { "docker.io": { username: "a", password: "hidden" } };
  const registryMirrors = { "docker.io": ["http://mirror.example"], "quay.io": ["http://mirror.example"] };
  const apiServer = { floatingIp: false };
  expect(plannedCluster({ apiServer }, { registryLogins, registryMirrors }).plan.warnings).toEqual([
    'vnfm:vnfs.tenant.registryMirrors["docker.io"]: each node sends the password of a to http://mirror.example unencrypted; use HTTPS',
  ]);
});

test.each([
  ["https://mirror.example", "https://mirror.example", ""],
  ["https://mirror.example/", "https://mirror.example", ""],
  ["https://mirror.example/docker", "https://mirror.example/docker", ""],
  ["https://harbor.example/v2/hub/", "https://harbor.example/v2/hub", "override_path = true\n"],
])("the API of a mirror has its root where the mirror has it: %s", (given, url, root) => {
  const { find } = plannedCluster({ registryMirrors: { "quay.io": [given] } });
  const { files } = machine(only(find("KubeadmConfigTemplate")));
  expect(at(items(files)[1], "content")).toBe(
    `server = "https://quay.io"\n\n[host."${url}"]\ncapabilities = ["pull", "resolve"]\n${root}`,
  );
});

test("mirrors of registries, CAs, and files and commands of the operator", () => {
  const { find } = plannedCluster(
    {
      registryMirrors: { "docker.io": ["https://mirror.example/v2"] },
      trustedCertificates: [CERTIFICATE],
    },
    {
      kubeadm: {
        files: [{ path: "/etc/motd", content: "hello\n" }],
        preKubeadmCommands: ["swapoff -a"],
        postKubeadmCommands: ["true"],
      },
    },
  );
  const { files, preKubeadmCommands, postKubeadmCommands } = machine(only(find("KubeadmConfigTemplate")));
  expect(files).toEqual([
    OF_EACH_MACHINE,
    {
      ...{ path: "/usr/local/share/ca-certificates/vnfm-1.crt", owner: "root:root", permissions: "0644" },
      content: CERTIFICATE,
    },
    {
      ...{ path: "/etc/containerd/certs.d/docker.io/hosts.toml", owner: "root:root", permissions: "0644" },
      content:
        'server = "https://registry-1.docker.io"\n\n[host."https://mirror.example/v2"]\ncapabilities = ["pull", "resolve"]\n',
    },
    { path: "/etc/motd", owner: "root:root", permissions: "0644", content: "hello\n" },
  ]);
  expect(preKubeadmCommands).toEqual([
    CLOSE_METADATA_SERVICE,
    expect.stringContaining("update-ca-certificates"),
    "systemctl daemon-reload",
    "systemctl restart containerd",
    "swapoff -a",
  ]);
  expect(postKubeadmCommands).toEqual(["true"]);
});

test("a group that is autoscaled has a range and no replicas", () => {
  const { plan, find } = plannedCluster({ nodeGroups: { batch: { autoscaling: { min: 0, max: 8 } } } });
  const deployment = only(find("MachineDeployment"));
  expect(deployment?.metadata.annotations).toMatchObject({
    "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size": "0",
    "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size": "8",
  });
  expect(spec(deployment)).not.toHaveProperty("replicas");
  expect(plan.cnf.vnfcs.find(({ vdu }) => vdu === "batch")?.replicas).toBeUndefined();
});

test("settings determine how machines are replaced, and the version of Kubernetes of a group", () => {
  const old = {
    replicas: 3,
    kubernetesVersion: "v1.32.4",
    maxSurge: 0,
    maxUnavailable: 2,
    ...{ nodeDrainTimeout: "90s", nodeVolumeDetachTimeout: "5m", nodeDeletionTimeout: "1m" },
  };
  const { find } = plannedCluster({
    nodeGroups: { old },
    heal: {
      controlPlane: "2026-01-31T09:00:00.123Z",
      old: "2026-02-01T09:00:00Z",
      all: "2026-01-01T00:00:00Z",
    },
  });
  expect(spec(only(find("MachineDeployment")))).toMatchObject({
    rollout: {
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 0, maxUnavailable: 2 } },
      after: "2026-02-01T09:00:00Z",
    },
    remediation: { maxInFlight: "20%" },
    template: {
      spec: {
        version: "v1.32.4",
        deletion: {
          ...{
            nodeDrainTimeoutSeconds: 90,
            nodeVolumeDetachTimeoutSeconds: 300,
            nodeDeletionTimeoutSeconds: 60,
          },
        },
      },
    },
  });
  expect(spec(only(find("KubeadmControlPlane")))).toMatchObject({
    version: "v1.33.0",
    rollout: { before: { certificatesExpiryDays: 30 }, after: "2026-01-31T09:00:00Z" },
    machineTemplate: {
      spec: { deletion: { nodeDrainTimeoutSeconds: 600, nodeDeletionTimeoutSeconds: 300 } },
    },
  });
});

test("health checks of the control plane and of each group, unless they are off", () => {
  const { find } = plannedCluster({
    nodeGroups: {
      default: { replicas: 1, healthCheck: { unhealthyTimeout: "2m", maxUnhealthy: "1" } },
      batch: { replicas: 1, healthCheck: { enabled: false } },
    },
  });
  expect(find("MachineHealthCheck").map(({ metadata: { name } }) => name)).toEqual([
    "tenant-control-plane",
    "tenant-default",
  ]);
  expect(spec(find("MachineHealthCheck tenant/tenant-default")[0])).toEqual({
    clusterName: "tenant",
    selector: { matchLabels: { "cluster.x-k8s.io/deployment-name": "tenant-default" } },
    checks: {
      nodeStartupTimeoutSeconds: 1800,
      unhealthyNodeConditions: [
        { type: "Ready", status: "False", timeoutSeconds: 120 },
        { type: "Ready", status: "Unknown", timeoutSeconds: 120 },
      ],
    },
    remediation: { triggerIf: { unhealthyLessThanOrEqualTo: 1 } },
  });
});

test("taints of the control plane replace those of kubeadm, an empty list takes them away", () => {
  const { find } = plannedCluster({ controlPlane: { taints: [] } });
  const config = at(only(find("KubeadmControlPlane")), "spec", "kubeadmConfigSpec");
  for (const phase of ["initConfiguration", "joinConfiguration"])
    expect(at(config, phase, "nodeRegistration", "taints")).toEqual([]);
});
