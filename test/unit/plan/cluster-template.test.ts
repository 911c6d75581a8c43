import { at, items, shown, type KubeObject } from "../../../components/kube/objects/object";
import { CLOSE_METADATA_SERVICE, METADATA_SERVICE } from "../../../components/plan/metadata-service";
import { workloads } from "../../../components/plan/model";
import { Secret } from "../../../components/base/secret";
import { kubeconfig } from "../fixtures";
import { plannedCluster as planned } from "./planned-cluster";

const flannel = { repository: "https://charts.example", version: "0.26.7", digest: "0".repeat(64) };

const nameOf = ({ metadata }: KubeObject) => metadata.name ?? "";

test("a cluster by a template is a VIM, with a credential in its Secret and its addons as instances on it", () => {
  const { plans, plan } = planned({ addons: { flannel } });
  expect(plans.map(({ name }) => name)).toEqual(["vnf-a", "tenant", "tenant-flannel"]);
  expect(plan.on).toEqual({ kind: "vnf", vnf: "vnf-a" });
  expect(plan.cluster).toMatchObject({
    name: "tenant",
    namespace: "tenant",
    vimName: "kubernetes_vim_tenant",
  });
  expect(plan.credential).toEqual({});
  expect(plan.cloudSecrets).toEqual([
    { key: "tenant-secret-tenant/tenant-cloud-config", credentialOf: "tenant", form: "clouds.yaml" },
  ]);
  const [, addon] = workloads(plans);
  expect(addon).toMatchObject({ on: { kind: "vnf", vnf: "tenant" } });
  expect(addon?.cnf.releases).toMatchObject([
    { name: "flannel", namespace: "kube-system", values: { podCidr: "10.244.0.0/16" } },
  ]);
});

test("the cluster that Cluster API runs on may be of another stack, or given by a kubeconfig", () => {
  const other = { stack: "clusters", vim_name: "kubernetes_vim_vnf-a" };
  const given = kubeconfig("management");
  const [ofStack, ofKubeconfig] = [planned({ vim: other }), planned({ vim: { kubeconfig: given } })];
  expect(ofStack.plan.on).toEqual({ kind: "stack", ...other });
  expect(ofKubeconfig.plan.on).toEqual({ kind: "kubeconfig", kubeconfig: new Secret(given) });
  for (const { plan, objects } of [ofStack, ofKubeconfig]) {
    expect(plan.cluster?.vimName).toBe("kubernetes_vim_tenant");
    expect(objects).toEqual(planned().objects);
  }
  const addons = workloads(planned({ vim: other, addons: { flannel } }).plans).slice(1);
  expect(addons.map(({ on }) => on)).toEqual([{ kind: "vnf", vnf: "tenant" }]);
});

test("a cluster that is given by its kubeconfig is asked whether it has Cluster API, and no other one", () => {
  const kinds = (cluster: object) => planned(cluster).plan.cnf.undefinedKinds?.map(({ kind }) => kind);
  expect(kinds({})).toEqual([]);
  expect(kinds({ vim: { stack: "clusters", vim_name: "kubernetes_vim_vnf-a" } })).toEqual([]);
  expect(kinds({ vim: { kubeconfig: kubeconfig("management") } })?.sort()).toEqual([
    ...["Cluster", "KubeadmConfigTemplate", "KubeadmControlPlane", "MachineDeployment"],
    ...["MachineHealthCheck", "OpenStackCluster", "OpenStackMachineTemplate"],
  ]);
});

test("a vim that is no cluster of the stack is a fault", () => {
  expect(() => planned({ vim: "vnf-b" })).toThrow(
    'vnfm:vnfs.tenant.vim: this stack has no instance "vnf-b"; one of tenant, vnf-a',
  );
});

test("an addon's namespace that is made has the labels of its settings; kube-system is not made", () => {
  const namespaceLabels = { "pod-security.kubernetes.io/enforce": "privileged" };
  const withLabels = (namespace: object) =>
    planned({ addons: { flannel: { ...flannel, ...namespace, namespaceLabels } } });
  const [, addon] = workloads(withLabels({ namespace: "cni" }).plans);
  expect(addon?.cnf.objects.map(({ object }) => object)).toEqual([
    { apiVersion: "v1", kind: "Namespace", metadata: { name: "cni", labels: namespaceLabels } },
  ]);
  expect(() => withLabels({})).toThrow(
    "vnfm:vnfs.tenant.addons.flannel.namespaceLabels: apply only to a namespace that vnfm creates",
  );
});

