import { printableLine } from "../base/printable";
import type { At } from "./at";
import { readChart } from "./charts";
import { warnOfConstraints } from "./constraints";
import {
  externalLinks,
  readVduCp,
  readVipCp,
  readVirtualLink,
  warnOfFurtherBindings,
  warnOfUnbound,
} from "./connections";
import { faultLine, type DeploymentFlavour, type Vdu } from "./model";
import { readCompute, readDeployableUnit, readStorage, requirements } from "./nodes";
import { passedOver } from "./passed-over";
import { readPlacement } from "./placement";
import { readPolicies, targetName, targetNameIfAny } from "./policies";
import { warnOfNumbers } from "./numbers";
import { readAspects, readInitialDeltas, readLevels } from "./scaling";
import type { BaseType, NodeTemplate, Types } from "./types";

/**
 * Reads the node templates of a file by name, with their base types. If none of them is the VNF, the type in the
 * substitution mappings is used for it.
 */
export function readTemplates(root: At, types: Types): ReadonlyMap<string, NodeTemplate> {
  const topology = root.get("topology_template");
  const places = topology.get("node_templates").entries();
  for (const [name, place] of places) {
    // it is in names of resources, which the engine shows as they are
    if (printableLine(name) !== name)
      place.named(name).fault("the name has a control character; write plain text on one line");
  }
  const { templates } = root.scope.calls;
  for (const [name, place] of places) templates.set(name, types.template(name, place.named(name)));
  if (![...templates.values()].some(({ kind }) => kind === "VNF")) {
    const mapped = types.mappedVnf(topology.get("substitution_mappings"));
    if (mapped !== undefined && !templates.has(mapped.name)) templates.set(mapped.name, mapped);
  }
  return templates;
}

/** Reads a deployment flavour from the topology template of its file (SOL001 6.11.2). */
export function readFlavour(
  id: string,
  root: At,
  templates: ReadonlyMap<string, NodeTemplate>,
  types: Types,
): DeploymentFlavour {
  const topology = root.get("topology_template");
  const { faults, warnings } = root.scope;
  const ofKind = (...kinds: BaseType[]) => [...templates.values()].filter((t) => kinds.includes(t.kind));
  const named = (...kinds: BaseType[]) => ofKind(...kinds, "unknown").map((t) => t.name);
  const compute = ofKind("Vdu.Compute");
  const units = ofKind("Vdu.OsContainerDeployableUnit");
  const storages = ofKind("Vdu.VirtualBlockStorage");
  const cps = ofKind("VduCp");
  const vips = ofKind("VipCp");
  const vduNames = named("Vdu.Compute", "Vdu.OsContainerDeployableUnit");

  const external = externalLinks(topology.get("substitution_mappings"), templates);
  const policies = readPolicies(topology, types);
  const aspects = readAspects(policies, vduNames);
  const initial = readInitialDeltas(policies, vduNames);
  const { levels, defaultLevel } = readLevels(policies, aspects, vduNames);

  // storages of objects and of files are required like those of blocks, and the reader has no use of them
  checkReferences(
    [...compute, ...units],
    "virtual_storage",
    "storage",
    named("Vdu.VirtualBlockStorage", "other"),
  );
  checkReferences(units, "container", "Vdu.OsContainer", named("Vdu.OsContainer"));
  checkReferences(cps, "virtual_binding", "VDU", vduNames);
  checkReferences(
    cps,
    "container_binding",
    "VDU of containers",
    named("Vdu.OsContainerDeployableUnit", "Vdu.OsContainer"),
  );
  if (compute.length > 0) warnOfUnbound(cps);
  warnOfFurtherBindings(cps);
  // links of containers, of external connection points, and of those with a network in the stack config are not used
  for (const link of cps.flatMap((cp) => requirements(cp, "virtual_link")))
    targetNameIfAny(link, "virtual link", named("VnfVirtualLink"), []);
  checkReferences(vips, "target", "VduCp", named("VduCp"));

  const vdus = new Map<string, Vdu>();
  for (const t of compute) vdus.set(t.name, readCompute(t, types));
  for (const t of units) vdus.set(t.name, readDeployableUnit(t));
  const blockStorages = storages.map((t) => t.name);
  const flavour = {
    id,
    vdus: Object.fromEntries(
      vduNames.flatMap((name) => {
        const vdu = vdus.get(name);
        if (vdu === undefined) return [];
        const volumes = vdu.volumes.filter((v) => blockStorages.includes(v));
        return [[name, { ...vdu, volumes, initialInstances: initial.get(name) }]];
      }),
    ),
    volumes: byId(storages.map((t) => readStorage(t, types))),
    connectionPoints: byId(cps.map((t) => readVduCp(t, external))),
    virtualIps: byId(vips.map(readVipCp)),
    virtualLinks: byId(ofKind("VnfVirtualLink").map((t) => readVirtualLink(t, external))),
    scalingAspects: aspects,
    instantiationLevels: levels,
    defaultInstantiationLevel: defaultLevel,
    charts: ofKind("Mciop").flatMap((t) => readChart(t, types, vduNames)),
    placementGroups: readPlacement(topology, policies, vduNames, [...templates.keys()]),
  };
  // what a fault stands in is not read
  if (faults.length > 0) return { ...flavour, warnings: warnings.map(faultLine) };
  warnOfNumbers(flavour, policies, templates);
  const others = passedOver(topology, templates, policies);
  // constraints are checked last, because this does not count as reading
  warnOfConstraints(templates);
  return { ...flavour, warnings: [...warnings.map(faultLine), ...others] };
}

function byId<T extends { readonly id: string }>(items: readonly T[]): Record<string, T> {
  return Object.fromEntries(items.map((item) => [item.id, item]));
}

function checkReferences(
  templates: readonly NodeTemplate[],
  requirement: string,
  what: string,
  known: readonly string[],
): void {
  for (const template of templates) {
    for (const at of requirements(template, requirement)) targetName(at, what, known);
  }
}
