import { own } from "../base/own";

/**
 * Paths of properties, without indexes of lists. A path includes everything below it; `*` matches one key, and a suffix
 * such as `=false` restricts it to that value.
 */
type Paths = readonly string[];

const below = (path: string, ...names: Paths) => names.map((name) => `${path}.${name}`);

/** Properties that can be ignored in any node template, policy or group. */
const ANYWHERE: Paths = [
  ...["type", "description", "metadata", "directives", "properties.description"],
  "interfaces.*.type",
  ...below("requirements.*", "capability", "relationship", "occurrences"),
];

const VNF = [
  ...["descriptor_id", "descriptor_version", "provider", "product_name", "software_version"],
  ...["product_info_name", "product_info_description", "ext_invariant_id"],
  ...["flavour_id", "flavour_description", "vnf_profile"],
  ...["vnfm_info", "localization_languages", "default_localization_language", "modifiable_attributes"],
  ...below("configurable_properties", "is_autoscale_enabled=false", "is_autoheal_enabled=false"),
  // as Tacker has them
  ...["id", "vendor", "version"],
];

const COMPUTE = "capabilities.virtual_compute.properties";
const VL_DATA = "properties.vl_profile.virtual_link_protocol_data";
const L3_ADDRESS = "properties.protocol.address_data.l3_address_data";

/** tosca.nodes.nfv.Cp (SOL001 9.8.1), from which the connection points are derived. */
const CP: Paths = [
  ...below("properties", "layer_protocols", "ip_stack_mode", "role", "purpose", "trunk_mode=false"),
  ...["properties.protocol.associated_layer_protocol", "properties.protocol.address_data.address_type"],
  "properties.protocol.address_data.l2_address_data.mac_address_assignment=false",
  ...below(L3_ADDRESS, "ip_address_assignment", "ip_address_assignment_subtype", "ip_address_type"),
  ...below(L3_ADDRESS, "number_of_ip_address=1", "floating_ip_activated=false"),
];

/**
 * Properties that can be ignored without a warning, by the type of node template or policy: they are only information,
 * or always satisfied. Names are those of SOL001, clauses 6.2 and 6.8 to 6.10.
 */
const NEEDLESS: Readonly<Record<string, Paths>> = {
  // its external links are those of the substitution mappings
  VNF: [...below("properties", ...VNF), "requirements"],
  "Vdu.Compute": [
    ...below("properties", "sw_image_data", "configurable_properties"),
    // these describe the flavor of that name
    ...below(
      `${COMPUTE}.requested_additional_capabilities.*`,
      ...["support_mandatory", "target_performance_parameters"],
      ...["min_requested_additional_capability_version", "preferred_requested_additional_capability_version"],
    ),
    ...below(COMPUTE, "virtual_local_storage.rdma_enabled=false"),
  ],
  "Vdu.VirtualBlockStorage": below(
    "properties",
    ...["sw_image_data", "per_vnfc_instance=true", "virtual_block_storage_data.rdma_enabled=false"],
  ),
  // what containers and their Services ask for is in the manifests
  "Vdu.OsContainer": [""],
  "Vdu.OsContainerDeployableUnit": [""],
  VirtualCp: [""],
  VduCp: CP,
  VnfExtCp: [...CP, "requirements.external_virtual_link"],
  // it is on the link of its targets
  VipCp: [...CP, "properties.dedicated_ip_address=true", "requirements.virtual_link"],
  VnfVirtualLink: [
    ...below("properties", "connectivity_type", "externally_managed=allowed"),
    ...below(VL_DATA, "associated_layer_protocol", "l2_protocol_data.name", "l3_protocol_data.name"),
  ],
  ScalingAspects: below("properties.aspects.*", "name", "description"),
  InstantiationLevels: ["properties.levels.*.description"],
  SupportedVnfInterface: [""],
  VnfPackageChange: [""],
};

/** Reasons why a property has no effect, or what to do instead. */
const REASONS: readonly (readonly [path: string, reason: string])[] = [
  ["interfaces", "scripts and drivers of a package are not run"],
  ["properties.monitoring_parameters", "monitoring is not supported"],
  ["properties.configurable_properties", "automatic scaling and healing are not supported"],
  ["properties.lcm_operations_configuration", "is ignored"],
  [
    "properties.virtual_network_interface_requirements",
    "it is not supported: set a vnicType for its ports under extVirtualLinks, such as direct for SR-IOV",
  ],
  ["properties.dedicated_ip_address", "it has a separate address"],
  ["properties.externally_managed", "set a network for it under extVirtualLinks"],
  ["requirements.internal_virtual_link", "it is not in the requirements of substitution_mappings"],
  [`${L3_ADDRESS}.floating_ip_activated`, "set a floatingNetwork for it under extVirtualLinks"],
  [`${VL_DATA}.l2_protocol_data`, "create such a network yourself, and set it under extVirtualLinks"],
  [COMPUTE, "is determined by the Nova flavor: set one that has it under flavors"],
];

/** Returns true if a value can be ignored without a warning. @param value value of a string, number or boolean */
export function isNeedless(type: string, path: string, value: unknown): boolean {
  return [...ANYWHERE, ...(own(NEEDLESS, type) ?? [])].some((rule) => {
    const [pattern = "", only] = rule.split("=");
    return isIn(path, pattern) && (only === undefined || only === String(value));
  });
}

/** Returns the reason in the warning about an ignored property. */
export function reasonFor(path: string): string {
  const [, reason = "it is not supported"] = REASONS.find(([pattern]) => isIn(path, pattern)) ?? [];
  return reason;
}

/** Returns true if a path is that of a rule, or below it. */
function isIn(path: string, rule: string): boolean {
  const keys = path.split(".");
  return rule === "" || rule.split(".").every((key, i) => (key === "*" ? i < keys.length : key === keys[i]));
}