test("its objects are those of Cluster API, in an order by reference", () => {
  const { objects } = planned();
  expect(objects.map(shown).map((text) => text.replace(/-[0-9a-f]{8}$/, "-HASH"))).toEqual([
    "Namespace tenant",
    "Secret tenant/tenant-cloud-config",
    "KubeadmConfigTemplate tenant/tenant-default-HASH",
    "MachineHealthCheck tenant/tenant-control-plane",
    "MachineHealthCheck tenant/tenant-default",
    "OpenStackCluster tenant/tenant",
    "OpenStackMachineTemplate tenant/tenant-control-plane-HASH",
    "OpenStackMachineTemplate tenant/tenant-default-HASH",
    "KubeadmControlPlane tenant/tenant",
    "MachineDeployment tenant/tenant-default",
    "Cluster tenant/tenant",
  ]);
});

test("files and commands that Nova would refuse in the user data of machines are refused", () => {
  const file = (content: unknown) => ({ kubeadm: { files: [{ path: "/f", content }] } });
  const room = 47_000 - `${METADATA_SERVICE.content}${CLOSE_METADATA_SERVICE}`.length;
  expect(() => planned(file("f".repeat(room)))).not.toThrow();
  const kubeadm = { files: [{ path: "/f", content: "f".repeat(room) }], preKubeadmCommands: ["ls"] };
  expect(() => planned({ kubeadm })).toThrow(
    "vnfm:vnfs.tenant.kubeadm: the files and commands of the machines of KubeadmControlPlane tenant/tenant have 47002 bytes; " +
      "at most 47000 fit into the user data of Nova: let a command download them, or put them into the image",
  );
});

test("another content of a template is another template, of that group alone", () => {
  const before = planned({ nodeGroups: { a: { replicas: 1 }, b: { replicas: 1 } } });
  const after = planned({ nodeGroups: { a: { replicas: 2 }, b: { replicas: 1, flavor: "m1.large" } } });
  const names = ({ find }: typeof before, kind: string) => find(kind).map(nameOf);
  const changed = (kind: string) => {
    const old = names(before, kind);
    return names(after, kind).filter((name) => !old.includes(name));
  };
  expect(changed("OpenStackMachineTemplate")).toEqual([expect.stringMatching(/^tenant-b-[0-9a-f]{8}$/)]);
  expect(changed("KubeadmConfigTemplate")).toEqual([]);
});

test("labels and taints reach the nodes: those that Cluster API keeps by it, the others by the kubelet", () => {
  const labels = { pool: "batch", "node-role.kubernetes.io/batch": "" };
  const taints = [{ key: "batch", effect: "NoSchedule" }];
  const { find } = planned({ nodeGroups: { batch: { replicas: 1, labels, taints } } });
  const registration = at(
    find("KubeadmConfigTemplate")[0],
    ...["spec", "template", "spec", "joinConfiguration", "nodeRegistration"],
  );
  expect(items(at(registration, "kubeletExtraArgs"))).toContainEqual({
    name: "node-labels",
    value: "pool=batch",
  });
  expect(at(registration, "taints")).toEqual(taints);
  expect(at(find("MachineDeployment")[0], "spec", "template", "metadata", "labels")).toEqual({
    "node-role.kubernetes.io/batch": "",
  });
});

test("labels of all machines are joined with those of a group, which win, and what is each machine's own stays", () => {
  const { find } = planned(
    {
      nodeGroups: {
        batch: { replicas: 1, labels: { pool: "batch", "a.node-restriction.kubernetes.io/b": "c" } },
      },
    },
    {
      kubeadm: {
        kubeletExtraArgs: {
          "node-labels": "pool=all, site=a,empty",
          "cloud-provider": "external",
          "node-ip": "::",
        },
      },
    },
  );
  const args = (kind: string, ...path: string[]) =>
    at(find(kind)[0], "spec", ...path, "joinConfiguration", "nodeRegistration", "kubeletExtraArgs");
  const common = [
    { name: "cloud-provider", value: "external" },
    { name: "node-ip", value: "::" },
  ];
  const providerId = { name: "provider-id", value: "openstack:///'{{ instance_id }}'" };
  expect(args("KubeadmConfigTemplate", "template", "spec")).toEqual([
    common[0],
    common[1],
    { name: "node-labels", value: "pool=batch,site=a,empty=" },
    providerId,
  ]);
  expect(args("KubeadmControlPlane", "kubeadmConfigSpec")).toEqual([
    common[0],
    common[1],
    { name: "node-labels", value: "pool=all,site=a,empty=" },
    providerId,
  ]);
  expect(at(find("MachineDeployment")[0], "spec", "template", "metadata", "labels")).toEqual({
    "a.node-restriction.kubernetes.io/b": "c",
  });
});

