import { secondsOf } from "../../base/duration";
import type { Place } from "../../base/findings";
import { writeNodeLabels, writeTaints } from "../../kube/cluster/node-labels";
import type { Fields, KubeObject } from "../../kube/objects/object";
import { DNS_DOMAIN } from "../nodes/proxy";
import { own } from "../../base/own";
import type { ClusterSettings, HealthCheck, Machines, NodeGroup } from "../../settings/model";
import { isOnMachine } from "../../settings/sole-machine";
import type { PlannedServerGroup } from "../model";
import type { NodeParts } from "../nodes/model";
import { INFRASTRUCTURE, openStackCluster, openStackMachine } from "./capo";
import { controlPlaneConfig, kubeletLabels, nodeLabels, workerConfig } from "./kubeadm-config";
import { machineFiles, type MachineFiles } from "./machine-files";
import { patched } from "./patches";
import { withTemplateNames } from "./template-names";

/** API versions of the objects: contract v1beta2 of Cluster API, and the version of its OpenStack provider. */
const VERSIONS = {
  core: "cluster.x-k8s.io/v1beta2",
  bootstrap: "bootstrap.cluster.x-k8s.io/v1beta2",
  controlPlane: "controlplane.cluster.x-k8s.io/v1beta2",
  infrastructure: INFRASTRUCTURE,
} as const;

type Group = keyof typeof VERSIONS;

/** VDU id of the control plane; node groups have their names as VDU ids. */
export const CONTROL_PLANE_VDU = "controlPlane";
/** Name of the control plane's objects; those of node groups have the group's name. */
const CONTROL_PLANE = "control-plane";

/** The server groups of a cluster's machines. */
export function serverGroups(
  name: string,
  { controlPlane, nodeGroups }: ClusterSettings,
): PlannedServerGroup[] {
  const all: [string, Machines][] = [[CONTROL_PLANE, controlPlane], ...Object.entries(nodeGroups)];
  return all.flatMap(([machines, { serverGroup: policy }]) =>
    policy === undefined ? [] : [{ name: serverGroupOf(name, machines), policy }],
  );
}

function serverGroupOf(cluster: string, machines: string): string {
  return `${cluster}-${machines}`;
}

/**
 * The objects of Cluster API for a cluster, in a namespace with the cluster's name, without its Secret with
 * clouds.yaml.
 * @param parts of its machines that kubeadm clusters have too
 * @param place of the cluster
 */
export function clusterObjects(
  name: string,
  settings: ClusterSettings,
  parts: NodeParts,
  place: Place,
): KubeObject[] {
  const { network } = settings;
  const files = machineFiles(name, settings, parts);
  const cluster = objectOf(name, "core", "Cluster", name, {
    clusterNetwork: {
      pods: { cidrBlocks: [network.podCidr] },
      services: { cidrBlocks: [network.serviceCidr] },
      serviceDomain: DNS_DOMAIN,
    },
    controlPlaneRef: { apiGroup: groupOf("controlPlane"), kind: "KubeadmControlPlane", name },
    infrastructureRef: { apiGroup: groupOf("infrastructure"), kind: "OpenStackCluster", name },
  });
  const infrastructure = openStackCluster(name, settings);
  const objects = [
    { object: cluster },
    { object: objectOf(name, "infrastructure", "OpenStackCluster", name, infrastructure) },
    ...controlPlaneObjects(name, settings, files).map((object) => ({ object, machines: CONTROL_PLANE_VDU })),
    ...Object.entries(settings.nodeGroups).flatMap(([group, groupSettings]) =>
      nodeGroupObjects(name, settings, group, groupSettings, files).map((object) => ({
        object,
        machines: group,
      })),
    ),
  ];
  return [
    { apiVersion: "v1", kind: "Namespace", metadata: { name } },
    ...(files.secret ? [files.secret] : []),
    ...withTemplateNames(patched(objects, settings.patches, place.get("patches"))),
  ];
}

function controlPlaneObjects(name: string, settings: ClusterSettings, files: MachineFiles): KubeObject[] {
  const { apiServer, controlPlane, image, sshKeyName } = settings;
  const serverGroup = serverGroupOf(name, CONTROL_PLANE);
  const virtualIp = apiServer.kubeVip && apiServer.fixedIp;
  const spec = openStackMachine(image, controlPlane, { sshKeyName, serverGroup, virtualIp });
  const machines = templateOf(
    name,
    "infrastructure",
    "OpenStackMachineTemplate",
    `${name}-${CONTROL_PLANE}`,
    spec,
  );
  return [
    machines,
    objectOf(name, "controlPlane", "KubeadmControlPlane", name, {
      replicas: controlPlane.replicas,
      version: settings.kubernetesVersion,
      rollout: {
        // the default would start a rollout by itself, eleven months later
        ...(!isOnMachine(apiServer) && {
          before: { certificatesExpiryDays: controlPlane.certificatesExpiryDays },
        }),
        strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } },
        ...after(settings, CONTROL_PLANE_VDU),
      },
      machineTemplate: { spec: { infrastructureRef: reference(machines), deletion: deletion(controlPlane) } },
      kubeadmConfigSpec: controlPlaneConfig(settings, files),
    }),
    ...healthCheck(name, CONTROL_PLANE, controlPlane.healthCheck, {
      "cluster.x-k8s.io/control-plane": "",
    }),
  ];
}

