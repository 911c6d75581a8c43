import { groupOf, at, identity, identityOf, items, text, type KubeObject } from "../../kube/objects/object";
import { named } from "./machine-networks";

/** Machines of Cluster API with equal settings. */
export interface MachineGroup {
  /** The object that sets the number of machines. */
  readonly owner: KubeObject;
  /** The maximum number of machines. */
  readonly machines: number;
  /** Name or id, as in the manifest. Undefined: not in the manifests. */
  readonly flavor: string | undefined;
  readonly image: string | undefined;
  /** Names or ids of existing networks for additional ports of the machines. */
  readonly networks: readonly string[];
}

/** Kinds of objects that create machines from a template, with the paths of the reference to it. */
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

/** The groups of machines of OpenStack among objects of Cluster API, without those of ClusterClasses. */
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
  // the default of Cluster API is 1
  return Math.max(most, typeof replicas === "number" ? replicas : 1);
}
