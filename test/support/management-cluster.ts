import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { RELEASE_FILES } from "../../automation/cluster-api-releases";
import { mustRun, REPOSITORY } from "./command";

const toolchainPath = async (component: string): Promise<string> =>
  (await mustRun("toolchain/build.sh", ["--path", component])).trim();

/** The lab with what Cluster API needs: its images, its releases' files, its charts. */
export function labWithClusterApi(): Promise<string> {
  return mustRun("lab/lab.sh", ["cluster-api"]);
}

/** The objects of cert-manager's chart. */
export async function certManagerObjects(): Promise<object[]> {
  const [helm, charts] = await Promise.all(["helm", "charts"].map(toolchainPath));
  const chart = readdirSync(charts ?? "").find((file) => file.startsWith("cert-manager-")) ?? "";
  const place = ["--namespace", "cert-manager", "--kube-version", "v1.33.0"];
  const values = ["--set", "installCRDs=true,startupapicheck.enabled=false"];
  const text = await mustRun(join(helm ?? "", "helm"), [
    ...["template", "cert-manager", join(charts ?? "", chart)],
    ...place,
    ...values,
  ]);
  return [{ apiVersion: "v1", kind: "Namespace", metadata: { name: "cert-manager" } }, ...documents(text)];
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

function documents(text: string): object[] {
  return parseAllDocuments(text).flatMap((document) => (document.toJS() as object | null) ?? []);
}