test("cluster-autoscaler is told what nodes of a group would have, where there is none", () => {
  const annotations = (group: object) => {
    const { find } = planned({ nodeGroups: { batch: { autoscaling: { min: 0, max: 3 }, ...group } } });
    return at(find("MachineDeployment")[0], "metadata", "annotations");
  };
  const range = {
    "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size": "0",
    "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size": "3",
  };
  expect(annotations({})).toEqual(range);
  expect(
    annotations({
      labels: { pool: "batch", "node-role.kubernetes.io/batch": "" },
      taints: [
        { key: "batch", effect: "NoSchedule" },
        { key: "gpu", value: "a", effect: "NoExecute" },
      ],
    }),
  ).toEqual({
    ...range,
    "capacity.cluster-autoscaler.kubernetes.io/labels": "pool=batch,node-role.kubernetes.io/batch=",
    "capacity.cluster-autoscaler.kubernetes.io/taints": "batch=:NoSchedule,gpu=a:NoExecute",
  });
});

test("addons that use the cloud have a Secret with the cluster's credential", () => {
  const { plans } = planned({ addons: { "openstack-cloud-controller-manager": flannel } });
  const addon = workloads(plans).find(({ name }) => name !== "tenant");
  const key = "kube-system/openstack-cloud-controller-manager-cloud-config";
  expect(addon?.cloudSecrets).toEqual([
    {
      key: `tenant-openstack-cloud-controller-manager-secret-${key}`,
      credentialOf: "tenant",
      form: "cloud.conf",
      balancerProvider: "ovn",
      externalNetwork: "public",
      mark: expect.stringMatching(/^vnfm-attribute-[0-9a-f]{16}$/) as string,
    },
  ]);
  expect(addon?.cnf.objects.map(({ object }) => shown(object))).toEqual([`Secret ${key}`]);
  expect(addon?.cnf.releases[0]?.values).toEqual({
    secret: { enabled: true, create: false, name: "openstack-cloud-controller-manager-cloud-config" },
    cluster: { name: Object.keys(addon?.uniqueNames ?? {})[0] },
    podAnnotations: { "vnfm.io/cloud-config": addon?.cloudSecrets?.[0]?.mark },
  });
});

test("without a balancer of the API too, the provider of those of Services can be said", () => {
  const apiServer = { loadBalancer: false, floatingIp: "198.51.100.9", loadBalancerProvider: "ovn" };
  const { plans } = planned({ addons: { "openstack-cloud-controller-manager": flannel }, apiServer });
  const addon = workloads(plans).find(({ name }) => name !== "tenant");
  expect(addon?.cloudSecrets).toMatchObject([{ balancerProvider: "ovn" }]);
});

test("nodes with further ports are known by their addresses of the cluster's own network", () => {
  const of = (nodeGroup: object, network: object = {}) => {
    const addons = { "openstack-cloud-controller-manager": flannel };
    const { plans } = planned({ addons, nodeGroups: { default: { replicas: 1, ...nodeGroup } }, network });
    return workloads(plans).find(({ name }) => name !== "tenant")?.cloudSecrets?.[0]?.nodeCidr;
  };
  const additionalPorts = [{ network: "storage" }];
  expect(of({})).toBeUndefined();
  expect(of({ additionalPorts })).toBe("10.6.0.0/24");
  expect(of({ additionalPorts }, { nodeCidr: "10.9.0.0/24" })).toBe("10.9.0.0/24");
});

