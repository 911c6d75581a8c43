/** No fault and no warning of a plan shows a secret of the settings. */
import { workloads } from "../../../components/plan/model";
import { Mask } from "../../../components/plan/masked";
import { planStack } from "../../../components/plan/stack";
import { Secret } from "../../../components/base/secret";
import { SettingsFault } from "../../../components/base/settings-fault";
import { parseSettings } from "../../../components/settings/parse";
import { flavour, kubeconfig, vnfPackage } from "../fixtures";

interface Stack {
  /** The manifest of the CNF `web`, which has the variable X. */
  readonly web: string;
  /** That of the CNF `other` on the same cluster, which has no variables. @default there is no such CNF */
  readonly other?: string;
  /** The rules for the plan of an instance. @default none */
  readonly policy?: object;
}

/** Faults of planning a stack, or else its warnings. */
function told({ web, other, policy }: Stack, x: string | Secret): readonly string[] {
  const cnf = (name: string, variables?: object) => ({
    package: name,
    vim: { kubeconfig: kubeconfig("c") },
    additionalParams: { "lcm-kubernetes-def-files": ["m.yaml"], ...(variables && { variables }) },
  });
  const vnfs = { web: cnf("web", { X: x }), ...(other !== undefined && { other: cnf("other") }) };
  const loadPackage = (name: string) =>
    vnfPackage(name, { simple: flavour() }, { "m.yaml": (name === "web" ? web : other) ?? "" });
  const rules = JSON.stringify({ plan: { additionalProperties: policy } });
  const settings = { ...parseSettings(vnfs).settings, ...(policy && { policy: "policy.json" }) };
  try {
    const plans = planStack(settings, { loadPackage, readProjectFile: () => rules });
    return [plans, workloads(plans).map(({ cnf }) => cnf)].flat().flatMap(({ warnings }) => warnings);
  } catch (error) {
    if (error instanceof SettingsFault) return error.faults;
    throw error;
  }
}

const service = (name: string, nodePort: string) =>
  `{apiVersion: v1, kind: Service, metadata: {name: ${name}}, spec: {type: NodePort, ports: [{port: 80, nodePort: ${nodePort}}]}}`;
const deployment = (replicas: string, image: string) =>
  `{apiVersion: apps/v1, kind: Deployment, metadata: {name: d}, spec: {replicas: ${replicas}, selector: {matchLabels: {a: b}}, ` +
  `template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: ${image}}]}}}}`;
const job = (name: string) =>
  `{apiVersion: batch/v1, kind: Job, metadata: {name: j}, spec: {template: {spec: {restartPolicy: Never, containers: ` +
  `[{name: c, image: i, env: [{name: ${name}, value: a}, {name: ${name}, value: b}]}]}}}}`;

const CASES: readonly (readonly [string, string, Stack, string])[] = [
  [
    "the entry of a list",
    "hidden-name",
    { web: job("${X}") },
    "VNF package web is not valid:\n" +
      "  m.yaml:1: Job j: spec.template.spec.containers[0].env[1]: name [secret] is also that of [0], which server-side apply rejects; remove one of the two",
  ],
  [
    "an entry that is a line number too",
    "1",
    { web: job("'${X}'") },
    "VNF package web is not valid:\n" +
      "  m.yaml:1: Job j: spec.template.spec.containers[0].env[[secret]]: name [secret] is also that of [0], which server-side apply rejects; remove one of the two",
  ],
  [
    "a part of a text",
    "hidden",
    { web: job("NAME-${X}-2") },
    "VNF package web is not valid:\n" +
      "  m.yaml:1: Job j: spec.template.spec.containers[0].env[1]: name NAME-[secret]-2 is also that of [0], which server-side apply rejects; remove one of the two",
  ],
  [
    "a number, to the instance that has it in plain too",
    "31547",
    { web: service("web", "${X}"), other: service("other", "31547") },
    "vnfm:vnfs.other: Service default/other requests nodePort [secret], and so does Service default/web of web, on the same cluster; " +
      "set another value for one of the two, or remove it, so that Kubernetes chooses",
  ],
  [
    "a number that is written in another way",
    "0x7b3b",
    { web: service("web", "${X}"), other: service("other", "31547") },
    "vnfm:vnfs.other: Service default/other requests nodePort [secret], and so does Service default/web of web, on the same cluster; " +
      "set another value for one of the two, or remove it, so that Kubernetes chooses",
  ],
  [
    "a number of pods",
    "20001",
    { web: deployment("${X}", "i") },
    "vnfm:vnfs.web: would have [secret] replicas, [secret] of them of Deployment default/d; at most 10000 are allowed: lower spec.replicas",
  ],
  [
    "a short number, to a policy",
    "7",
    {
      web: deployment("${X}", "i"),
      policy: {
        properties: { pods: { additionalProperties: { properties: { replicas: { maximum: 5 } } } } },
      },
    },
    'plan.web.pods["Deployment default/d"].replicas: [secret] violates the policy: must be <= 5',
  ],
];

test.each(CASES)("a fault does not show %s", (_, x, stack, fault) => {
  expect(told(stack, new Secret(x))).toEqual([fault]);
  const [plain = ""] = told(stack, x);
  expect(plain).not.toContain("[secret]");
});

test("a password of a login, which is in no object, is hidden in no message", () => {
  const installation = {
    master_node: { ssh_cp_name: "cp", password: "masterNode" },
    worker_node: { ssh_cp_name: "cp" },
  };
  const additionalParams = { k8s_cluster_installation_param: installation };
  const { settings } = parseSettings({ "vnf-a": { package: "cluster", additionalParams } });
  expect(settings.faults).toEqual([]);
  const finding = { place: [], message: "no VDU masterNode" };
  expect(new Mask(settings).findings([finding])).toEqual([finding]);
});

test("a warning does not show a secret", () => {
  const warnings = (x: string | Secret) =>
    told({ web: "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {a: ${Y:=b}}}" }, x);
  expect(warnings("hidden")).toEqual([
    "vnfm:vnfs.web.additionalParams.variables.X: no manifest has ${X}; it is ignored",
  ]);
  expect(warnings(new Secret("manifest"))).toEqual([
    "vnfm:vnfs.web.additionalParams.variables.X: no [secret] has ${X}; it is ignored",
  ]);
});
