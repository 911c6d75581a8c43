import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "./command";

/** Copies the cluster package into a folder, with another text of a flavour's definition. */
export function changedClusterPackage(
  folder: string,
  flavour: string,
  change: (definition: string) => string,
): void {
  cpSync(join(REPOSITORY, "vnf-packages/kubernetes-cluster"), folder, { recursive: true });
  const file = join(folder, `Definitions/kubernetes_cluster_df_${flavour.replaceAll("-", "_")}.yaml`);
  const definition = readFileSync(file, "utf8");
  const changed = change(definition);
  if (changed === definition) throw new Error(`nothing is changed in ${file}`);
  writeFileSync(file, changed);
}
