import { fields, type Fields } from "../../components/kube/objects/object";
import {
  assertConverted,
  doubles,
  LONGEST,
  settingName,
  withAutoscaler,
  type Conversion,
  type Converted,
  type Settings,
} from "../conversion/conversion";
import { difference, leaves } from "../conversion/difference";
import { place, type Texts } from "./place";
import { truth } from "./readers";
import { wordOf, type Cluster, type Records } from "./records";

/** Name of the node group that Magnum creates from a cluster's own `node_count` and `flavor_id`. */
const DEFAULT_GROUP = "default-worker";

/**
 * Converts the templates and clusters of Magnum to `vnfm:clusterTemplates` and `vnfm:vnfs`. A cluster gets the
 * differences from its template, a node group those from its cluster.
 * @throws Fault if two of them get the same name
 */
export function convert({ templates, clusters }: Records): Conversion {
  const converted = {
    templates: templates.map((template) => ({ name: wordOf(template["name"]), ...ofTemplate(template) })),
    vnfs: clusters.map(convertCluster),
  };
  const faults = [
    ...twice("template", converted.templates),
    ...twice("cluster", converted.vnfs),
    ...converted.vnfs.flatMap(({ faults }) => faults),
  ];
  assertConverted(faults);
  return converted;
}

function ofTemplate(template: Fields): Settings {
  return place({ properties: textsOf(template), labels: textsOf(fields(template["labels"])) });
}

function convertCluster({
  properties,
  template,
  groups,
}: Cluster): Converted & { faults: readonly string[] } {
  const base = ofTemplate(template);
  const whole = place({
    properties: { ...textsOf(template), ...textsOf(properties) },
    labels: textsOf(fields(properties["labels"])),
  });
  const name = settingName(wordOf(properties["name"]), LONGEST.instance);
  // Magnum creates the first group from the cluster's own properties
  const { node_count, flavor_id } = properties;
  const all = groups.length > 0 ? groups : [{ name: DEFAULT_GROUP, node_count, flavor_id }];
  const converted = all.map((group) => convertGroup(group, properties, template, whole));
  return {
    name,
    settings: {
      clusterTemplate: wordOf(template["name"]),
      vim: "vnf-a",
      ...difference(whole.settings, base.settings),
      ...withAutoscaler(converted),
      nodeGroups: Object.fromEntries(converted.map((group) => [group.name, group.settings])),
    },
    remarks: [
      ...renamed(properties, name),
      ...whole.remarks.filter((remark) => !base.remarks.includes(remark)),
      ...lost(base.settings, whole.settings).map(
        (path) => `${path}: its template has it, the cluster does not: use a template without it`,
      ),
      ...converted.flatMap((group) => group.remarks.map((remark) => `nodeGroups.${group.name}: ${remark}`)),
    ],
    faults: twice(`cluster ${name}: node group`, converted),
  };
}

function convertGroup(group: Fields, cluster: Fields, template: Fields, ofCluster: Settings): Converted {
  const name = settingName(wordOf(group["name"]), LONGEST.nodeGroup);
  const { flavor_id, image_id } = group;
  const labels = textsOf(fields(cluster["labels"]));
  const whole = place({
    properties: { ...textsOf(template), ...textsOf(cluster), ...textsOf({ flavor_id, image_id }) },
    labels: { ...labels, ...textsOf(fields(group["labels"])) },
  });
  const { nodeGroup, image, kubernetesVersion, ...others } = difference(whole.settings, ofCluster.settings);
  const size = sizeOf(group, labels);
  return {
    name,
    settings: {
      ...size.settings,
      ...fields(nodeGroup),
      ...(image !== undefined && { image }),
      ...(kubernetesVersion !== undefined && { kubernetesVersion }),
    },
    remarks: [
      ...renamed(group, name),
      ...whole.remarks.filter((remark) => !ofCluster.remarks.includes(remark)),
      // the control plane gets settings of labels for both from the cluster
      ...leaves(others)
        .filter((path) => !path.startsWith("controlPlane."))
        .map((path) => `${path}: differs from that of the cluster, and node groups have no such setting`),
      ...size.remarks,
    ],
  };
}

/** Returns `replicas`, or the range for cluster-autoscaler, by the rules of Magnum's drivers. */
function sizeOf(group: Fields, labels: Texts): Settings {
  const replicas = Number(wordOf(group["node_count"]));
  if (truth(labels["auto_scaling_enabled"] ?? "") !== true) return { settings: { replicas }, remarks: [] };
  const present = textsOf(group);
  const isDefault = group["name"] === DEFAULT_GROUP;
  // Magnum sets a minimum of 1 for that group, which is not the user's choice
  const ownMin = isDefault && present["min_node_count"] === "1" ? undefined : present["min_node_count"];
  const min = Number((isDefault ? labels["min_node_count"] : undefined) ?? ownMin ?? replicas);
  const max = Number(present["max_node_count"] ?? labels["max_node_count"] ?? replicas);
  return max > min
    ? { settings: { autoscaling: { min, max } }, remarks: [] }
    : {
        settings: { replicas },
        remarks: [`auto_scaling_enabled: max_node_count is not above ${min}, so the number is fixed`],
      };
}

/** The values that are present, as texts: for an absent one the client prints null, "-" or nothing. */
function textsOf(values: Fields): Texts {
  const texts = Object.entries(values)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([key, value]) => [key, wordOf(value)] as const);
  return Object.fromEntries(texts.filter(([, text]) => text !== "" && text !== "-"));
}

function renamed({ name }: Fields, here: string): readonly string[] {
  return name === here ? [] : [`its name in Magnum is ${JSON.stringify(name)}`];
}

function twice(what: string, all: readonly Converted[]): readonly string[] {
  return doubles(all).map(
    (name) => `${what}: two of them would have the name ${name}; convert only one of them`,
  );
}

/** Paths of the values of the first map that the second does not have. */
function lost(one: Fields, other: Fields): readonly string[] {
  const there = leaves(other);
  return leaves(one).filter((path) => !there.includes(path));
}
