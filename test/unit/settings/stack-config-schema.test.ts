/** What an editor says of a stack config by the schema that `vnfm schema` prints: nothing of what is right. */
import Ajv from "ajv";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { limits } from "../../../components/base/limits";
import { DEFINITIONS } from "../../../components/settings/schema-part";
import { stackConfigSchema } from "../../../components/settings/stack-config-schema";
import { mustRun, REPOSITORY } from "../../support/command";
import { devStack } from "../../support/dev-stack";

// an editor does not know the program's formats
const validate = new Ajv({ allErrors: true, validateFormats: false, allowUnionTypes: true }).compile(
  stackConfigSchema(),
);

/** Where and what; that a branch of an `if` was not met says nothing more. */
function faultsOf(stackConfig: unknown): string[] {
  validate(stackConfig);
  return (validate.errors ?? [])
    .filter(({ keyword }) => keyword !== "if")
    .map(({ instancePath, message, params }) =>
      [instancePath, message, params["additionalProperty"]].filter(Boolean).join(" "),
    );
}

const dev = () =>
  devStack<{
    config: { "vnfm:vnfs": Record<string, Record<string, unknown>>; [setting: string]: unknown };
    [key: string]: unknown;
  }>();

it("the schema takes the committed Pulumi.dev.yaml, which is the dev stack of the tests", async () => {
  const committed: unknown = parse(await mustRun("git", ["show", "HEAD:Pulumi.dev.yaml"]));
  expect(faultsOf(committed)).toEqual([]);
  expect(committed).toEqual(dev());
});

it("the schema has the limits of the plan", () => {
  const { vnf, nodeGroup } = DEFINITIONS as unknown as Record<string, { properties: Record<string, object> }>;
  const { scale, surge } = vnf?.properties ?? {};
  const { replicas, maxSurge, maxUnavailable } = nodeGroup?.properties ?? {};
  const level = { additionalProperties: { maximum: limits.scaleLevel } };
  expect([scale, surge]).toMatchObject([level, level]);
  const count = { maximum: limits.instances };
  expect([replicas, maxSurge, maxUnavailable]).toMatchObject([count, count, count]);
});

it("the schema takes it with what Pulumi itself writes into it", () => {
  const config = { ...dev().config, "openstack:region": "one", "other:password": { secure: "v1:x" } };
  expect(faultsOf({ ...dev(), config, encryptionsalt: "v1:x", secretsprovider: "passphrase" })).toEqual([]);
});

it("the schema refuses a key that is none of Pulumi's", () => {
  expect(faultsOf({ ...dev(), confg: {} })).toEqual(["must NOT have additional properties confg"]);
});

it.each<[string, object, string[]]>([
  [
    "the name of a setting",
    { "vnfm:vnf": {} },
    [
      '/config must match pattern "^(vnfm:vnfs|vnfm:clusterTemplates|vnfm:policy|(?!vnfm:)[^:]+:.+)$"',
      "/config property name must be valid",
    ],
  ],
  [
    "a setting of an instance",
    { "vnfm:vnfs": { a: { package: "p", flavor: "simple" } } },
    ["/config/vnfm:vnfs/a must NOT have additional properties flavor"],
  ],
  [
    "an encrypted secret",
    { "vnfm:vnfs": { a: { package: "p", vim: { kubeconfig: { secured: "v1:x" } } } } },
    [
      "/config/vnfm:vnfs/a/vim must be string",
      "/config/vnfm:vnfs/a/vim/kubeconfig must have required property 'secure'",
      "/config/vnfm:vnfs/a/vim/kubeconfig must NOT have additional properties secured",
      "/config/vnfm:vnfs/a/vim/kubeconfig must be string",
      "/config/vnfm:vnfs/a/vim/kubeconfig must match a schema in anyOf",
      "/config/vnfm:vnfs/a/vim must match a schema in anyOf",
    ],
  ],
  [
    "a template, and in what all of its groups have",
    { "vnfm:clusterTemplates": { kube: { controlPlane: { replicas: 2 }, nodeGroup: { flavour: "a" } } } },
    [
      "/config/vnfm:clusterTemplates/kube/controlPlane/replicas must be equal to one of the allowed values",
      "/config/vnfm:clusterTemplates/kube/nodeGroup must NOT have additional properties flavour",
    ],
  ],
  [
    "a cluster by a template",
    { "vnfm:vnfs": { tenant: { clusterTemplate: "kube", nodeGroups: { a: { replica: 1 } } } } },
    ["/config/vnfm:vnfs/tenant/nodeGroups/a must NOT have additional properties replica"],
  ],
])("the schema refuses a typing error in %s", (_, config, faults) => {
  expect(faultsOf({ config })).toEqual(faults);
});

