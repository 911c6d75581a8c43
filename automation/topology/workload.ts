import type { Change } from "../changes/changes";
import { MACHINE_SETS } from "../../components/kube/objects/cluster-api";
import { groupKind } from "../../components/kube/objects/kinds";
import { at, fields, items, text, type KubeObject } from "../../components/kube/objects/object";
import type { WorkloadPlan } from "../../components/plan/model";
import type { PlannedVnfc } from "../../components/plan/workload/cnf";
import { keyOfObject } from "../stack/steps";
import { marksOf } from "./marks";
import { box, type Box } from "./model";

/** Boxes of a CNF: its own, and the parts of the cloud that it uses if it is a workload cluster. */
export interface WorkloadBoxes {
  /** The network that Cluster API creates for the machines. */
  readonly networks: readonly Box[];
  /** Names of existing networks. */
  readonly existing: readonly string[];
  /** A box for each VDU: the controller of its pods, or its set of machines. */
  readonly groups: readonly Box[];
  readonly facts: readonly string[];
  /** Changes that belong to none of these boxes. */
  readonly rest: readonly Change[];
}

/** @param changes changes of the instance */
export function workloadBoxes(plan: WorkloadPlan, changes: readonly Change[]): WorkloadBoxes {
  const { name, cnf } = plan;
  const network = plan.cluster && machineNetwork(name, plan);
  const isOfGroup = (change: Change): boolean => cnf.vnfcs.some((vnfc) => isOf(vnfc, change));
  return {
    networks: network?.made ?? [],
    existing: network?.existing ?? [],
    groups: cnf.vnfcs.map((vnfc) =>
      groupBox(vnfc, changes, isSetOfMachines(vnfc) ? network?.name : undefined),
    ),
    facts: factsOf(plan),
    rest: changes.filter((change) => !isOfGroup(change)),
  };
}

function groupBox(vnfc: PlannedVnfc, changes: readonly Change[], network: string | undefined): Box {
  const { vdu, replicas } = vnfc;
  return box("group", vdu, {
    ...(replicas !== undefined && { count: replicas }),
    facts: [keyOfObject(vnfc)],
    networks: network === undefined ? [] : [network],
    marks: marksOf(changes.filter((change) => isOf(vnfc, change))),
  });
}

/** Returns true if a change affects the controller itself. */
function isOf(vnfc: PlannedVnfc, { subject: { kind, key } }: Change): boolean {
  return kind === "object" && key === keyOfObject(vnfc);
}

function isSetOfMachines({ kind }: PlannedVnfc): boolean {
  return MACHINE_SETS.some((known) => known.endsWith(`/${kind}`));
}

function factsOf({ cnf, cluster }: WorkloadPlan): readonly string[] {
  const { namespace, objects, releases } = cnf;
  return [
    ...(cluster === undefined ? ["CNF"] : ["workload cluster"]),
    ...(cluster?.kubernetesVersion === undefined ? [] : [`Kubernetes ${cluster.kubernetesVersion}`]),
    `namespace ${namespace}`,
    ...(objects.length === 0 ? [] : [`${objects.length} ${objects.length === 1 ? "object" : "objects"}`]),
    ...releases.map((release) => `release ${release.name}`),
  ];
}

interface MachineNetwork {
  readonly name: string;
  readonly made: readonly Box[];
  readonly existing: readonly string[];
}

/** Returns the network of a workload cluster's machines, from its OpenStackCluster. */
function machineNetwork(instance: string, { cnf }: WorkloadPlan): MachineNetwork | undefined {
  const infrastructure = cnf.objects.map(({ object }) => object).find(isOpenStackCluster);
  if (infrastructure === undefined) return undefined;
  const external = networkSetting(at(infrastructure, "spec", "externalNetwork"));
  const networkName = networkSetting(at(infrastructure, "spec", "network"));
  const existing = [external, networkName].filter((network) => network !== undefined);
  if (networkName !== undefined) return { name: networkName, made: [], existing };
  const subnets = items(at(infrastructure, "spec", "managedSubnets"));
  const name = `${instance}/nodes`;
  const facts = [
    ...subnets.flatMap((subnet) => text(fields(subnet)["cidr"]) ?? []),
    ...(external === undefined ? [] : [`router to ${external}`]),
  ];
  return { name, made: [box("network", name, { facts })], existing };
}

function isOpenStackCluster(object: KubeObject): boolean {
  return groupKind(object) === "infrastructure.cluster.x-k8s.io/OpenStackCluster";
}

/** Returns the name or id of a network in an OpenStackCluster. */
function networkSetting(network: unknown): string | undefined {
  return text(at(network, "filter", "name")) ?? text(at(network, "id"));
}
