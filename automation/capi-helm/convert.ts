import {
  at,
  fields,
  isFields,
  items,
  merge,
  text,
  without,
  type Fields,
} from "../../components/kube/objects/object";
import {
  assertConverted,
  doubles,
  LONGEST,
  settingName,
  withAutoscaler,
  type Conversion,
  type Converted,
} from "../conversion/conversion";
import { difference } from "../conversion/difference";
import { textOf } from "../conversion/readers";
import { taken } from "../conversion/taken";
import { GROUPS, VALUES } from "./table";

/** Defaults of the chart that differ from those of the settings. */
const DEFAULTS: Fields = {
  kubeNetwork: { pods: { cidrBlocks: ["172.16.0.0/13"] }, services: { cidrBlocks: ["172.24.0.0/13"] } },
  clusterNetworking: { internalNetwork: { nodeCidr: "192.168.3.0/24" } },
  controlPlane: { machineCount: 3 },
  nodeGroups: [{ name: "md-0", machineCount: 3 }],
};

const UNKNOWN = "is not supported";

/**
 * Converts values of the chart to a cluster.
 * @param name of the cluster, which is that of the release
 * @param files values; later ones override
 * @throws Fault if two of its node groups get the same name
 */
export function convert(name: string, files: readonly Fields[]): Conversion {
  const values = effective(files.reduce<Fields>(merged, DEFAULTS));
  const { settings, remarks } = taken(values, VALUES, "", UNKNOWN);
  const groups = items(values["nodeGroups"]).map((group) => convertGroup(fields(group), settings));
  assertConverted(
    doubles(groups).map(
      (group) => `two node groups would have the name ${group}; convert with only one of them`,
    ),
  );
  return {
    templates: [
      {
        name,
        settings: cleaned(settings),
        remarks: [...remarks, ...groups.flatMap((group) => group.remarks)],
      },
    ],
    vnfs: [
      {
        name,
        settings: {
          clusterTemplate: name,
          vim: "vnf-a",
          ...withAutoscaler(groups),
          nodeGroups: Object.fromEntries(groups.map((group) => [group.name, group.settings])),
        },
        remarks: [],
      },
    ],
  };
}

/** Merges values as Helm does: a null removes a key. */
function merged(base: Fields, over: Fields): Fields {
  const all = merge(base, over);
  return Object.fromEntries(
    Object.entries(all).flatMap(([key, value]) => {
      if (value === null) return [];
      const [before, after] = [base[key], over[key]];
      return [[key, isFields(before) && isFields(after) ? merged(before, after) : value]];
    }),
  );
}

/** Removes values that the chart ignores because of other values. */
function effective(values: Fields): Fields {
  const { internalNetwork } = fields(values["clusterNetworking"]);
  const { networkFilter, subnetFilter } = fields(internalNetwork);
  const isThere = isFields(networkFilter) || isFields(subnetFilter);
  const { failureDomains, omitFailureDomain = true } = fields(values["controlPlane"]);
  return {
    ...without(values, ...(text(at(values, "oidc", "issuerUrl")) === undefined ? ["oidc"] : [])),
    clusterNetworking: {
      ...fields(values["clusterNetworking"]),
      internalNetwork: without(fields(internalNetwork), ...(isThere ? ["nodeCidr", "dnsNameservers"] : [])),
    },
    controlPlane: {
      ...without(fields(values["controlPlane"]), "failureDomains"),
      ...(omitFailureDomain === false && { failureDomains }),
    },
  };
}

function convertGroup(group: Fields, ofCluster: Fields): Converted {
  const name = settingName(textOf(group["name"] ?? ""), LONGEST.nodeGroup);
  const { settings, remarks } = taken(group, GROUPS, `nodeGroups.${name}:`, UNKNOWN);
  const common = fields(ofCluster["nodeGroup"]);
  const { autoscale = common["autoscale"], replicas = common["replicas"], min, max, ...others } = settings;
  const { kubeadm, labels, ...machines } = others;
  // the defaults of a group are those of the cluster, which the control plane may have changed
  const { image, kubernetesVersion } = { ...common, ...machines } as Fields;
  const ofMachines = without(machines, "image", "kubernetesVersion");
  const own = difference(
    { ...(image !== undefined && { image }), ...(kubernetesVersion !== undefined && { kubernetesVersion }) },
    ofCluster,
  );
  return {
    name,
    settings: {
      ...(autoscale === true
        ? { autoscaling: { min: min ?? common["min"] ?? replicas, max: max ?? common["max"] ?? replicas } }
        : { replicas: replicas ?? 1 }),
      ...own,
      ...difference(ofMachines, common),
      ...(labels !== undefined && { labels: { ...fields(common["labels"]), ...fields(labels) } }),
    },
    remarks: [
      ...(name === group["name"]
        ? []
        : [`nodeGroups.${name}: its name in the chart is ${JSON.stringify(group["name"])}`]),
      ...remarks,
      ...(kubeadm === undefined
        ? []
        : [`nodeGroups.${name}: kubeadmConfigSpec: \`kubeadm\` applies to all machines`]),
    ],
  };
}

/** Removes the settings of groups that have been copied to each group. */
function cleaned(settings: Fields): Fields {
  const nodeGroup = without(
    fields(settings["nodeGroup"]),
    ...["autoscale", "min", "max", "replicas", "image", "kubernetesVersion", "kubeadm"],
  );
  return { ...without(settings, "nodeGroup"), ...(Object.keys(nodeGroup).length > 0 && { nodeGroup }) };
}
