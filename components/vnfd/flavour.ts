import type { At } from "./at";
import { externalLinks, readVduCp, readVirtualLink } from "./connections";
import type { DeploymentFlavour, Vdu } from "./model";
import { readCompute, readDeployableUnit, readStorage, requirements } from "./nodes";
import { readPlacement } from "./placement";
import { readPolicies, targetName } from "./policies";
import { readAspects, readInitialDeltas, readLevels } from "./scaling";
import type { Kind, NodeTemplate, Types } from "./types";

/** The node templates of a file by name, with their base types; wrong ones are faults and left out. */
export function readTemplates(root: At, types: Types): Map<string, NodeTemplate> {
  const templates = new Map<string, NodeTemplate>();
  for (const [name, place] of root.get("topology_template").get("node_templates").entries()) {
    const template = types.template(name, place.named(name));
    if (template !== undefined) templates.set(name, template);
  }
  return templates;
}

/** One deployment flavour from the topology template of its file (SOL001 6.11.2). */
export function readFlavour(
  id: string,
  root: At,
  templates: ReadonlyMap<string, NodeTemplate>,
  types: Types,
): DeploymentFlavour {
  const topology = root.get("topology_template");
  const ofKind = (...kinds: Kind[]) => [...templates.values()].filter((t) => kinds.includes(t.kind));
  const compute = ofKind("Vdu.Compute");
  const units = ofKind("Vdu.OsContainerDeployableUnit");
  const storages = ofKind("Vdu.VirtualBlockStorage");
  const links = ofKind("VnfVirtualLink");
  const vduNames = [...templates.keys()].filter((n) =>
    ["Vdu.Compute", "Vdu.OsContainerDeployableUnit"].includes(templates.get(n)?.kind ?? ""),
  );

  const external = externalLinks(topology.get("substitution_mappings"), templates);
  const policies = readPolicies(topology, types);
  const aspects = readAspects(policies, vduNames);
  const initial = readInitialDeltas(policies, vduNames);
  const { levels, defaultLevel } = readLevels(policies, aspects, vduNames);

  checkReferences([...compute, ...units], "virtual_storage", "storage", namesOf(templates, "Storage"));
  checkReferences(units, "container", "Vdu.OsContainer", namesOf(templates, "Vdu.OsContainer"));
  const cps = ofKind("VduCp");
  checkReferences(cps, "virtual_binding", "VDU", vduNames);
  checkReferences(cps, "virtual_link", "virtual link", namesOf(templates, "VnfVirtualLink"));

  const vdus = new Map<string, Vdu>();
  for (const t of compute) vdus.set(t.name, readCompute(t, types));
  for (const t of units) vdus.set(t.name, readDeployableUnit(t));
  const blockStorages = storages.map((t) => t.name);
  return {
    id,
    description: descriptionOf(root, templates),
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
    virtualLinks: byId(links.map((t) => readVirtualLink(t, external))),
    scalingAspects: aspects,
    instantiationLevels: levels,
    defaultInstantiationLevel: defaultLevel,
    placementGroups: readPlacement(topology, policies, vduNames, [...templates.keys()]),
  };
}

function byId<T extends { readonly id: string }>(items: readonly T[]): Record<string, T> {
  return Object.fromEntries(items.map((item) => [item.id, item]));
}

/** Object and file storages are named like block storages, and the reader has no other use of them. */
function namesOf(templates: ReadonlyMap<string, NodeTemplate>, kind: Kind | "Storage"): string[] {
  return [...templates.values()]
    .filter((t) =>
      kind === "Storage" ? t.kind === "Vdu.VirtualBlockStorage" || t.kind === "other" : t.kind === kind,
    )
    .map((t) => t.name);
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

function descriptionOf(root: At, templates: ReadonlyMap<string, NodeTemplate>): string {
  const vnf = [...templates.values()].find((t) => t.kind === "VNF");
  const described = vnf?.property("flavour_description").text();
  return described || (root.get("description").text() ?? "");
}
