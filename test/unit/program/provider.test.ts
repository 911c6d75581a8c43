/** The schema of the components for programs in other languages. */
import manifest from "../../../package.json";
import { packageSchema } from "../../../components/provider/schema";

interface ObjectType {
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}

interface Component {
  readonly isComponent: boolean;
  readonly properties: Readonly<Record<string, { readonly secret?: boolean }>>;
  readonly inputProperties: Readonly<Record<string, object>>;
  readonly requiredInputs: readonly string[];
}

interface PackageSchema {
  readonly version: string;
  readonly keywords: readonly string[];
  readonly types: Readonly<Record<string, ObjectType>>;
  readonly resources: Readonly<Record<string, Component>>;
}

const schema = packageSchema(manifest) as PackageSchema;

/** All that refers to a type. */
function references(part: unknown): string[] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) =>
    key === "$ref" ? [String(value)] : references(value),
  );
}

it("the schema has each component with the settings of its kind, and those that it cannot be without", () => {
  expect(
    Object.entries(schema.resources).map(([token, { isComponent, requiredInputs }]) => [
      token,
      isComponent,
      requiredInputs,
    ]),
  ).toEqual([
    ["vnfm:index:Servers", true, ["package"]],
    ["vnfm:index:KubernetesCluster", true, ["package", "additionalParams"]],
    ["vnfm:index:Cnf", true, ["package", "vim", "additionalParams"]],
    ["vnfm:index:WorkloadCluster", true, ["vim"]],
  ]);
  const settingsOf = (kind: string) =>
    Object.keys(schema.resources[`vnfm:index:${kind}`]?.inputProperties ?? {});
  expect(settingsOf("Cnf")).toEqual(expect.arrayContaining(["package", "vim", "readyTimeout"]));
  expect(settingsOf("Cnf")).not.toContain("extVirtualLinks");
  expect(settingsOf("Servers")).toContain("keepBootVolumes");
  expect(settingsOf("WorkloadCluster")).not.toContain("clusterTemplate");
});

it("the schema has what gives access to a cluster as a secret", () => {
  const { properties = {} } = schema.resources["vnfm:index:KubernetesCluster"] ?? {};
  const secrets = Object.entries(properties).filter(([, { secret }]) => secret === true);
  expect(secrets.map(([name]) => name)).toEqual(["kubeconfig", "vimConnectionInfo"]);
});

it("the schema refers to types that it has alone, and uses all of them", () => {
  const named = new Set(references(schema).filter((reference) => reference !== "pulumi.json#/Any"));
  expect([...named].sort()).toEqual(
    Object.keys(schema.types)
      .map((token) => `#/types/${token}`)
      .sort(),
  );
});

/** Types without their descriptions. */
const typesOf = (properties: Readonly<Record<string, object>> = {}): object =>
  Object.fromEntries(
    Object.entries(properties).map(([name, { description, ...type }]: [string, { description?: string }]) => {
      void description;
      return [name, type];
    }),
  );

it("the schema has the parameters of each component as an object type of its own", () => {
  const paramsOf = (kind: string) => {
    const { $ref = "" } = schema.resources[`vnfm:index:${kind}`]?.inputProperties["additionalParams"] as {
      $ref?: string;
    };
    return schema.types[$ref.replace("#/types/", "")];
  };
  const cluster = paramsOf("KubernetesCluster");
  expect(cluster?.required).toEqual(["k8s_cluster_installation_param"]);
  expect(typesOf(cluster?.properties)).toMatchObject({
    k8s_cluster_installation_param: { $ref: "#/types/vnfm:index:ClusterInstallation" },
  });
  const cnf = paramsOf("Cnf");
  expect(Object.keys(cnf?.properties ?? {})).not.toContain("k8s_cluster_installation_param");
  expect(typesOf(cnf?.properties)).toMatchObject({
    "lcm-kubernetes-def-files": { type: "array", items: { type: "string" } },
    variables: {
      type: "object",
      additionalProperties: {
        oneOf: [
          { type: "string" },
          { type: "integer" },
          { type: "boolean" },
          { $ref: "#/types/vnfm:index:Attribute" },
        ],
      },
    },
    vdu_mapping: {
      type: "object",
      additionalProperties: { oneOf: [{ type: "string" }, { $ref: "#/types/vnfm:index:VduMapping" }] },
    },
  });
});

it("the schema has an object that takes further keys as a map, which refuses none of them", () => {
  expect(typesOf(schema.types["vnfm:index:ServerSettings"]?.properties)).toMatchObject({
    schedulerHints: { type: "object", additionalProperties: { $ref: "pulumi.json#/Any" } },
  });
});

it("describes allowed values, defaults and an example of a setting", () => {
  const { inputProperties = {} } = schema.resources["vnfm:index:KubernetesCluster"] ?? {};
  expect(inputProperties["placementPolicy"]).toEqual({
    type: "string",
    description:
      'strict: the cloud refuses servers that it cannot place by their (anti-)affinity rule. soft: it follows the rule as far as it has enough hosts. One of: `"strict"`, `"soft"`. Default: `"strict"`.',
  });
  expect(inputProperties["scale"]).toMatchObject({
    description:
      'Scale level of each scaling aspect; overrides the instantiation level. Changing it scales out or in. Example: `{"worker_instance":2}`',
  });
});

it("the schema names no type as a component, as the arguments of both would have one name", () => {
  const named = Object.keys(schema.types).filter((token) => Object.hasOwn(schema.resources, token));
  expect(named).toEqual([]);
});

it("the schema has the version and the keywords of the npm package", () => {
  expect(schema.version).toBe(manifest.version);
  expect(schema.keywords).toEqual([...manifest.keywords, "category/infrastructure", "kind/component"]);
});
