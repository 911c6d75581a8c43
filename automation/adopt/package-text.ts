import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { toYaml } from "../../components/base/yaml/yaml";
import { MACHINE_SETS } from "../../components/kube/objects/cluster-api";
import { groupKind } from "../../components/kube/objects/kinds";
import { readYaml } from "../../components/kube/manifests/yaml";
import type { KubeObject } from "../../components/kube/objects/object";

/** Path of the manifests in a package. */
export const MANIFESTS = "Files/kubernetes/objects.yaml";

/** Kinds that create pods or machines; each object of these becomes a VDU. */
const CONTROLLERS = ["apps/Deployment", "apps/StatefulSet", "apps/DaemonSet", ...MACHINE_SETS];

/** A VDU of the package, and its object. */
export interface AdoptedVdu {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
}

/** The VDUs of objects: one for each controller, named like it, or by kind and name if several share the name. */
export function vdusOf(objects: readonly KubeObject[]): readonly AdoptedVdu[] {
  const controllers = objects.filter((object) => CONTROLLERS.includes(groupKind(object)));
  const names = controllers.map(({ metadata }) => metadata.name ?? "");
  return controllers.map(({ kind, metadata: { name = "" } }) => {
    const isUnique = names.filter((other) => other === name).length === 1;
    return { id: isUnique ? name : `${kind}-${name}`, kind, name };
  });
}

/** The files of a VNF package for objects, by their paths. @param name of the product */
export function packageFiles(name: string, objects: readonly KubeObject[]): Readonly<Record<string, string>> {
  const manifests = objects.map(manifestOf).join("---\n");
  const files = { "Definitions/vnfd.yaml": vnfd(name, vdusOf(objects)), [MANIFESTS]: manifests };
  const entry = `Name: ${MANIFESTS}
Content-Type: application/yaml
Algorithm: SHA-256
Hash: ${createHash("sha256").update(manifests).digest("hex")}
`;
  const meta = `TOSCA-Meta-File-Version: 1.0
CSAR-Version: 1.1
Created-by: vnfm
Entry-Definitions: Definitions/vnfd.yaml

${entry}`;
  return { "TOSCA-Metadata/TOSCA.meta": meta, ...files };
}

/** An object as a document of a manifest. */
function manifestOf(object: KubeObject): string {
  const written = toYaml(object, { lineWidth: 0, aliasDuplicateObjects: false });
  const [read] = readYaml(written, []);
  if (!isDeepStrictEqual(read?.value, object)) throw new Error(`the YAML differs from ${object.kind}`);
  return written;
}

function vnfd(name: string, vdus: readonly AdoptedVdu[]): string {
  const node = "vnfm.Adopted";
  const units = vdus.map(({ id, kind, name: objectName }) => [
    id,
    {
      type: "tosca.nodes.nfv.Vdu.OsContainerDeployableUnit",
      properties: {
        name: objectName,
        description: `${kind} ${objectName}`,
        vdu_profile: { min_number_of_instances: 0, max_number_of_instances: 1000 },
      },
    },
  ]);
  const fixed = (text: string): object => ({ type: "string", default: text });
  const hex = createHash("sha256").update(name).digest("hex");
  const id = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return toYaml({
    tosca_definitions_version: "tosca_simple_yaml_1_2",
    description: `Objects of a cluster, as read by vnfm adopt ${name}`,
    imports: ["etsi_nfv_sol001_common_types.yaml", "etsi_nfv_sol001_vnfd_types.yaml"],
    node_types: {
      [node]: {
        derived_from: "tosca.nodes.nfv.VNF",
        properties: {
          descriptor_id: fixed(id.join("-")),
          descriptor_version: fixed("1.0"),
          provider: fixed("vnfm"),
          product_name: fixed(name),
          software_version: fixed("1"),
          vnfm_info: { type: "list", entry_schema: { type: "string" }, default: ["vnfm"] },
          flavour_id: fixed("simple"),
          flavour_description: fixed(""),
        },
      },
    },
    topology_template: {
      substitution_mappings: { node_type: node, properties: { flavour_id: "simple" } },
      node_templates: {
        VNF: { type: node, properties: { flavour_description: "As adopted" } },
        ...(Object.fromEntries(units) as Readonly<Record<string, object>>),
      },
    },
  });
}
