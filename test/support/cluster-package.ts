import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
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

interface Vnfd {
  readonly topology_template: {
    readonly node_templates: Record<string, { readonly properties: Record<string, unknown> }>;
  };
}

/** A change for `changedClusterPackage`: the servers of these VDUs run the shell script once, at their first boot. */
export function withBootScript(script: string, ...vdus: readonly string[]): (definition: string) => string {
  return (definition) => {
    const vnfd = parse(definition) as Vnfd;
    for (const vdu of vdus) {
      const template = vnfd.topology_template.node_templates[vdu];
      if (template === undefined) throw new Error(`there is no VDU ${vdu}`);
      template.properties["boot_data"] = `#!/bin/sh\n${script}\n`;
    }
    return stringify(vnfd);
  };
}