test("with the cloud controller manager, that says which server a node is", () => {
  const args = (cluster: object) => {
    const { find } = planned(cluster);
    const path = ["spec", "template", "spec", "joinConfiguration", "nodeRegistration", "kubeletExtraArgs"];
    return items(at(find("KubeadmConfigTemplate")[0], ...path)).map((arg) => at(arg, "name"));
  };
  expect(args({})).toEqual(["provider-id"]);
  expect(args({ addons: { "openstack-cloud-controller-manager": flannel } })).toEqual(["cloud-provider"]);
});

test("a token that rotates the credential makes another one", () => {
  const addons = { "openstack-cloud-controller-manager": flannel };
  expect(planned({ addons, credential: { rotate: "second" } }).plan.credential).toEqual({ rotate: "second" });
});

test("a control plane whose machine has the floating IP is not replaced by itself, which is told", () => {
  const rollout = (apiServer: object) => {
    const { find, plan } = planned({ apiServer }, { apiServer: {} });
    const [controlPlane] = find("KubeadmControlPlane");
    const told = plan.warnings.filter((one) => one.startsWith("vnfm:vnfs.tenant.apiServer.loadBalancer: "));
    return [at(controlPlane, "spec", "rollout", "before"), told];
  };
  const before = { certificatesExpiryDays: 30 };
  const kubeVip = { loadBalancer: false, floatingIp: false, fixedIp: "10.6.0.5" };
  expect(rollout({})).toEqual([before, []]);
  expect(rollout(kubeVip)).toEqual([before, []]);
  expect(rollout({ loadBalancer: false, floatingIp: "203.0.113.9" })).toEqual([
    undefined,
    [
      "vnfm:vnfs.tenant.apiServer.loadBalancer: the API's floatingIp is on the only machine of the control plane, which Cluster API cannot replace without a loadBalancer: heals and upgrades are rejected, other changes of controlPlane and apiServer fail, and its certificates expire after a year, unless `kubeadm certs renew all` is run on it before; use a loadBalancer, or kubeVip, for a cluster that will exist longer",
    ],
  ]);
});

describe("cluster-autoscaler of a cluster", () => {
  const nodeGroups = { batch: { autoscaling: { min: 0, max: 3 } }, web: { replicas: 1 } };
  const ofTenant = { name: "tenant-autoscaler", namespace: "tenant" };

  test("runs on the management cluster, in the cluster's namespace, with an image of the version", () => {
    const { find } = planned({ nodeGroups, kubernetesVersion: "v1.33.4", autoscaler: {} });
    const { containers, volumes, serviceAccountName } = (
      find("Deployment")[0] as unknown as {
        spec: {
          template: { spec: Record<"containers" | "volumes", object[]> & { serviceAccountName: string } };
        };
      }
    ).spec.template.spec;
    expect(serviceAccountName).toBe("tenant-autoscaler");
    expect(containers).toMatchObject([
      {
        image: "registry.k8s.io/autoscaling/cluster-autoscaler:v1.33.0",
        args: [
          "--cloud-provider=clusterapi",
          "--kubeconfig=/run/kubeconfig/value",
          "--clusterapi-cloud-config-authoritative",
          "--node-group-auto-discovery=clusterapi:namespace=tenant,clusterName=tenant",
          "--enforce-node-group-min-size=true",
        ],
      },
    ]);
    expect(volumes).toMatchObject([{ secret: { secretName: "tenant-kubeconfig" } }]);
    expect(find("Role")[0]).toMatchObject({ metadata: ofTenant });
    expect(find("RoleBinding")[0]).toMatchObject({
      roleRef: { kind: "Role", name: "tenant-autoscaler" },
      subjects: [{ kind: "ServiceAccount", ...ofTenant }],
    });
  });

  test("has the image of the setting", () => {
    const { find } = planned({ nodeGroups, autoscaler: { image: "registry.example/autoscaler:1" } });
    expect(find("Deployment")[0]).toMatchObject({
      spec: { template: { spec: { containers: [{ image: "registry.example/autoscaler:1" }] } } },
    });
  });

  test("is missed by a warning where a group needs it", () => {
    const at = "vnfm:vnfs.tenant.nodeGroups.batch.autoscaling";
    const warning = `${at}: nothing of the stack scales it: set autoscaler, or run cluster-autoscaler yourself`;
    expect(planned({ nodeGroups }).plan.warnings).toContain(warning);
    expect(planned({ nodeGroups, autoscaler: {} }).plan.warnings).not.toContain(warning);
  });
});
