import * as pulumi from "@pulumi/pulumi";
import { KubeResource } from "../objects/kube-resource";
import { fields, text, type KubeObject } from "../../kube/objects/object";
import type { Node } from "../openstack/node";
import type { ClusterPlan, PlannedPersistentVolume } from "../../plan/kubeadm/model";
import { scriptStep } from "../../remote/script-step";
import { PERSISTENT_VOLUMES } from "../steps";
import type { ControlPlane } from "./control-plane";
import { addressAt } from "./addresses";

export interface PersistentVolumesArgs {
  readonly volumes: readonly PlannedPersistentVolume[];
  readonly cluster: ClusterPlan;
  /** The storage server. Its address belongs to its port, which the next server takes over. */
  readonly node: Node;
  readonly controlPlane: ControlPlane;
  /** The resource that is replaced or deleted only together with the whole cluster. */
  readonly lifetime: pulumi.Resource;
}

/**
 * The PersistentVolumes of a cluster's storage server, on the cluster of the Kubernetes provider in the options. A
 * PersistentVolume that is bound to a PVC is not deleted: the run fails and names the PVC.
 */
export class PersistentVolumes extends pulumi.ComponentResource {
  /** Names, known once the volumes are registered. */
  readonly names: pulumi.Output<string[]>;

  constructor(name: string, args: PersistentVolumesArgs, opts: pulumi.ComponentResourceOptions) {
    super(PERSISTENT_VOLUMES, name, {}, opts);
    const { cluster, node, controlPlane, lifetime } = args;
    // deleted with the whole cluster
    const child = { parent: this, deletedWith: controlPlane.origin };
    const names = args.volumes.map(({ name: volume, object, connectionPoint }) => {
      const registered = new KubeResource(
        `${name}-${volume}`,
        {
          object: at(object, addressAt(node, connectionPoint, cluster)),
          secret: false,
          retain: false,
          timeout: "5m",
          lifetime,
        },
        child,
      );
      const uid = registered.metadata.apply((metadata) => text(fields(metadata)["uid"]) ?? "");
      const unused = scriptStep(
        `${name}-${volume}-unused`,
        {
          reach: controlPlane.reach,
          script: "persistent-volume.sh",
          target: uid,
          data: { persistent_volume: volume, uid },
          create: false,
          undo: true,
        },
        child,
      );
      return unused.id.apply(() => volume);
    });
    this.names = pulumi.all(names);
    this.registerOutputs({ names: this.names });
  }
}

/** Sets the address of the NFS server in an object. */
function at(object: KubeObject, server: pulumi.Output<string>): KubeObject {
  const spec = fields(object["spec"]);
  return { ...object, spec: { ...spec, nfs: { ...fields(spec["nfs"]), server } } };
}
