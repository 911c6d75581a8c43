/** Magnum's templates, clusters and node groups as settings, from what its client prints (see shown.ts). */
import Ajv from "ajv";
import { parse } from "yaml";
import { convert } from "../../../../automation/magnum/convert";
import { readRecords } from "../../../../automation/magnum/records";
import { settingsYaml } from "../../../../automation/conversion/yaml";
import { parseSettings } from "../../../../components/settings/parse";
import { stackConfigSchema } from "../../../../components/settings/stack-config-schema";
import { BOBCAT, clusterShown, groupShown, templateShown } from "./shown";

const filesOf = (shown: readonly unknown[]) =>
  shown.map((one, i) => ({
    path: `${i + 1}.json`,
    text: typeof one === "string" ? one : JSON.stringify(one),
  }));
const converted = (...shown: readonly unknown[]) => convert(readRecords(filesOf(shown)));

/** Settings and remarks of a cluster whose labels its template has too. */
function clusterOf(properties: object, labels: object, template: object = {}) {
  const all = converted(templateShown({ ...template, labels }), clusterShown({ ...properties, labels }));
  return { template: all.templates[0]!, cluster: all.vnfs[0]! };
}

/** What a label becomes in the template, and the remarks about it. */
function labelled(labels: Record<string, string>, template: object = {}) {
  const bare = converted(templateShown({ ...template, labels: {} })).templates[0]!;
  const { settings, remarks } = converted(templateShown({ ...template, labels })).templates[0]!;
  return {
    settings: Object.fromEntries(
      Object.entries(settings).filter(
        ([key, value]) => JSON.stringify(bare.settings[key]) !== JSON.stringify(value),
      ),
    ),
    remarks: remarks.filter((remark) => !bare.remarks.includes(remark)),
  };
}

const GPU = groupShown({
  uuid: "a7b1",
  name: "GPU nodes of the lab",
  flavor_id: "g1.large",
  labels: { ...BOBCAT, availability_zone: "gpu" },
  node_count: 0,
  is_default: false,
});

it("the conversion writes a config with what a cluster has beside its template, and above each what has no place", () => {
  expect(settingsYaml(converted(GPU, clusterShown(), groupShown(), templateShown()))).toBe(`config:
  vnfm:clusterTemplates:
    # label coredns_tag "1.10.1": is determined by the release of Kubernetes and its kubeadm
    # label containerd_version "1.6.20": is part of the machines' image
    # label flannel_tag "v0.21.5": an addon: list its chart under \`addons\`, with its version and values
    # label cloud_provider_tag "v1.26.3": an addon: list its chart under \`addons\`, with its version and values
    # label cinder_csi_enabled "true": an addon: add the chart \`openstack-cinder-csi\` under \`addons\`
    # label ingress_controller "octavia": an addon: list its chart under \`addons\`, with its version and values
    # network_driver "flannel": an addon: a cluster needs a CNI, so add its chart under \`addons\`
    # volume_driver "cinder": an addon: add the chart \`openstack-cinder-csi\` under \`addons\`
    # cluster_distro "fedora-coreos": the image must contain containerd and kubeadm, as images of image-builder do
    kube-1.26:
      kubernetesVersion: v1.26.8
      image: fedora-coreos-38
      nodeGroup:
        flavor: m1.small
      controlPlane:
        flavor: m1.medium
      sshKeyName: operator
      network:
        externalNetwork: public
        dnsNameservers:
          - 192.0.2.53
          - 192.0.2.54
  vnfm:vnfs:
    # nodeGroups.gpu-nodes-of-the: its name in Magnum is "GPU nodes of the lab"
    tenant-a:
      clusterTemplate: kube-1.26
      vim: vnf-a # instance name of the cluster that it runs on
      controlPlane:
        replicas: 3
      nodeGroups:
        gpu-nodes-of-the:
          replicas: 0
          availabilityZone: gpu
          flavor: g1.large
        default-worker:
          replicas: 2
`);
});

