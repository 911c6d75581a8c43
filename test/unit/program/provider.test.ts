/** The schema of the components for programs in other languages. */
import { packageSchema } from "../../../components/provider/schema";

interface Component {
  readonly isComponent: boolean;
  readonly properties: Readonly<Record<string, { readonly secret?: boolean }>>;
  readonly inputProperties: Readonly<Record<string, object>>;
  readonly requiredInputs: readonly string[];
}

interface PackageSchema {
  readonly types: Readonly<Record<string, object>>;
  readonly resources: Readonly<Record<string, Component>>;
}

const schema = packageSchema("1.2.3") as PackageSchema;

/** All that refers to a type. */
function references(part: unknown): string[] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) =>
    key === "$ref" ? [String(value)] : references(value),
  );
}

it("has each component with the settings of its kind, and those that it cannot be without", () => {
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

it("has what gives access to a cluster as a secret", () => {
  const { properties = {} } = schema.resources["vnfm:index:KubernetesCluster"] ?? {};
  const secrets = Object.entries(properties).filter(([, { secret }]) => secret === true);
  expect(secrets.map(([name]) => name)).toEqual(["kubeconfig", "vimConnectionInfo"]);
});

it("refers to types that it has alone, and uses all of them", () => {
  const named = new Set(references(schema).filter((reference) => reference !== "pulumi.json#/Any"));
  expect([...named].sort()).toEqual(
    Object.keys(schema.types)
      .map((token) => `#/types/${token}`)
      .sort(),
  );
});

it("leaves a map whose names no language can have as it is", () => {
  expect(schema.resources["vnfm:index:Cnf"]?.inputProperties["additionalParams"]).toMatchObject({
    $ref: "pulumi.json#/Any",
  });
});
