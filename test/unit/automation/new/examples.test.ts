/** The examples with a stack config, and that in YAML: settings and packages are right, and make these VNFCs. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { RELEASE_FILES } from "../../../../automation/cluster-api/releases";
import { templates } from "../../../../automation/new/template";
import { intentOf } from "../../../../automation/stack/intent";
import type { Vnfs } from "../../../../automation/stack/stack-config";
import { SettingsFault } from "../../../../components/base/settings-fault";
import { yamlData } from "../../../../components/base/yaml/yaml";
import { filesOf } from "../../../../components/gather/project-files";
import { REPOSITORY } from "../../../support/command";

const SIMPLE = ["masterNode-1", "workerNode-1"];

const VNFCS: Readonly<Record<string, object>> = {
  "cluster-and-cnf": { "vnf-a": SIMPLE, web: ["web"] },
  "helm-chart": { "vnf-a": SIMPLE, mine: [] },
  "high-availability": {
    "vnf-a": [1, 2, 3]
      .map((i) => `masterNode-${i}`)
      .concat("workerNode-1", "workerNode-2", "storage_server-1"),
  },
  pipeline: { "vnf-a": SIMPLE, web: ["web"] },
  "tenant-network": { "vnf-a": [...SIMPLE, "workerNode-2"] },
  "two-clusters": { east: SIMPLE, west: SIMPLE, "web-east": ["web"], "web-west": ["web"] },
  yaml: { "vnf-a": SIMPLE, web: ["web"] },
};

/** A file of an example, as data. Undefined: it has none. */
function dataOf(template: string, file: string): Record<string, Record<string, unknown>> | undefined {
  const path = join(REPOSITORY, "examples", template, file);
  return existsSync(path)
    ? (yamlData(readFileSync(path, "utf8"), file) as Record<string, Record<string, unknown>>)
    : undefined;
}

/** The instances of the program in YAML, with its config's defaults. */
function ofProgram(): Vnfs {
  const { config = {}, resources = {} } = dataOf("yaml", "Pulumi.yaml") ?? {};
  const text = JSON.stringify(resources).replaceAll(/\$\{([\w-]+)\}/g, (_, name: string) => {
    return (config[name] as { default?: string } | undefined)?.default ?? name;
  });
  const parsed = JSON.parse(text) as Record<string, { properties: Vnfs[string] }>;
  return Object.fromEntries(Object.entries(parsed).map(([name, { properties }]) => [name, properties]));
}

it("an example without a stack config is a program", () => {
  const programs = templates().filter((template) => dataOf(template, "Pulumi.dev.yaml") === undefined);
  expect(programs).toEqual(["components", "python", "yaml"]);
  const others = templates().filter((template) => !(template in VNFCS));
  expect(others).toEqual(["clusters-as-a-service", "components", "python"]);
});

it.each(Object.entries(VNFCS))("the plan of the example %s has its VNFCs", (template, expected) => {
  const config = dataOf(template, "Pulumi.dev.yaml")?.["config"];
  const vnfs = config === undefined ? ofProgram() : (config["vnfm:vnfs"] as Vnfs);
  const intent = intentOf({ vnfs, files: filesOf(join(REPOSITORY, "examples", template)) });
  const vnfcs = [...intent.values()].map(({ name, vnfcs }) => [name, [...vnfcs].sort()]);
  const sorted = Object.entries(expected).map(([name, its]) => [name, [...(its as string[])].sort()]);
  expect(Object.fromEntries(vnfcs)).toEqual(Object.fromEntries(sorted));
});

it("the example of clusters as a service lacks nothing but Cluster API's releases, which it fetches", () => {
  const config = dataOf("clusters-as-a-service", "Pulumi.dev.yaml")?.["config"] ?? {};
  const vnfs = config["vnfm:vnfs"] as Vnfs;
  const clusterTemplates = config["vnfm:clusterTemplates"] as Record<string, object>;
  const files = filesOf(join(REPOSITORY, "examples/clusters-as-a-service"));
  const missing = RELEASE_FILES.map(
    ({ packaged }) => `Files/kubernetes/${packaged}: the package has no such file`,
  );
  const faults = (): readonly string[] => {
    try {
      intentOf({ vnfs, clusterTemplates, files });
      return [];
    } catch (error) {
      if (!(error instanceof SettingsFault)) throw error;
      return error.findings.map(({ message }) => message);
    }
  };
  expect(faults()).toEqual(missing);
});