it("the conversion writes a config that is valid, and that an editor does not mark", () => {
  const labels = {
    ...BOBCAT,
    auto_scaling_enabled: "true",
    max_node_count: "6",
    boot_volume_size: "40",
    boot_volume_type: "ssd",
    etcd_volume_size: "10",
    availability_zone: "az1",
    octavia_provider: "amphora",
    master_lb_floating_ip_enabled: "false",
    master_lb_allowed_cidrs: "192.0.2.0/24, 198.51.100.0/24",
    flannel_network_cidr: "10.100.0.0/16",
    service_cluster_ip_range: "10.254.0.0/16",
    fixed_subnet_cidr: "10.0.0.0/24",
    oidc_issuer_url: "https://issuer.example",
    oidc_client_id: "kube",
    server_group_policies: "soft-anti-affinity",
    auto_healing_enabled: "true",
    kubelet_options: "--max-pods=200",
    kubeapi_options: "--v=2",
    extra_network_name: "storage",
    api_server_cert_sans: "api.example",
  };
  const template = templateShown({ labels, http_proxy: "http://proxy.example:3128", no_proxy: ".example" });
  const text = settingsYaml(converted(template, clusterShown({ labels }), groupShown({ labels })));
  const { config } = parse(text) as { config: Record<string, object> };
  const validate = new Ajv({ validateFormats: false, allowUnionTypes: true }).compile(stackConfigSchema());
  expect([validate({ config }), validate.errors]).toEqual([true, null]);
  const { settings } = parseSettings(config["vnfm:vnfs"], config["vnfm:clusterTemplates"]);
  expect(settings.faults).toEqual([]);
  expect(settings.clusters["tenant-a"]).toMatchObject({
    vim: "vnf-a",
    kubernetesVersion: "v1.26.8",
    sshKeyName: "operator",
    controlPlane: {
      flavor: "m1.medium",
      replicas: 3,
      rootVolume: { sizeGiB: 40, type: "ssd" },
      etcdVolume: { sizeGiB: 10 },
      availabilityZones: ["az1"],
      serverGroup: "soft-anti-affinity",
    },
    autoscaler: {},
    nodeGroups: {
      "default-worker": {
        autoscaling: { min: 2, max: 6 },
        flavor: "m1.small",
        availabilityZone: "az1",
        rootVolume: { sizeGiB: 40, type: "ssd" },
        additionalPorts: [{ network: "storage" }],
      },
    },
    network: { podCidr: "10.100.0.0/16", serviceCidr: "10.254.0.0/16", nodeCidr: "10.0.0.0/24" },
    apiServer: {
      floatingIp: false,
      allowedCidrs: ["192.0.2.0/24", "198.51.100.0/24"],
      certSans: ["api.example"],
    },
  });
});

describe("a label", () => {
  it.each<[Record<string, string>, object]>([
    [{ kube_tag: "1.28.5" }, { kubernetesVersion: "v1.28.5" }],
    [{ boot_volume_size: "0" }, {}],
    [{ octavia_provider: "octavia" }, { apiServer: { loadBalancerProvider: "amphora" } }],
    [{ octavia_provider: "OVN" }, { apiServer: { loadBalancerProvider: "ovn" } }],
    [{ master_lb_floating_ip_enabled: "true" }, {}],
    [{ master_lb_floating_ip_enabled: "False" }, { apiServer: { floatingIp: false } }],
    [
      { kubeapi_options: "--v=2 --profiling", admission_control_list: "NodeRestriction" },
      {
        apiServer: {
          extraArgs: { v: "2", profiling: "true", "enable-admission-plugins": "NodeRestriction" },
        },
      },
    ],
    [
      { auto_healing_enabled: "0" },
      {
        controlPlane: { flavor: "m1.medium", healthCheck: { enabled: false } },
        nodeGroup: { flavor: "m1.small", healthCheck: { enabled: false } },
      },
    ],
    [
      { control_plane_availability_zones: "a,b", availability_zone: "c" },
      {
        controlPlane: { flavor: "m1.medium", availabilityZones: ["a", "b"] },
        nodeGroup: { flavor: "m1.small", availabilityZone: "c" },
      },
    ],
    [
      { etcd_volume_size: "5", etcd_blockdevice_size: "8" },
      {
        controlPlane: { flavor: "m1.medium", etcdVolume: { sizeGiB: 8 } },
      },
    ],
  ])("%j is a setting", (labels, settings) => {
    expect(labelled(labels)).toEqual({ settings, remarks: [] });
  });

  it.each<[Record<string, string>, string]>([
    [{ kube_tag: "latest" }, 'label kube_tag "latest": is not a release of Kubernetes'],
    [{ boot_volume_type: "ssd" }, 'label boot_volume_type "ssd": has no effect without boot_volume_size'],
    [{ boot_volume_size: "large" }, 'label boot_volume_size "large": is not a whole number'],
    [
      { calico_ipv4pool: "10.1.0.0/16" },
      'label calico_ipv4pool "10.1.0.0/16": has no effect with network_driver "flannel"',
    ],
    [{ auto_healing_enabled: "maybe" }, 'label auto_healing_enabled "maybe": is neither true nor false'],
    [
      { server_group_policies: "affinity" },
      'label server_group_policies "affinity": is not a policy that spreads machines: use anti-affinity or soft-anti-affinity',
    ],
    [
      { octavia_provider: "f5" },
      'label octavia_provider "f5": is a provider that is not supported: use amphora or ovn',
    ],
    [{ kubelet_options: "-v 2" }, 'label kubelet_options "-v 2": is not a list of --argument=value'],
    [
      { grafana_admin_passwd: "hidden" },
      "label grafana_admin_passwd: an addon: list its chart under `addons`, with its version and values",
    ],
    [{ "x\ny": "hidden" }, 'label "x\\ny": is not supported'],
  ])("%j has no place", (labels, remark) => {
    expect(labelled(labels)).toEqual({ settings: {}, remarks: [remark] });
  });

  it("is not mentioned if it switches off a feature that is off anyway", () => {
    expect(labelled({ monitoring_enabled: "false", docker_volume_type: "" })).toEqual({
      settings: {},
      remarks: [],
    });
  });

  it("has no effect on the addresses of a subnet if the network exists", () => {
    const { settings, remarks } = labelled({ fixed_subnet_cidr: "10.0.0.0/24" }, { fixed_network: "net" });
    expect({ settings, remarks }).toEqual({
      settings: {},
      remarks: ['label fixed_subnet_cidr "10.0.0.0/24": has no effect with fixed_network'],
    });
  });
});

