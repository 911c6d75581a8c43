import type { At } from "./at";
import { readBootData } from "./boot-data";
import { readExtraSpecs } from "./extra-specs";
import type { VirtualBlockStorage, Vdu } from "./model";
import { isImage, resolvePath } from "./paths";
import { toGiB, toMiB } from "./scalar";
import type { NodeTemplate, Types } from "./types";

/**
 * Lists the requirements of a node template with a name (TOSCA 3.8.2): `- name: node` or `- name: { node: node }`.
 */
export function requirements(template: NodeTemplate, name: string): At[] {
  return template.at
    .get("requirements")
    .namedItems()
    .filter(([key]) => key === name)
    .flatMap(([, value]) => (value.isList ? value.items() : [value]))
    .map((value) => (value.isText ? value : value.get("node")));
}

/**
 * Returns the image name in sw_image_data of the node, or in the properties of its SwImage artifact (SOL001 6.8.3.5). A
 * node has one software image.
 */
function imageOf(
  template: NodeTemplate,
  types: Types,
): { readonly image: string | undefined; readonly unnamedImage?: string } {
  const images = template.at
    .get("artifacts")
    .namedItems()
    .filter(([, artifact]) => isSwImage(artifact, types));
  // the image file in the package is not used, because the cloud has the image
  for (const [, artifact] of images) artifact.skip();
  const [image, ...more] = images;
  for (const [, artifact] of more) {
    artifact.fault(`is a SwImage in addition to ${image?.[0]}; ${template.name} has one software image`);
  }
  const data = template.property("sw_image_data");
  if (data.exists) return { image: data.get("name").requiredText() };
  const name = image?.[1].get("properties").get("name");
  if (name?.exists) return { image: name.text() };
  return { image: undefined, ...(image !== undefined && { unnamedImage: image[0] }) };
}

/** Returns true for a SwImage: by its type, or in the short notation (TOSCA 3.6.7) by the folder of its path. */
function isSwImage(artifact: At, types: Types): boolean {
  if (!artifact.isText) return types.isSwImage(artifact.get("type").text() ?? "");
  const path = resolvePath(artifact.scope.source.file, artifact.text() ?? "");
  return path !== undefined && isImage(path);
}

/** Reads the properties that Vdu.Compute and Vdu.OsContainerDeployableUnit share. */
function vduBase(template: NodeTemplate) {
  const profile = template.property("vdu_profile");
  const min = profile.get("min_number_of_instances");
  const max = profile.get("max_number_of_instances");
  const minInstances = min.requiredCount();
  const maxInstances = max.requiredCount();
  if (min.exists && max.exists && minInstances > maxInstances) {
    min.fault(`${minInstances} is more than max_number_of_instances, ${maxInstances}`);
  }
  return {
    id: template.name,
    name: template.property("name").requiredText(),
    minInstances,
    maxInstances,
    initialInstances: undefined,
    bootData: readBootData(template),
  };
}

/**
 * Reads a VDU of servers (SOL001 6.8.3). Its capability virtual_compute contains the requirements; in Tacker's packages
 * some are next to, or inside, the requested additional capability.
 */
export function readCompute(template: NodeTemplate, types: Types): Vdu {
  const compute = template.at.get("capabilities").get("virtual_compute").get("properties");
  const additional = compute.get("requested_additional_capabilities");
  const places = [compute, additional, ...additional.entries().map(([, entry]) => entry)];
  const first = (...path: string[]) => {
    const found = places.map((place) => path.reduce((at, key) => at.get(key), place));
    return found.find((at) => at.exists) ?? found[0];
  };
  const disks = first("virtual_local_storage");
  const disk = disks?.isList ? disks.items()[0] : disks;
  const size = disk?.get("size_of_storage");
  const extraSpecs = readExtraSpecs(places);
  return {
    ...vduBase(template),
    ...imageOf(template, types),
    flavor: first("requested_additional_capability_name")?.text(),
    vcpus: first("virtual_cpu", "num_virtual_cpu")?.count(),
    memoryMiB: toMiB(first("virtual_memory", "virtual_mem_size")?.bytes("MB")),
    diskGiB: toGiB(
      (size?.exists ? size : disk?.get("virtual_block_storage_data").get("size_of_storage"))?.bytes("GB"),
    ),
    ...(extraSpecs.length > 0 && { extraSpecs }),
    volumes: requirements(template, "virtual_storage").map((at) => at.requiredText()),
  };
}

/**
 * Reads a VDU of containers (SOL001 6.8.13). The name of its controller object is that of mcio_identification_data, by
 * default that of the VDU. Images and resource requests are taken from the manifests, not from the VDU.
 */
export function readDeployableUnit(template: NodeTemplate): Vdu {
  const base = vduBase(template);
  return {
    ...base,
    name: template.property("mcio_identification_data").get("name").text() ?? base.name,
    image: undefined,
    flavor: undefined,
    vcpus: undefined,
    memoryMiB: undefined,
    diskGiB: undefined,
    volumes: requirements(template, "virtual_storage").map((at) => at.requiredText()),
  };
}

/** SOL001 6.8.4. */
export function readStorage(template: NodeTemplate, types: Types): VirtualBlockStorage {
  const data = template.property("virtual_block_storage_data");
  const size = data.get("size_of_storage");
  if (!size.exists) size.missing();
  const requested = data.get("vdu_storage_requirements");
  const type = requested.get("volume_type");
  return {
    id: template.name,
    sizeGiB: toGiB(size.bytes("GB")) ?? 0,
    ...imageOf(template, types),
    volumeType: (type.exists ? type : requested.get("type")).text(),
  };
}
