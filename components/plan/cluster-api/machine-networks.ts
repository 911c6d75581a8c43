import { groupOf, at, items, text, type KubeObject } from "../../kube/objects/object";

/** The networks of the cloud that a cluster of Cluster API's provider for OpenStack uses, from its OpenStackCluster. */
export interface MachineNetworks {
  readonly owner: KubeObject;
  /** Names or ids of existing networks that the port of each machine is on. */
  readonly existing: readonly string[];
  /** Names or ids of the networks for its floating IPs. */
  readonly floating: readonly string[];
  /** The network that is created for the cluster. */
  readonly made:
    | { readonly cidrs: readonly string[]; readonly externalNetwork?: string; readonly router?: string }
    | undefined;
  /** A jump host for SSH, with a floating IP. */
  readonly bastion: { readonly flavor: string | undefined; readonly image: string | undefined } | undefined;
  /** True if the API has a floating IP. */
  readonly isPublic: boolean;
}

/** The networks of each OpenStackCluster among the objects. */
export function machineNetworks(objects: readonly KubeObject[]): MachineNetworks[] {
  return objects
    .filter(
      (object) => object.kind === "OpenStackCluster" && groupOf(object) === "infrastructure.cluster.x-k8s.io",
    )
    .map((owner) => {
      const spec = at(owner, "spec");
      const [external, network, router] = ["externalNetwork", "network", "router"].map((key) =>
        named(at(spec, key)),
      );
      const externalNetwork = external ?? text(at(spec, "externalNetworkId"));
      const nodeCidr = text(at(spec, "nodeCidr"));
      const cidrs = [
        ...items(at(spec, "managedSubnets")).flatMap((subnet) => text(at(subnet, "cidr")) ?? []),
        ...(nodeCidr === undefined ? [] : [nodeCidr]),
      ];
      const bastion = at(spec, "bastion", "spec") ?? at(spec, "bastion", "instance");
      return {
        owner,
        existing: network === undefined ? [] : [network],
        floating: externalNetwork === undefined ? [] : [externalNetwork],
        made:
          cidrs.length === 0
            ? undefined
            : {
                cidrs,
                ...(router !== undefined && { router }),
                ...(router === undefined && externalNetwork !== undefined && { externalNetwork }),
              },
        bastion:
          bastion === undefined || at(spec, "bastion", "enabled") === false
            ? undefined
            : { flavor: named(at(bastion, "flavor")), image: named(at(bastion, "image")) },
        isPublic: at(spec, "disableAPIServerFloatingIP") !== true,
      };
    });
}

/** The name or the id in a reference to a resource of the cloud. */
export function named(value: unknown): string | undefined {
  const paths = [["filter", "name"], ["id"], ["name"], ["imageRef", "name"]];
  return text(value) ?? paths.map((path) => text(at(value, ...path))).find((found) => found !== undefined);
}