function nodeGroupObjects(
  name: string,
  settings: ClusterSettings,
  group: string,
  groupSettings: NodeGroup,
  files: MachineFiles,
): KubeObject[] {
  const owner = `${name}-${group}`;
  const { replicas, autoscaling, maxSurge, maxUnavailable, image = settings.image } = groupSettings;
  const { sshKeyName } = settings;
  const spec = openStackMachine(image, groupSettings, {
    sshKeyName,
    serverGroup: serverGroupOf(name, group),
  });
  const machines = templateOf(name, "infrastructure", "OpenStackMachineTemplate", owner, spec);
  const config = templateOf(
    name,
    "bootstrap",
    "KubeadmConfigTemplate",
    owner,
    workerConfig(settings, groupSettings, files),
  );
  const machine = {
    clusterName: name,
    version: groupSettings.kubernetesVersion ?? settings.kubernetesVersion,
    bootstrap: { configRef: reference(config) },
    infrastructureRef: reference(machines),
    deletion: deletion(groupSettings),
    ...(groupSettings.availabilityZone !== undefined && { failureDomain: groupSettings.availabilityZone }),
  };
  const deployment = objectOf(name, "core", "MachineDeployment", owner, {
    clusterName: name,
    ...(replicas !== undefined && { replicas }),
    selector: { matchLabels: {} },
    rollout: {
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge, maxUnavailable } },
      ...after(settings, group),
    },
    remediation: { maxInFlight: MAX_HEALED_AT_ONCE },
    template: { metadata: { labels: nodeLabels(groupSettings) }, spec: machine },
  });
  return [
    machines,
    config,
    autoscaling ? annotatedBy(deployment, autoscaling, settings, groupSettings) : deployment,
    ...healthCheck(name, group, groupSettings.healthCheck, { "cluster.x-k8s.io/deployment-name": owner }),
  ];
}

/**
 * A MachineDeployment with the annotations of an autoscaled group: its range, and the capacity of its nodes, which
 * cluster-autoscaler needs to know whether a pod fits if there is no machine. Without replicas in the spec the API
 * server keeps the current number, limited to the range.
 * https://cluster-api.sigs.k8s.io/tasks/automated-machine-management/autoscaling
 */
function annotatedBy(
  deployment: KubeObject,
  { min, max }: NonNullable<NodeGroup["autoscaling"]>,
  settings: ClusterSettings,
  group: NodeGroup,
): KubeObject {
  const range = "cluster.x-k8s.io/cluster-api-autoscaler-node-group";
  const capacity = "capacity.cluster-autoscaler.kubernetes.io";
  const labels = writeNodeLabels({ ...kubeletLabels(settings, group), ...nodeLabels(group) });
  const taints = writeTaints(group.taints ?? []);
  const annotations = {
    [`${range}-min-size`]: String(min),
    [`${range}-max-size`]: String(max),
    ...(labels !== "" && { [`${capacity}/labels`]: labels }),
    ...(taints !== "" && { [`${capacity}/taints`]: taints }),
  };
  return { ...deployment, metadata: { ...deployment.metadata, annotations } };
}

/**
 * The MachineHealthCheck of some machines: a node is unhealthy if it is not ready, or if its kubelet does not report.
 */
function healthCheck(
  name: string,
  machines: string,
  { enabled, unhealthyTimeout, nodeStartupTimeout, maxUnhealthy }: HealthCheck,
  matchLabels: Fields,
): KubeObject[] {
  if (!enabled) return [];
  const timeoutSeconds = secondsOf(unhealthyTimeout);
  const spec = {
    clusterName: name,
    selector: { matchLabels },
    checks: {
      nodeStartupTimeoutSeconds: secondsOf(nodeStartupTimeout),
      unhealthyNodeConditions: ["False", "Unknown"].map((status) => ({
        ...{ type: "Ready", status, timeoutSeconds },
      })),
    },
    remediation: {
      triggerIf: {
        unhealthyLessThanOrEqualTo: maxUnhealthy.endsWith("%") ? maxUnhealthy : Number(maxUnhealthy),
      },
    },
  };
  return [objectOf(name, "core", "MachineHealthCheck", `${name}-${machines}`, spec)];
}

/**
 * The maximum of a group's machines that are healed at a time, rounded up. Without it Cluster API deletes all at once
 * if their kubelets do not reach the API for a while, such as when its load balancer is down.
 */
const MAX_HEALED_AT_ONCE = "20%";

function deletion(machines: Machines): Fields {
  const { nodeDrainTimeout, nodeVolumeDetachTimeout, nodeDeletionTimeout } = machines;
  const timeouts = { nodeDrainTimeout, nodeVolumeDetachTimeout, nodeDeletionTimeout };
  return Object.fromEntries(
    Object.entries(timeouts).flatMap(([name, timeout]) =>
      timeout === undefined ? [] : [[`${name}Seconds`, secondsOf(timeout)]],
    ),
  );
}

/**
 * The time before which machines must have been created to be replaced. Cluster API allows no fractions of a second.
 */
function after({ heal = {} }: ClusterSettings, vdu: string): Fields {
  const times = [own(heal, vdu), own(heal, "all")].filter((time) => time !== undefined);
  const last = times
    .map((time) => time.replace(/\.\d+/, ""))
    .sort()
    .at(-1);
  return last === undefined ? {} : { after: last };
}

function objectOf(namespace: string, group: Group, kind: string, name: string, spec: Fields): KubeObject {
  return { apiVersion: VERSIONS[group], kind, metadata: { name, namespace }, spec };
}

function templateOf(namespace: string, group: Group, kind: string, owner: string, spec: Fields): KubeObject {
  return objectOf(namespace, group, kind, owner, { template: { spec } });
}

function groupOf(group: Group): string {
  return VERSIONS[group].split("/")[0] ?? "";
}

function reference({ apiVersion, kind, metadata: { name } }: KubeObject): Fields {
  return { apiGroup: apiVersion.split("/")[0], kind, name };
}