describe("a property", () => {
  it.each([
    "http://user:hidden@proxy.example:3128",
    "http://hidden@proxy.example:3128",
    "http://user:hid/hidden@proxy.example:3128",
    "http://user:hid hidden@proxy.example:3128",
    "user:hidden@proxy.example:3128",
  ])("is left out, with a way to set it, if it is a proxy with a login, as %s", (https_proxy) => {
    const all = converted(templateShown({ https_proxy }));
    expect(settingsYaml(all)).not.toContain("hidden");
    expect(all.templates[0]?.remarks).toContain(
      "https_proxy: contains credentials, which are omitted: set proxy.httpsProxy with `pulumi config set --secret --path`",
    );
  });

  it.each([
    [
      { insecure_registry: "user:hidden@registry.example:5000" },
      "insecure_registry: registries are always used with TLS",
    ],
    [
      { labels: { container_infra_prefix: "https://user:hidden@mirror.example/" } },
      "label container_infra_prefix: a prefix of images",
    ],
    [
      { labels: { containerd_tarball_url: "https://user:hidden@files.example/c.tgz" } },
      "label containerd_tarball_url: is part of",
    ],
    [
      { labels: { oidc_issuer_url: "https://user:hidden@issuer.example" } },
      "label oidc_issuer_url: contains credentials, which are omitted: apiServer.oidc.issuerUrl must not contain a secret",
    ],
    [
      { labels: { kubeapi_options: "--v=2 --audit-webhook=https://user:hidden@audit.example" } },
      "label kubeapi_options: contains credentials, which are omitted: apiServer.extraArgs must not contain a secret",
    ],
  ])("is not shown if it has a login in another URL: %j", (shown, remark) => {
    const all = converted(templateShown(shown));
    expect(settingsYaml(all)).not.toContain("hidden");
    expect(all.templates[0]?.remarks).toContainEqual(expect.stringContaining(remark));
  });

  it("stays if it has an @ and no login", () => {
    expect(converted(templateShown({ keypair_id: "ops@site" })).templates[0]?.settings["sshKeyName"]).toBe(
      "ops@site",
    );
  });

  it("gets a remark if it is a flavor's id, as machines are created by its name", () => {
    const id = "12345678-1234-1234-1234-123456789abc";
    expect(converted(templateShown({ flavor_id: id })).templates[0]?.remarks).toContain(
      `flavor_id "${id}": is an id: replace it with the name`,
    );
  });
});

