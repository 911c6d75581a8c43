import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { RELEASE_FILES } from "../../automation/cluster-api/releases";
import { mustRun, REPOSITORY } from "./command";

/** Returns the folder in the cache of a built component of the toolchain. */
export const toolchainPath = async (component: string): Promise<string> =>
  (await mustRun("toolchain/build.sh", ["--path", component])).trim();

/** Adds the images, release files and charts of Cluster API to the lab. */
export function labWithClusterApi(): Promise<string> {
  return mustRun("lab/lab.sh", ["cluster-api"]);
}

const CHARTS = "http://198.19.0.1:5002/charts";

/** Returns version and digest of a chart of the toolchain, as in the lab's chart repository. */
export async function pinned(name: string): Promise<{ version: string; digest: string }> {
  const charts = await toolchainPath("charts");
  const index = parse(readFileSync(join(charts, "index.yaml"), "utf8")) as {
    entries: Record<string, { version: string; digest: string }[]>;
  };
  const [{ version, digest } = { version: "", digest: "" }] = index.entries[name] ?? [];
  return { version, digest };
}

/** Returns a chart of the lab's chart repository, as a setting of a CNF's Helm release. */
export async function labChart(name: string): Promise<object> {
  return { exthelmchart: true, exthelmrepo_url: CHARTS, helmchartname: name, ...(await pinned(name)) };
}

/** Returns a chart of the lab's chart repository, as an addon of a workload cluster. */
export async function labAddon(name: string, more: object = {}): Promise<object> {
  return { repository: CHARTS, ...(await pinned(name)), ...more };
}

/** Returns a CNF with one Helm release. @param values values of the chart */
export function releaseCnf(name: string, chart: object, values: object, vim = "vnf-a"): object {
  return {
    package: "vnf-packages/helm-release",
    vim,
    additionalParams: {
      namespace: name,
      using_helm_install_param: [{ helmreleasename: name, ...chart, values }],
    },
  };
}

/** Returns a CNF that installs cert-manager by its chart. */
export async function certManagerCnf(): Promise<object> {
  const values = { installCRDs: true, startupapicheck: { enabled: false } };
  return releaseCnf("cert-manager", await labChart("cert-manager"), values);
}

/** Fills vnfm's package of Cluster API from the lab's mirror. @returns the package's folder, in that of a test stack */
export async function filledPackage(folder: string): Promise<string> {
  const into = join(folder, "cluster-api-package");
  cpSync(join(REPOSITORY, "vnf-packages/cluster-api"), into, { recursive: true });
  const from = await toolchainPath("cluster-api-mirror");
  const args = ["package", "cluster-api", "--from", from, "--into", into];
  await mustRun("node_modules/.bin/ts-node", ["automation/main.ts", ...args]);
  return into;
}

/** Returns a CNF that installs Cluster API. @param location path of vnfm's package of Cluster API */
export function managementCnf(location: string, variables: object = {}): object {
  return {
    package: location,
    vim: "vnf-a",
    additionalParams: {
      "lcm-kubernetes-def-files": RELEASE_FILES.map(({ packaged }) => `Files/kubernetes/${packaged}`),
      variables,
    },
  };
}

/** Returns CNFs with cert-manager and Cluster API on vnf-a, by name. @param folder the stack's, for the package */
export async function managementCnfs(folder: string): Promise<Record<string, object>> {
  return {
    "cert-manager": await certManagerCnf(),
    management: managementCnf(await filledPackage(folder)),
  };
}
