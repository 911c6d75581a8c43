import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { RELEASE_FILES } from "../../automation/cluster-api/releases";
import { mustRun, REPOSITORY } from "./command";

/** The folder of the cache that a component of the toolchain is built into. */
export const toolchainPath = async (component: string): Promise<string> =>
  (await mustRun("toolchain/build.sh", ["--path", component])).trim();

/** The lab with what Cluster API needs: its images, its releases' files, its charts. */
export function labWithClusterApi(): Promise<string> {
  return mustRun("lab/lab.sh", ["cluster-api"]);
}

const CHARTS = "http://198.19.0.1:5002/charts";

/** Returns version and digest of a chart that the toolchain builds, as in the lab's repository. */
export async function pinned(name: string): Promise<{ version: string; digest: string }> {
  const charts = await toolchainPath("charts");
  const index = parse(readFileSync(join(charts, "index.yaml"), "utf8")) as {
    entries: Record<string, { version: string; digest: string }[]>;
  };
  const [{ version, digest } = { version: "", digest: "" }] = index.entries[name] ?? [];
  return { version, digest };
}

/** A chart of the lab's repository for a release of a CNF. */
export async function labChart(name: string): Promise<object> {
  return { exthelmchart: true, exthelmrepo_url: CHARTS, helmchartname: name, ...(await pinned(name)) };
}

/** A chart of the lab's repository as the addon of a cluster. */
export async function labAddon(name: string, more: object = {}): Promise<object> {
  return { repository: CHARTS, ...(await pinned(name)), ...more };
}

/** A CNF of one release. @param values of its chart */
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

/** cert-manager by its chart. */
export async function certManagerCnf(): Promise<object> {
  const values = { installCRDs: true, startupapicheck: { enabled: false } };
  return releaseCnf("cert-manager", await labChart("cert-manager"), values);
}

/** Our package, filled from the lab's mirror. @returns its folder, in that of a test stack */
export async function filledPackage(folder: string): Promise<string> {
  const into = join(folder, "cluster-api-package");
  cpSync(join(REPOSITORY, "vnf-packages/cluster-api"), into, { recursive: true });
  const from = await toolchainPath("cluster-api-mirror");
  const args = ["package", "cluster-api", "--from", from, "--into", into];
  await mustRun("node_modules/.bin/ts-node", ["automation/main.ts", ...args]);
  return into;
}

/** A management cluster by our package. @param location where the package is */
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

/** cert-manager and Cluster API on vnf-a, by instance name. @param folder of the stack; the package is filled there */
export async function managementCnfs(folder: string): Promise<Record<string, object>> {
  return {
    "cert-manager": await certManagerCnf(),
    management: managementCnf(await filledPackage(folder)),
  };
}
