/** The site's rules: those of docs/policy.md, each with what is against it, and how a policy itself can be wrong. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { SettingsFault } from "../../../components/base/settings-fault";
import { planStack } from "../../../components/plan/stack";
import { parseSettings } from "../../../components/settings/parse";
import { checkPolicy } from "../../../components/settings/policy";
import { loadPackage } from "../../support/packages";
import { clusterTemplate, templateCluster } from "../../support/cluster-template";
import { clusterVnf } from "../../support/configs";
import { REPOSITORY } from "../../support/command";
import { configWith } from "./support";
import { recorded, settingsFault } from "../places";

const PAGE = readFileSync(join(REPOSITORY, "docs/policy.md"), "utf8");

/** The policy of a section of the page. */
function example(heading: string): string {
  const [, section = ""] = PAGE.split(`## ${heading}\n`);
  return /^```yaml policy\n([^]*?)^```/m.exec(section)?.[1] ?? "";
}

function settingsOf(changes: Readonly<Record<string, unknown>>) {
  const vnfs = configWith(changes, { "vnf-a": clusterVnf(2), tenant: templateCluster({ vim: "vnf-a" }) });
  const { settings } = parseSettings(vnfs, { kube: clusterTemplate() });
  expect(settings.faults).toEqual([]);
  return settings;
}

/** What a policy has against a kubeadm cluster and a cluster by a template, with changes, and against their plan. */
function against(policy: string, changes: Readonly<Record<string, unknown>> = {}): string[] {
  const readProjectFile = (path: string) => (path === "policy.yaml" ? policy : undefined);
  try {
    planStack({ ...settingsOf(changes), policy: "policy.yaml" }, { loadPackage, readProjectFile });
  } catch (error) {
    if (!(error instanceof SettingsFault)) throw error;
    return error.faults.filter((fault) => fault.includes("polic"));
  }
  return [];
}

/** What is wrong with the text of a policy. */
const faultsOf = (text: string | undefined) =>
  recorded((found) => checkPolicy("policy.yaml", text, settingsOf({}), {}, found));

const INSTALLATION = "vnf-a.additionalParams.k8s_cluster_installation_param";
const SMALL = "violates the policy: one of m1.small, m1.medium and m1.large";
const OWN = "violates the policy: only the site's own images, site-...";
const OPEN = "the API is not open to the world";

