import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { REPOSITORY } from "./command";

/** Copies the cluster package into a folder, and changes the definition of one deployment flavour in the copy. */
export function changedClusterPackage(
  folder: string,
  flavour: string,
  change: (definition: string) => string,
): void {
  cpSync(join(REPOSITORY, "vnf-packages/kubernetes-cluster"), folder, { recursive: true });
  changeFile(join(folder, `Definitions/kubernetes_cluster_df_${flavour.replaceAll("-", "_")}.yaml`), change);
}

function changeFile(file: string, change: (text: string) => string): void {
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

/** Change for `changedClusterPackage`: the servers of these VDUs run the shell script once, at their first boot. */
export function withBootScript(script: string, ...vdus: readonly string[]): (definition: string) => string {
  return withBootData(`#!/bin/sh\n${script}\n`, ...vdus);
}

/** Change for `changedClusterPackage`: a user can log in to the servers of a VDU with a password. */
export function withPasswordLogin(
  vdu: string,
  name: string,
  password: string,
): (definition: string) => string {
  const config = { ssh_pwauth: true, chpasswd: { expire: false, users: [{ name, password, type: "text" }] } };
  return withBootData(`#cloud-config\n${stringify(config)}`, vdu);
}

function withBootData(text: string, ...vdus: readonly string[]): (definition: string) => string {
  return (definition) => {
    const vnfd = parse(definition) as Vnfd;
    for (const vdu of vdus) {
      const template = vnfd.topology_template.node_templates[vdu];
      if (template === undefined) throw new Error(`there is no VDU ${vdu}`);
      template.properties["boot_data"] = text;
    }
    return stringify(vnfd);
  };
}

interface PortsVnfd {
  readonly topology_template: {
    readonly substitution_mappings: { readonly requirements: Record<string, readonly string[]> };
    readonly node_templates: Record<string, object>;
  };
}

/** Copies the package of a cluster with two pools of workers into a folder, and changes its definition there. */
export function changedPoolsPackage(folder: string, change: (definition: string) => string): void {
  cpSync(join(REPOSITORY, "vnf-packages/pools-cluster"), folder, { recursive: true });
  changeFile(join(folder, "vnfd.yaml"), change);
}

/** Change for `changedClusterPackage`, for flavours with a storage server: it has a second volume, `more_volume`. */
export function withSecondVolume(definition: string): string {
  const vnfd = parse(definition) as StorageVnfd;
  const templates = vnfd.topology_template.node_templates;
  templates["more_volume"] = templates["storage_server_volume"];
  templates.storage_server.requirements.push({ virtual_storage: "more_volume" });
  // both volumes are written in full, the second one not as a YAML alias of the first
  return stringify(vnfd, { aliasDuplicateObjects: false });
}

interface StorageVnfd {
  readonly topology_template: {
    readonly node_templates: Record<string, unknown> & {
      readonly storage_server: { readonly requirements: object[] };
    };
  };
}

/** Change for `changedClusterPackage`, for the flavour `simple`: workers have a second port, `workerNode_CP3`. */
export function withSecondPort(definition: string): string {
  const vnfd = parse(definition) as PortsVnfd;
  const { substitution_mappings: mappings, node_templates: templates } = vnfd.topology_template;
  mappings.requirements["virtual_link_external1_3"] = ["workerNode_CP3", "virtual_link"];
  templates["workerNode_CP3"] = {
    type: "tosca.nodes.nfv.VduCp",
    properties: { layer_protocols: ["ipv4"], order: 1 },
    requirements: [{ virtual_binding: "workerNode" }],
  };
  return stringify(vnfd);
}