describe("a cluster", () => {
  it("has the version that runs on it, not that of the label", () => {
    const { template, cluster } = clusterOf({ coe_version: "v1.27.4" }, { kube_tag: "v1.26.8" });
    expect([template.settings["kubernetesVersion"], cluster.settings["kubernetesVersion"]]).toEqual([
      "v1.26.8",
      "v1.27.4",
    ]);
  });

  it("without a label of its template is told, as it cannot take a setting out", () => {
    const all = converted(
      templateShown({ labels: { octavia_provider: "ovn" } }),
      clusterShown({ labels: {}, coe_version: null }),
    );
    expect(all.vnfs[0]?.remarks).toEqual([
      "apiServer.loadBalancerProvider: its template has it, the cluster does not: use a template without it",
    ]);
  });

  it("has the group that Magnum creates if its groups are not given", () => {
    expect(clusterOf({ node_count: 4 }, {}).cluster.settings["nodeGroups"]).toEqual({
      "default-worker": { replicas: 4 },
    });
  });

  it("has the groups of a list, which knows no labels", () => {
    const list = [
      {
        uuid: "m",
        name: "default-master",
        flavor_id: "m1.medium",
        image_id: "i",
        node_count: 3,
        status: "CREATE_COMPLETE",
        role: "master",
      },
      {
        uuid: "w",
        name: "default-worker",
        flavor_id: "m1.large",
        image_id: "fedora-coreos-38",
        node_count: 5,
        status: "CREATE_COMPLETE",
        role: "worker",
      },
    ];
    const all = converted(list, templateShown(), clusterShown());
    expect(all.vnfs[0]?.settings["nodeGroups"]).toEqual({
      "default-worker": { replicas: 5, flavor: "m1.large" },
    });
  });

  it("gets another name, and a remark, if no instance may have its name", () => {
    const { cluster } = clusterOf({ name: "1. Tenant_A" }, {});
    expect([cluster.name, cluster.remarks[0]]).toEqual(["tenant-a", 'its name in Magnum is "1. Tenant_A"']);
  });
});

describe("the number of a group's machines", () => {
  const sizeOf = (group: object, labels: object) => {
    const all = converted(
      templateShown({ labels }),
      clusterShown({ labels }),
      groupShown({ labels, ...group }),
    );
    const { settings, remarks } = all.vnfs[0]!;
    return { groups: settings["nodeGroups"], remarks };
  };

  it.each<[string, object, object, object]>([
    ["fixed", {}, { max_node_count: "5" }, { replicas: 2 }],
    [
      "between those of the group",
      { min_node_count: 2, max_node_count: 4 },
      { auto_scaling_enabled: "true", max_node_count: "9" },
      { autoscaling: { min: 2, max: 4 } },
    ],
    [
      "between those of the labels",
      {},
      { auto_scaling_enabled: "true", min_node_count: "2", max_node_count: "9" },
      { autoscaling: { min: 2, max: 9 } },
    ],
  ])("is %s", (_, group, labels, settings) => {
    expect(sizeOf(group, labels)).toEqual({ groups: { "default-worker": settings }, remarks: [] });
  });

  it("is fixed, and told, where there is no greatest one", () => {
    expect(sizeOf({}, { auto_scaling_enabled: "true" })).toEqual({
      groups: { "default-worker": { replicas: 2 } },
      remarks: [
        "nodeGroups.default-worker: auto_scaling_enabled: max_node_count is not above 2, so the number is fixed",
      ],
    });
  });
});

describe("what cannot be converted", () => {
  const KINDS =
    "is not the output of openstack coe cluster show, cluster template show, nodegroup show or nodegroup list with -f json";

  it.each<[string, readonly unknown[], readonly string[]]>([
    [
      "all that is wrong, at once",
      [
        "{",
        [],
        { uuid: "a" },
        clusterShown(),
        templateShown({ uuid: "b", coe: "swarm" }),
        groupShown({ cluster_id: "c" }),
      ],
      [
        `1.json: ${KINDS}`,
        `2.json: ${KINDS}`,
        `3.json: ${KINDS}`,
        "template kube-1.26: its coe is swarm, not kubernetes",
        "cluster tenant-a: its template is missing; add openstack coe cluster template show da2825a0-6d09-4208-b39e-b2db666f1118 -f json",
        "node group default-worker: its cluster is missing; add openstack coe cluster show c -f json",
      ],
    ],
    [
      "a list of groups that may be of either cluster",
      [
        templateShown(),
        clusterShown(),
        clusterShown({ uuid: "d", name: "b" }),
        [{ uuid: "w", role: "worker", node_count: 1 }],
      ],
      [
        "4.json: a list of node groups does not name its cluster; convert it together with only its cluster, or use openstack coe nodegroup show for each group",
      ],
    ],
    [
      "names that are one here",
      [templateShown(), clusterShown(), clusterShown({ uuid: "d", name: "Tenant A" })],
      ["cluster: two of them would have the name tenant-a; convert only one of them"],
    ],
  ])("is told: %s", (_, shown, faults) => {
    expect(() => converted(...shown)).toThrow(["these cannot be converted:", ...faults].join("\n  "));
  });
});
