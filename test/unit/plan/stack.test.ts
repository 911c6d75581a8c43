import { planOf } from "../../support/planned";
import { withServers } from "../../../components/plan/model";
import { SettingsFault } from "../../../components/base/settings-fault";
import { PackageFault, type DeploymentFlavour, type VnfPackage } from "../../../components/vnfd/model";
import {
  clusterFlavour,
  connectionPoint,
  flavour,
  kubeconfig,
  subnet,
  vdu,
  virtualLink,
  vnfPackage,
} from "../fixtures";

const web = flavour({ vdus: { web: vdu("web", { image: undefined, flavor: undefined, minInstances: 1 }) } });
const manifest = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 1}}";

const service =
  "{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {type: NodePort, ipFamilies: [IPv6], " +
  "ports: [{port: 80, nodePort: 30080}]}}";
const old =
  "{apiVersion: flowcontrol.apiserver.k8s.io/v1beta3, kind: FlowSchema, metadata: {name: f}}\n---\n" +
  "{apiVersion: policy/v1beta1, kind: PodDisruptionBudget, metadata: {name: b}}";

const many =
  "{apiVersion: apps/v1, kind: Deployment, metadata: {name: few}, spec: {replicas: 2}}\n---\n" +
  "{apiVersion: apps/v1, kind: Deployment, metadata: {name: many}, spec: {replicas: 5000000000}}";

const custom =
  "{apiVersion: example.com/v1, kind: Monitor, metadata: {name: m}}\n---\n" +
  "{apiVersion: example.com/v1, kind: Monitor, metadata: {name: other}}";
const definition =
  "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: monitors.example.com}, " +
  "spec: {group: example.com, scope: Namespaced, names: {kind: Monitor, plural: monitors}, versions: []}}";
const cniManifest = "{apiVersion: apps/v1, kind: DaemonSet, metadata: {name: cni}}";

const tenantCluster = (network: string) =>
  `{apiVersion: cluster.x-k8s.io/v1beta2, kind: Cluster, metadata: {name: tenant}, spec: {clusterNetwork: ${network}}}`;

const packages: Record<string, Record<string, DeploymentFlavour>> = {
  cluster: { simple: clusterFlavour() },
  web: { simple: web },
  huge: {
    simple: clusterFlavour({
      vdus: { masterNode: vdu("masterNode", { initialInstances: 20_000_000, maxInstances: 30_000_000 }) },
      scalingAspects: {},
    }),
  },
  pinned: {
    simple: flavour({
      vdus: {
        web: vdu("web", {
          ...{ image: undefined, flavor: undefined, minInstances: 1 },
          extraSpecs: [
            { name: "hw:cpu_policy", value: "dedicated", property: "pinning" },
            { name: "hw:numa_nodes", value: undefined, property: "numa" },
          ],
        }),
      },
    }),
  },
  both: { simple: clusterFlavour(), ha: clusterFlavour({ id: "ha" }) },
};

function loadPackage(location: string): VnfPackage {
  const flavours = packages[location];
  if (flavours === undefined) {
    const message = "there is no such folder or zip";
    throw new PackageFault(location, [{ file: "", node: "", property: "", message }]);
  }
  return vnfPackage(location, flavours, {
    "web.yaml": manifest,
    "service.yaml": service,
    "old.yaml": old,
    "custom.yaml": custom,
    "definition.yaml": definition,
    "many.yaml": many,
    "of-ipv4.yaml": tenantCluster("{services: {cidrBlocks: [10.128.0.0/12]}}"),
    "of-both.yaml": tenantCluster("{services: {cidrBlocks: [10.128.0.0/12, 'fd00:10:96::/112']}}"),
    "of-kubeadms-default.yaml": tenantCluster("{}"),
  });
}

const plan = (vnfs: object, cni = cniManifest) => planOf(vnfs, { loadPackage, readProjectFile: () => cni });

function faultsOf(vnfs: object): readonly string[] {
  try {
    plan(vnfs);
  } catch (error) {
    if (error instanceof SettingsFault) return error.faults;
    throw error;
  }
  return [];
}

