import { groupOf, at, identity, identityOf, text, type KubeObject } from "../../kube/objects/object";

/** Machines of Cluster API that are made alike. */
export interface MachineGroup {
  /** The object that says how many there are. */
  readonly owner: KubeObject;
  /** The most that there may be. */
  readonly machines: number;
  /** As the manifest names them, or their ids. Undefined: the manifests do not say. */
  readonly flavor: string | undefined;
  readonly image: string | undefined;
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
    const named = identity(
      group,
      String(at(reference, "kind")),
      owner.metadata.namespace,
      String(at(reference, "name")),
    );
    const machine = at(byIdentity.get(named), "spec", "template", "spec");
    return [
      {
        owner,
        machines: machinesOf(owner),
        flavor: text(at(machine, "flavor")) ?? text(at(machine, "flavorID")),
        image: imageOf(at(machine, "image")),
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

/** By its name or its id. */
function imageOf(image: unknown): string | undefined {
  const paths = [["filter", "name"], ["id"], ["imageRef", "name"]];
  return text(image) ?? paths.map((path) => text(at(image, ...path))).find((found) => found !== undefined);
}