describe("the example", () => {
  it.each<[string, Readonly<Record<string, unknown>>, readonly string[]]>([
    ["Largest sizes", {}, []],
    [
      "Largest sizes",
      { "tenant.nodeGroups.default.replicas": 30, "vnf-a.scale.worker_instance": 10 },
      [
        "vnfm:vnfs.tenant.nodeGroups.default.replicas: 30 violates the policy: a group has at most 20 machines",
        "vnfm:vnfs.vnf-a.scale.worker_instance: 10 violates the policy: no aspect is scaled above level 9",
      ],
    ],
    [
      "Largest sizes",
      { "tenant.nodeGroups": Object.fromEntries([..."abcdef"].map((name) => [name, { replicas: 0 }])) },
      ["vnfm:vnfs.tenant.nodeGroups: a map violates the policy: a cluster has at most 5 node groups"],
    ],
    ["Allowed flavors", {}, []],
    [
      "Allowed flavors",
      { "tenant.nodeGroups.default.flavor": "g1.huge", "vnf-a.flavors": { workerNode: "g1.huge" } },
      [
        `plan.tenant.vdus["MachineDeployment tenant/tenant-default"].flavor: "g1.huge" ${SMALL}`,
        `plan.vnf-a.vdus.workerNode.flavor: "g1.huge" ${SMALL}`,
      ],
    ],
    [
      "Allowed images",
      { "tenant.image": "site-1", "vnf-a.images": { masterNode: "site-1", workerNode: "site-2" } },
      [],
    ],
    [
      "Allowed images",
      { "vnf-a.images": { masterNode: "site-1" } },
      [
        `plan.tenant.vdus["KubeadmControlPlane tenant/tenant"].images[0]: "debian-12-kube-v1.33.0" ${OWN}`,
        `plan.tenant.vdus["MachineDeployment tenant/tenant-default"].images[0]: "debian-12-kube-v1.33.0" ${OWN}`,
        // the package's own, which no setting names
        `plan.vnf-a.vdus.workerNode.images[0]: "debian-12-kube-v1.33.0" ${OWN}`,
      ],
    ],
    ["Allowed networks", { "vnf-a.extVirtualLinks.workerNode_CP2": { network: "site-net" } }, []],
    [
      "Allowed networks",
      {
        "vnf-a.extVirtualLinks.masterNode_CP1.floatingNetwork": "dmz",
        "vnf-a.extVirtualLinks.workerNode_CP2": { network: "backbone" },
      },
      [
        'plan.vnf-a.vdus.masterNode.floatingNetworks[0]: "dmz" violates the policy: one of site-net and public',
        'plan.vnf-a.vdus.workerNode.networks[0]: "backbone" violates the policy: one of site-net and public',
      ],
    ],
    [
      "Allowed registries",
      {
        "tenant.addons": {
          one: {
            repository: "https://registry.site.example/charts",
            version: "1.0.0",
            digest: "0".repeat(64),
          },
          two: { repository: "https://charts.example", version: "1.0.0", digest: "0".repeat(64) },
        },
      },
      [
        'vnfm:vnfs.tenant.addons.two.repository: "https://charts.example" violates the policy: charts are from registry.site.example',
        // of the CNI, which no setting names
        'plan.vnf-a.pods["DaemonSet kube-flannel/kube-flannel-ds"].images[0]: "ghcr.io/flannel-io/flannel:v0.26.7" violates the policy: images are from registry.site.example',
      ],
    ],
    [
      "No API that is open to the world",
      {},
      [`vnfm:vnfs.tenant.apiServer.allowedCidrs: the policy requires it: ${OPEN}`],
    ],
    [
      "No API that is open to the world",
      {
        "tenant.apiServer": { loadBalancerProvider: "amphora", allowedCidrs: ["10.0.0.0/8", "0.0.0.0/0"] },
        [`${INSTALLATION}.management_cidrs`]: ["::/0"],
      },
      [
        `vnfm:vnfs.tenant.apiServer.allowedCidrs[1]: "0.0.0.0/0" violates the policy: ${OPEN}`,
        `vnfm:vnfs.${INSTALLATION}.management_cidrs[0]: "::/0" violates the policy: ${OPEN}`,
      ],
    ],
    [
      "No API that is open to the world",
      { "tenant.apiServer": { loadBalancerProvider: "amphora", allowedCidrs: ["10.0.0.0/8"] } },
      [],
    ],
    [
      "No API that is open to the world",
      {
        "tenant.apiServer": { loadBalancerProvider: "amphora", allowedCidrs: ["10.0.0.0/8"] },
        [`${INSTALLATION}.management_cidrs`]: undefined,
      },
      [`vnfm:vnfs.${INSTALLATION}.management_cidrs: the policy requires it: ${OPEN}`],
    ],
    ["No rule for everyone", {}, []],
    [
      "No rule for everyone",
      { [`${INSTALLATION}.ingress_rules`]: [{ ports: ["sctp/38412"], cidrs: ["0.0.0.0/0"] }] },
      ['plan.vnf-a.ingress[4].from: "0.0.0.0/0" violates the policy: no port is open to the world'],
    ],
    [
      "Required labels",
      {},
      [
        "vnfm:vnfs.tenant.nodeGroups.default.labels: the policy requires it: each group has labels with a cost-center",
      ],
    ],
    [
      "Required labels",
      { "tenant.nodeGroups.default.labels": { a: "b" } },
      [
        "vnfm:vnfs.tenant.nodeGroups.default.labels.cost-center: the policy requires it: each group says who pays for it",
      ],
    ],
    ["Required labels", { "tenant.nodeGroups.default.labels": { "cost-center": "b" } }, []],
    ["Protected volumes", {}, []],
    [
      "Protected volumes",
      { "vnf-a.protectVolumes": false },
      ["vnfm:vnfs.vnf-a.protectVolumes: false violates the policy: volumes stay protected"],
    ],
    [
      "Names",
      {},
      [
        "vnfm:vnfs.tenant: the name violates the policy: names begin with prod- or test-",
        "vnfm:vnfs.vnf-a: the name violates the policy: names begin with prod- or test-",
      ],
    ],
  ])("%s, with %j", (heading, changes, faults) => {
    expect(against(example(heading), changes)).toEqual(faults);
  });

  it.each([...PAGE.matchAll(/^## (.+)\n(?:(?!^## )[^])*?^```yaml policy/gm)].map(([, heading]) => [heading]))(
    "%s is a valid policy",
    (heading) => {
      const valid = { "tenant.nodeGroups": {} };
      expect(
        against(example(heading ?? ""), valid).filter((fault) => fault.startsWith("vnfm:policy")),
      ).toEqual([]);
    },
  );

  it("with all rules together, under allOf, reports all", () => {
    const sections = ["Required labels", "Protected volumes"];
    const policy = `allOf:\n${sections.map((one) => `  -\n${example(one).replaceAll(/^/gm, "    ")}`).join("\n")}`;
    expect(against(policy, { "vnf-a.protectVolumes": false })).toHaveLength(2);
  });
});

describe("a rule", () => {
  it("without a message is told in the words of its keyword", () => {
    const rules = { properties: { replicas: { maximum: 0 }, flavor: { enum: ["a", "b"] } } };
    const policy = stringify({
      additionalProperties: { properties: { nodeGroups: { additionalProperties: rules } } },
    });
    expect(against(policy)).toEqual([
      'vnfm:vnfs.tenant.nodeGroups.default.flavor: "m1.small" violates the policy: must be one of a, b',
      "vnfm:vnfs.tenant.nodeGroups.default.replicas: 1 violates the policy: must be <= 0",
    ]);
  });

  it("with alternatives is reported once, in its own words", () => {
    const vim = { anyOf: [{ const: "a" }, { type: "object" }], description: "clusters are on a" };
    expect(against(stringify({ additionalProperties: { properties: { vim } } }))).toEqual([
      'vnfm:vnfs.tenant.vim: "vnf-a" violates the policy: clusters are on a',
    ]);
  });

  it("about a secret sees and shows that there is one, and no more", () => {
    const node = { properties: { password: { maxLength: 1, description: "log in by keys" } } };
    const param = { properties: { master_node: node } };
    const policy = stringify({
      additionalProperties: {
        properties: { additionalParams: { properties: { k8s_cluster_installation_param: param } } },
      },
    });
    expect(against(policy, { [`${INSTALLATION}.master_node.password`]: "hidden" })).toEqual([
      `vnfm:vnfs.${INSTALLATION}.master_node.password: "[secret]" violates the policy: log in by keys`,
    ]);
  });
});

describe("a policy", () => {
  it.each<[string | undefined, string]>([
    [undefined, 'vnfm:policy: there is no file "policy.yaml" next to Pulumi.yaml'],
    ["- a", "vnfm:policy: policy.yaml is not a policy: it is not a map"],
    ["a: {maximun: 1}", 'vnfm:policy: policy.yaml is not a policy: strict mode: unknown keyword: "a"'],
    ["plan: 1", "vnfm:policy: policy.yaml is not a policy: plan is not a map"],
    [
      "plan: {maximun: 1}",
      'vnfm:policy: policy.yaml is not a policy: strict mode: unknown keyword: "maximun"',
    ],
    [
      "maximum: one",
      "vnfm:policy: policy.yaml is not a policy: schema is invalid: data/maximum must be number",
    ],
  ])("%j is a fault itself", (text, fault) => {
    expect(faultsOf(text)).toEqual([fault]);
  });

  it("is a fault if it is no YAML, with the place", () => {
    const [fault] = faultsOf("a: {");
    expect(fault).toBe(
      "vnfm:policy: policy.yaml is not a policy: it is not valid YAML: line 1, column 4: the indentation is wrong, or a bracket is missing",
    );
  });

  it("is read next to Pulumi.yaml, and told with the faults of packages", () => {
    const { settings } = parseSettings({ a: { package: "none" }, b: clusterVnf(1) });
    const readProjectFile = (path: string) => (path === "site.json" ? '{"maxProperties": 1}' : undefined);
    const plan = () => planStack({ ...settings, policy: "site.json" }, { loadPackage, readProjectFile });
    expect(plan).toThrow(
      settingsFault(
        "VNF package none is not valid:\n  there is no such folder or zip",
        "vnfm:vnfs: a map violates the policy: must NOT have more than 1 properties",
      ),
    );
  });
});