it("the schema takes a secret in plain text or encrypted, and no other value so", () => {
  const withKubeconfig = (kubeconfig: unknown) => ({
    config: { "vnfm:vnfs": { a: { package: "p", vim: { kubeconfig } } } },
  });
  expect(faultsOf(withKubeconfig("apiVersion: v1"))).toEqual([]);
  expect(faultsOf(withKubeconfig({ secure: "v1:x" }))).toEqual([]);
  expect(faultsOf({ config: { "vnfm:vnfs": { a: { package: { secure: "v1:x" } } } } })).toEqual([
    "/config/vnfm:vnfs/a/package must be string",
  ]);
});

it("the schema requires nothing of a template that a cluster may say, and of a list's items what they need", () => {
  const templates = (kube: object) => ({ config: { "vnfm:clusterTemplates": { kube } } });
  expect(
    faultsOf(templates({ controlPlane: { replicas: 3 }, addons: { cni: { version: "1.0.0" } } })),
  ).toEqual([]);
  expect(faultsOf(templates({ nodeGroup: { taints: [{ key: "a" }] } }))).toEqual([
    "/config/vnfm:clusterTemplates/kube/nodeGroup/taints/0 must have required property 'effect'",
  ]);
});

it("the schema has no link to a page, which would lead nowhere from an editor", () => {
  expect(JSON.stringify(stackConfigSchema())).not.toMatch(/\]\([a-z-]+\.md/);
});

it("the schema has examples where the descriptions are, of secrets too", () => {
  expect(stackConfigSchema()).toMatchObject({
    definitions: {
      rotate: { examples: [{ certificates: "2026-11-21" }] },
      private_key: { examples: [expect.stringContaining("PRIVATE KEY")] },
    },
  });
});

describe("the examples of the documentation", () => {
  const VNFS = ["config", "vnfm:vnfs"];
  const PARAMS = [...VNFS, "example", "additionalParams"];
  const TEMPLATE = ["config", "vnfm:clusterTemplates", "example"];
  const { vnf, additionalParams, clusterInstallation, cluster, nodeGroup } = DEFINITIONS;
  /** Where examples that are parts of a config belong, by the settings that they begin with. */
  const PARTS: readonly (readonly [{ readonly properties: object }, readonly string[]])[] = [
    [vnf, [...VNFS, "example"]],
    [additionalParams, PARAMS],
    [clusterInstallation, [...PARAMS, "k8s_cluster_installation_param"]],
    [cluster, TEMPLATE],
    [nodeGroup, [...TEMPLATE, "nodeGroup"]],
  ];

  function placeOf(example: unknown): readonly string[] | undefined {
    const [key = "", inner] = Object.entries(example as object)[0] ?? [];
    if (Array.isArray(example)) return [...PARAMS, "using_helm_install_param"];
    if (key === "config") return [];
    if (key.startsWith("vnfm:")) return ["config"];
    const [, place] = PARTS.find(([{ properties }]) => Object.hasOwn(properties, key)) ?? [];
    if (place !== undefined) return place;
    const ofInner = typeof inner === "object" && inner !== null ? placeOf(inner) : undefined;
    return ofInner?.at(-1) === "example" ? ofInner.slice(0, -1) : undefined;
  }

  /** What stands for something that is left out. */
  const filled = (text: string) =>
    text
      .replaceAll(/, \.\.\. \}/g, " }")
      .replaceAll("{ ... }", "{}")
      .replaceAll("<64 digits>", "0".repeat(64));

  /** Pages with YAML of pipelines and of Pulumi programs. */
  const OTHERS = ["pipelines.md", "other-languages.md", "_index.md"];
  const examples = readdirSync(join(REPOSITORY, "docs"))
    .filter((page) => page.endsWith(".md") && !OTHERS.includes(page))
    .flatMap((page) => {
      const text = readFileSync(join(REPOSITORY, "docs", page), "utf8");
      return [...text.matchAll(/^```yaml\n([^]*?)^```/gm)].map(({ 1: block = "", index }) => ({
        at: `${page}:${text.slice(0, index).split("\n").length + 1}`,
        block,
        value: parse(filled(block)) as unknown,
      }));
    })
    // an object of Kubernetes, or metadata of one
    .filter(({ block }) => !/^(# fragment\n)?(apiVersion:|metadata:\n  (annotations|labels):)/.test(block));

  it.each(examples.map(({ at, value }) => [at, value] as const))("%s", (_, value) => {
    const place = placeOf(value) ?? ["belongs nowhere"];
    const whole = place.reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);
    // one that is a part of a config leaves out what the page has shown
    const isWhole = place.length <= 1;
    expect(faultsOf(whole).filter((fault) => isWhole || !fault.includes("required property"))).toEqual([]);
  });
});