const cluster = (changes: object = {}) => ({
  package: "cluster",
  extVirtualLinks: { masterNode_CP1: { network: "n" }, workerNode_CP2: { network: "n" } },
  additionalParams: {
    k8s_cluster_installation_param: {
      master_node: { ssh_cp_name: "masterNode_CP1" },
      worker_node: { ssh_cp_name: "workerNode_CP2" },
      management_cidrs: ["198.19.0.0/24"],
    },
  },
  ...changes,
});

const cnf = (vim: unknown, params: object = {}) => ({
  package: "web",
  ...(vim === undefined ? {} : { vim }),
  additionalParams: { "lcm-kubernetes-def-files": ["web.yaml"], ...params },
});

describe("planStack", () => {
  it("tells that pods have no flavor, of which a VNFD asks for something", () => {
    const vnf = { ...cnf({ kubeconfig: kubeconfig("c") }), package: "pinned" };
    expect(plan({ "vnf-b": vnf })[0]?.warnings).toEqual([
      "vnfm:vnfs.vnf-b: VDU web consists of pods, whose requests are set by the manifests, not by pinning, numa",
    ]);
  });

  it("refuses more servers, and more pods, than an instance may have", () => {
    const kubernetes = { "lcm-kubernetes-def-files": ["many.yaml"], vdu_mapping: { web: "none" } };
    expect(
      faultsOf({
        huge: { package: "huge" },
        cnf: { ...cnf("cl"), additionalParams: kubernetes },
        cl: cluster(),
      }),
    ).toEqual([
      "vnfm:vnfs.huge: would have 20000000 VNFCs, 20000000 of them of VDU masterNode; at most 10000 are allowed: lower scale or instantiationLevel, or the numbers of the VNFD",
      "vnfm:vnfs.cnf: would have 5000000002 replicas, 5000000000 of them of Deployment default/many; at most 10000 are allowed: lower spec.replicas",
    ]);
  });

  it.each([
    ["v1.33.0", ["FlowSchema", "PodDisruptionBudget"]],
    // it may be the oldest that there is
    [undefined, ["PodDisruptionBudget"]],
  ])("refuses what the cluster of the same stack has no more, at %s", (kubernetes_version, kinds) => {
    const { additionalParams } = cluster();
    const installation = { ...additionalParams.k8s_cluster_installation_param, kubernetes_version };
    const its = { additionalParams: { k8s_cluster_installation_param: installation } };
    const app = (vim: unknown) => cnf(vim, { "lcm-kubernetes-def-files": ["web.yaml", "old.yaml"] });
    const [message = "", ...others] = faultsOf({ "vnf-a": cluster(its), app: app("vnf-a") });
    expect(others).toEqual([]);
    expect([...message.matchAll(/old\.yaml:\d: (\w+)/g)].map(([, kind]) => kind)).toEqual(kinds);
    expect(faultsOf({ app: app({ kubeconfig: kubeconfig("other") }) })).toEqual([]);
  });

  it("puts each cluster before the CNFs on it, in whatever order the config has them", () => {
    expect(plan({ app: cnf("vnf-a"), "vnf-a": cluster() }).map(({ name }) => name)).toEqual(["vnf-a", "app"]);
  });

  it("refuses a VIM that is absent, no cluster, or the CNF itself", () => {
    const vnfs = {
      "vnf-a": cluster(),
      one: cnf("vnf-b"),
      two: cnf("one"),
      three: cnf("three"),
      four: cnf(undefined),
    };
    expect(faultsOf(vnfs)).toEqual([
      "vnfm:vnfs.four.vim: is required for a CNF; set a cluster of this stack, a VIM of another stack, or a kubeconfig",
      'vnfm:vnfs.one.vim: this stack has no instance "vnf-b"; one of vnf-a',
      'vnfm:vnfs.two.vim: "one" is not a cluster; one of vnf-a',
      'vnfm:vnfs.three.vim: "three" is not a cluster; one of vnf-a',
    ]);
  });

  it("tells once what is wrong with a package, however many instances have it", () => {
    expect(faultsOf({ one: { package: "nowhere" }, two: { package: "nowhere" } })).toEqual([
      "VNF package nowhere is not valid:\n  there is no such folder or zip",
    ]);
  });

  describe("of a custom resource", () => {
    const ofManifests = (vim: unknown, ...files: readonly string[]) =>
      cnf(vim, { "lcm-kubernetes-def-files": ["web.yaml", ...files] });
    const operatorOn = (vim: unknown) =>
      cnf(vim, { "lcm-kubernetes-def-files": ["definition.yaml"], vdu_mapping: { web: "none" } });
    const undefinedKinds = (vnfs: object, cni?: string) =>
      plan(vnfs, cni).flatMap((one) => (one.kind === "cnf" ? (one.cnf.undefinedKinds ?? []) : []));
    const monitor = { apiVersion: "example.com/v1", kind: "Monitor" };

    it("knows that nothing on its cluster brings the definition", () => {
      const app = ofManifests("vnf-a", "custom.yaml");
      expect(undefinedKinds({ "vnf-a": cluster(), app })).toEqual([monitor]);
      const vnfs = { "vnf-a": cluster(), "vnf-b": cluster(), app, operator: operatorOn("vnf-b") };
      expect(undefinedKinds(vnfs)).toEqual([monitor]);
    });

    it("knows that the CNF, another one or the CNI of the cluster brings the definition", () => {
      const app = ofManifests("vnf-a", "custom.yaml");
      expect(
        undefinedKinds({ "vnf-a": cluster(), app: ofManifests("vnf-a", "custom.yaml", "definition.yaml") }),
      ).toEqual([]);
      expect(undefinedKinds({ "vnf-a": cluster(), app, operator: operatorOn("vnf-a") })).toEqual([]);
      expect(undefinedKinds({ "vnf-a": cluster(), app }, `${cniManifest}\n---\n${definition}`)).toEqual([]);
    });
  });

  it("knows which CNFs are in the way of a cluster that is made anew, unless they may go", () => {
    const wholeHeal = (changes: object) =>
      withServers(plan({ "vnf-a": cluster({ heal: { all: "1" }, ...changes }), app: cnf("vnf-a") }))[0]
        ?.wholeHeal;
    expect(wholeHeal({})).toEqual({
      token: "1",
      evacuate: false,
      refusal: expect.stringContaining("and app is on it: set vnfm:vnfs.vnf-a.evacuate to true") as string,
    });
    expect(wholeHeal({ evacuate: true })).toEqual({ token: "1", evacuate: true, refusal: undefined });
  });

  it("refuses a VIM for a cluster, and an instance that is both", () => {
    const both = cluster();
    Object.assign(both.additionalParams, { "lcm-kubernetes-def-files": ["web.yaml"] });
    expect(faultsOf({ "vnf-a": cluster({ vim: "vnf-b" }), "vnf-b": both })).toEqual(
      expect.arrayContaining([
        "vnfm:vnfs.vnf-a.vim: is for a CNF; add additionalParams.lcm-kubernetes-def-files or using_helm_install_param, or remove it",
        "vnfm:vnfs.vnf-b.additionalParams: set k8s_cluster_installation_param for a cluster, or lcm-kubernetes-def-files or using_helm_install_param for a CNF, not both",
      ]),
    );
  });

  it("refuses two CNFs that would fight for one object, and takes them in two namespaces", () => {
    const own = { kubeconfig: kubeconfig("its-own") };
    const [fault, ...others] = faultsOf({ "vnf-a": cluster(), one: cnf("vnf-a"), two: cnf("vnf-a") });
    expect(others).toEqual([]);
    expect(fault).toMatch(/one.*two|two.*one/);
    expect(fault).toContain("namespace");
    expect(
      faultsOf({ "vnf-a": cluster(), one: cnf("vnf-a"), two: cnf("vnf-a", { namespace: "two" }) }),
    ).toEqual([]);
    expect(faultsOf({ "vnf-a": cluster(), one: cnf("vnf-a"), two: cnf(own) })).toEqual([]);
  });

  it("refuses two CNFs that would fight for one object of a cluster of another stack", () => {
    const vim = (vim_name: string) => ({ stack: "clusters", vim_name });
    expect(faultsOf({ one: cnf(vim("a")), two: cnf(vim("b")) })).toEqual([]);
    expect(faultsOf({ one: cnf(vim("a")), two: cnf(vim("a")) })).toEqual([
      "vnfm:vnfs.two.additionalParams.namespace: Deployment default/web is also defined by one, on the same cluster; use a separate namespace for two",
    ]);
  });

  it("refuses Services that a cluster of the stack cannot have, and those of CNFs that share it", () => {
    const files = { "lcm-kubernetes-def-files": ["web.yaml", "service.yaml"] };
    const ipv6 = (name: string) =>
      `vnfm:vnfs.${name}: Service ${name}/web has IPv6 in ipFamilies, but the cluster vnf-a has only IPv4; remove that, or use ipFamilyPolicy PreferDualStack without ipFamilies`;
    const vnfs = {
      "vnf-a": cluster(),
      one: cnf("vnf-a", { ...files, namespace: "one" }),
      two: cnf("vnf-a", { ...files, namespace: "two" }),
      three: cnf({ kubeconfig: kubeconfig("x") }, { ...files, namespace: "three" }),
    };
    expect(faultsOf(vnfs)).toEqual([
      "vnfm:vnfs.two: Service two/web requests nodePort 30080, and so does Service one/web of one, on the same cluster; set another value for one of the two, or remove it, so that Kubernetes chooses",
      ipv6("one"),
      ipv6("two"),
    ]);
  });

  it("takes a Service of IPv6 on a cluster of the stack with dual stack", () => {
    const dual = { pod_cidr_ipv6: "fd00:10:244::/56", cluster_cidr_ipv6: "fd00:10:96::/112" };
    const { additionalParams } = cluster();
    const { k8s_cluster_installation_param: params } = additionalParams;
    const its = {
      additionalParams: {
        k8s_cluster_installation_param: { ...params, master_node: { ...params.master_node, ...dual } },
      },
    };
    const files = { "lcm-kubernetes-def-files": ["web.yaml", "service.yaml"] };
    expect(faultsOf({ "vnf-a": cluster(its), one: cnf("vnf-a", files) })).toEqual([]);
  });

  it.each([
    ["of-ipv4", ["IPv6 in ipFamilies, but the cluster tenant has only IPv4"]],
    ["of-both", []],
    ["of-kubeadms-default", []],
  ])("asks the Cluster of a workload cluster for its families: %s", (file, faults) => {
    const tenant = { "lcm-kubernetes-def-files": [`${file}.yaml`], vdu_mapping: { web: "none" } };
    const one = { "lcm-kubernetes-def-files": ["web.yaml", "service.yaml"] };
    const found = faultsOf({ tenant: cnf({ kubeconfig: kubeconfig("x") }, tenant), one: cnf("tenant", one) });
    expect(found.map((line) => line.slice(line.indexOf("IPv6"), line.indexOf(";")))).toEqual(faults);
  });

  it("wants a flavour where the package has more than one, and knows it", () => {
    expect(
      faultsOf({
        "vnf-a": cluster({ package: "both" }),
        "vnf-b": cluster({ package: "both", flavour: "haa" }),
      }),
    ).toEqual([
      "vnfm:vnfs.vnf-a.flavour: is required because the package has more than one; use one of ha, simple",
      'vnfm:vnfs.vnf-b.flavour: "haa" is not one of ha, simple; did you mean "ha"?',
    ]);
  });

  it("reports the faults of packages and of settings together", () => {
    expect(
      faultsOf({ "vnf-a": cluster({ scale: { worker_instance: 7 } }), "vnf-b": { package: "nowhere" } }),
    ).toEqual([
      "VNF package nowhere is not valid:\n  there is no such folder or zip",
      "vnfm:vnfs.vnf-a.scale.worker_instance: scale level 7 is above the VNFD's max_scale_level 2",
    ]);
  });

  it("reports what is wrong in some instances together with what others contradict", () => {
    const vnfs = {
      "vnf-a": cluster({ flavor: "simple" }),
      app: cnf("vnf-a"),
      "vnf-b": cluster({ scale: { worker_instance: 7 } }),
      two: cnf("vnf-c"),
      "vnf-d": { package: "nowhere" },
    };
    expect(faultsOf(vnfs)).toEqual([
      'vnfm:vnfs.vnf-a.flavor: unknown setting; did you mean "flavour"?',
      "VNF package nowhere is not valid:\n  there is no such folder or zip",
      "vnfm:vnfs.vnf-b.scale.worker_instance: scale level 7 is above the VNFD's max_scale_level 2",
      'vnfm:vnfs.two.vim: this stack has no instance "vnf-c"; one of vnf-a, vnf-b, vnf-d',
    ]);
  });

  it("offers no CNF as a VIM that cannot be planned itself", () => {
    const vnfs = {
      "vnf-a": cluster(),
      web: { ...cnf("vnf-a"), scael: {} },
      app: { ...cnf("vnf-a"), package: "nowhere" },
      two: cnf("wbe"),
    };
    expect(faultsOf(vnfs)).toEqual([
      expect.stringContaining("vnfm:vnfs.web.scael: unknown setting"),
      "VNF package nowhere is not valid:\n  there is no such folder or zip",
      'vnfm:vnfs.two.vim: this stack has no instance "wbe"; one of vnf-a',
    ]);
  });

  it("says what the VNFD asks for and is not made", () => {
    const storage = clusterFlavour();
    const worker = storage.vdus["workerNode"];
    packages["storage"] = {
      simple: {
        ...storage,
        vdus: { ...storage.vdus, ...(worker && { workerNode: { ...worker, volumes: ["disk"] } }) },
        placementGroups: [{ id: "apart", policy: "anti-affinity", scope: "zone", vdus: ["workerNode"] }],
      },
    };
    expect(plan({ "vnf-a": cluster({ package: "storage" }) })[0]?.warnings).toEqual([
      "vnfm:vnfs.vnf-a: VDU workerNode is created without its storages disk, which are not block storages",
      "vnfm:vnfs.vnf-a: apart applies to compute hosts (nfvi_node), not to zone",
    ]);
  });

  it("says what is open to everyone where management_cidrs does not say who may reach a cluster", () => {
    const installation = cluster().additionalParams.k8s_cluster_installation_param;
    const planned = (management_cidrs: readonly string[] | undefined) =>
      plan({
        "vnf-a": cluster({
          additionalParams: { k8s_cluster_installation_param: { ...installation, management_cidrs } },
        }),
      })[0];
    const open = planned(undefined);
    expect(open).toMatchObject({ cluster: { managementCidrs: ["0.0.0.0/0"] } });
    expect(open?.warnings).toEqual([
      "vnfm:vnfs.vnf-a.additionalParams.k8s_cluster_installation_param.management_cidrs: is not set, so 0.0.0.0/0 can reach SSH (22), the Kubernetes API and node ports (30000-32767); set the networks of the operators (with this machine) and of the CNFs' users",
    ]);
    // who writes it has been told enough
    expect(planned(["0.0.0.0/0"])?.warnings).toEqual([]);
  });

  it("says what kubeadm may not know, where no version is asked for", () => {
    const { additionalParams } = cluster();
    const installation = additionalParams.k8s_cluster_installation_param;
    const kubeadm = { kubelet_configuration: { podPidLimit: 100 } };
    const k8s_cluster_installation_param = { ...installation, kubeadm };
    expect(
      plan({ "vnf-a": cluster({ additionalParams: { k8s_cluster_installation_param } }) })[0]?.warnings,
    ).toEqual([
      expect.stringMatching(
        /^vnfm:vnfs\.vnf-a\.additionalParams\.k8s_cluster_installation_param\.kubeadm\.kubelet_configuration\.podPidLimit: .*; did you mean "podPidsLimit"\?; allowed: /,
      ),
    ]);
  });

  it("refuses a VDU that no image makes, and a boot volume that a node would keep", () => {
    const { vdus } = clusterFlavour();
    const other = (id: string, changes: object) => ({ [id]: vdu(id, { image: undefined, ...changes }) });
    packages["imageless"] = {
      simple: clusterFlavour({
        vdus: {
          ...vdus,
          ...other("VDU2", { initialInstances: 1, volumes: ["ROOT", "DATA"] }),
          ...other("VDU3", { initialInstances: 2 }),
          ...other("VDU4", {}),
        },
        volumes: {
          ROOT: { id: "ROOT", sizeGiB: 9, image: "debian-12", volumeType: undefined },
          DATA: { id: "DATA", sizeGiB: 9, image: undefined, volumeType: undefined },
        },
      }),
    };
    const vnf = (changes: object) => ({ "vnf-a": cluster({ package: "imageless", ...changes }) });
    expect(faultsOf(vnf({ keepBootVolumes: true }))).toEqual([
      "vnfm:vnfs.vnf-a.images.VDU3: is required because neither the VDU nor a storage that it requires has an image in the VNFD",
      "vnfm:vnfs.vnf-a.keepBootVolumes: is not for a cluster, because a node is re-created with its server; remove it",
    ]);
    expect(plan(vnf({ images: { VDU3: "debian-12" } }))[0]?.warnings).toEqual([]);
  });

  it("refuses instances that would make resources of the same name", () => {
    const servers = (id: string) => ({
      simple: flavour({ vdus: { [id]: vdu(id, { initialInstances: 1 }) } }),
    });
    Object.assign(packages, { long: servers("a-node"), short: servers("node") });
    expect(faultsOf({ vnf: { package: "long" }, "vnf-a": { package: "short" } })).toEqual([
      "vnfm:vnfs.vnf-a: and vnf would both create a resource vnf-a-node-1; rename one",
    ]);
  });

  describe("of clusters with load balancers of their own", () => {
    const { vdus, connectionPoints } = clusterFlavour();
    const balanced = {
      vdus: { ...vdus, masterNode: vdu("masterNode", { initialInstances: 3, maxInstances: 3 }) },
      virtualIps: {
        vip_CP: { id: "vip_CP", targets: ["masterNode_CP1"], vipFunction: "high_availability" },
      },
    } as const;
    packages["ha"] = { simple: clusterFlavour(balanced) };
    packages["ha-inside"] = {
      simple: clusterFlavour({
        ...balanced,
        connectionPoints: {
          ...connectionPoints,
          masterNode_CP1: connectionPoint("masterNode_CP1", "masterNode", { virtualLink: "inside" }),
        },
        virtualLinks: { inside: virtualLink("inside", [subnet("10.10.0.0/24")]) },
      }),
    };
    const ha = (virtual_router_id?: number, network = "n") => {
      const { additionalParams, extVirtualLinks } = cluster();
      const { k8s_cluster_installation_param: installation } = additionalParams;
      return cluster({
        package: "ha",
        extVirtualLinks: { ...extVirtualLinks, masterNode_CP1: { network } },
        additionalParams: {
          k8s_cluster_installation_param: { ...installation, load_balancer: { virtual_router_id } },
        },
      });
    };
    const refusal = (instance: string, id: number, other: string) =>
      `vnfm:vnfs.${instance}.additionalParams.k8s_cluster_installation_param.load_balancer.virtual_router_id: ${id} is also that of ${other}, on the network n; set another id for the newer one, 1 to 255`;

    // their names come to the same id
    const [one, two] = ["vnf-n", "vnf-z"] as const;

    it("refuses two of one id on a network", () => {
      expect(faultsOf({ [one]: ha(), [two]: ha() })).toEqual([refusal(two, 111, one)]);
      expect(faultsOf({ a: ha(7), b: ha(8), c: ha(7) })).toEqual([refusal("c", 7, "a")]);
    });

    it("takes two of one id on two networks, and two of two ids", () => {
      expect(faultsOf({ [one]: ha(), [two]: ha(undefined, "m") })).toEqual([]);
      expect(faultsOf({ [one]: ha(), [two]: ha(112) })).toEqual([]);
      expect(faultsOf({ [one]: ha(), [two]: cluster() })).toEqual([]);
      const { workerNode_CP2 } = cluster().extVirtualLinks;
      const masterNode_CP1 = { virtualLink: "inside", floatingNetwork: "public" };
      const inside = {
        ...ha(),
        package: "ha-inside",
        virtualLinks: { inside: { router: { externalNetwork: "public" } } },
        extVirtualLinks: { masterNode_CP1, workerNode_CP2 },
      };
      expect(faultsOf({ [one]: inside, [two]: inside })).toEqual([]);
    });
  });
});
