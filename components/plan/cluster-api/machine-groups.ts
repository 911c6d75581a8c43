import { groupOf, at, identity, identityOf, items, text, type KubeObject } from "../../kube/objects/object";
import { named } from "./machine-networks";

/** Machines of Cluster API that are made alike. */
export interface MachineGroup {
  /** The object that says how many there are. */
  readonly owner: KubeObject;
  /** The most that there may be. */
  readonly machines: number;
  /** As the manifest names them, or their ids. Undefined: the manifests do not say. */
  readonly flavor: string | undefined;
  readonly image: string | undefined;
  /** Names or ids of networks that are there, and that ports of the machines are on, beside that of their cluster. */
  readonly networks: readonly string[];
}

/** Kinds of objects that make machines of a template, and where they name that. */
const OWNERS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  KubeadmControlPlane: [
    ["spec", "machineTemplate", "spec", "infrastructureRef"],
    // before v1beta2
    ["spec", "machineTemplate", "infrastructureRef"],
  ],
  MachineDeployment: [["spec", "template", "spec", "infrastructureRef"]],
  MachineSet: [["spec", "template", "spec", "infrastructureRef"]],
  MachinePool: [["spec", "template", "spec", "infrastructureRef"]],
};

const MAX_SIZE = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size";

/** The machines that objects of Cluster API and of its provider for OpenStack ask for, those of classes aside. */
export function machineGroups(objects: readonly KubeObject[]): MachineGroup[] {
  const byIdentity = new Map(objects.map((object) => [identityOf(object), object]));
  return objects.flatMap((owner) => {
    const paths = groupOf(owner).endsWith("cluster.x-k8s.io") ? (OWNERS[owner.kind] ?? []) : [];
    const [reference] = paths.map((path) => at(owner, ...path)).filter((found) => found !== undefined);
    if (reference === undefined) return [];
    const group = "infrastructure.cluster.x-k8s.io";
    const template = identity(
      group,
      String(at(reference, "kind")),
      owner.metadata.namespace,
      String(at(reference, "name")),
    );
    const machine = at(byIdentity.get(template), "spec", "template", "spec");
    return [
      {
        owner,
        machines: machinesOf(owner),
        flavor: named(at(machine, "flavor")) ?? text(at(machine, "flavorID")),
        image: named(at(machine, "image")),
        networks: items(at(machine, "ports")).flatMap((port) => named(at(port, "network")) ?? []),
      },
    ];
  });
}

function machinesOf({ metadata, ...owner }: KubeObject): number {
  const replicas = at(owner, "spec", "replicas");
  const most = Number(metadata.annotations?.[MAX_SIZE] ?? 0);
  // Cluster API makes one where the object does not say
  return Math.max(most, typeof replicas === "number" ? replicas : 1);
}
