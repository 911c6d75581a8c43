import * as pulumi from "@pulumi/pulumi";
import { after } from "../after";
import type { Node } from "../openstack/node";
import { own } from "../../base/own";
import type { ClusterPlan, StoragePlan } from "../../plan/kubeadm/model";
import type { RotatedKeyPair } from "../../remote/key-pair";
import type { Reach } from "../../remote/reaching";
import { STORAGE_SERVER } from "../steps";
import type { ControlPlane } from "./control-plane";
import { exportData } from "../../render/nfs-config";
import { addressAt } from "./addresses";
import { leaving, reachServer, type ClusterJumpHost } from "./ssh";
import { proxyData } from "../../render/site-proxy";
import { phaseStep } from "./phase-step";

export interface StorageServerArgs {
  readonly storage: StoragePlan;
  readonly cluster: ClusterPlan;
  readonly node: Node;
  readonly jumpHost: ClusterJumpHost | undefined;
  /** The control plane of the cluster with its PersistentVolumes. */
  readonly controlPlane: ControlPlane;
  /** The SSH key of the instance. */
  readonly key: RotatedKeyPair;
}

/** A server that mounts volumes and exports them by NFS. */
export class StorageServer extends pulumi.ComponentResource {
  /** The connection for scripts, known once its volumes are mounted. */
  readonly reach: pulumi.Output<Reach>;

  constructor(name: string, args: StorageServerArgs, opts?: pulumi.ComponentResourceOptions) {
    super(STORAGE_SERVER, name, {}, opts);
    const { storage, cluster, node, jumpHost, controlPlane, key } = args;
    const reach = reachServer({ cluster, pool: storage.pool, node, jumpHost, key });
    const exported = exportData(storage);
    const unused = phaseStep(
      name,
      "exports-in-use",
      {
        reach: controlPlane.reach,
        target: controlPlane.target,
        data: {
          nfs_servers: pulumi.all(Object.values(node.addresses)).apply((all) => all.join("\n")),
          directories: exported.directories,
        },
      },
      { parent: this },
    );
    // writes buffered data of its volumes when it is deleted; in the state before anything is mounted, and deleted
    // after the exports, which a server that stays gets again
    const released = phaseStep(
      name,
      "release",
      {
        ...leaving(reach),
        data: {
          mount_points: storage.mounts.map(({ mountTo }) => mountTo).join("\n"),
          nfs_server: storage.nfsServer,
        },
        target: node.serverId,
      },
      { parent: this },
    );
    const mounted = phaseStep(
      name,
      "storage",
      {
        reach,
        target: node.serverId,
        data: pulumi
          .all([
            pulumi.all(storage.mounts.map((mount) => own(node.volumes, mount.storage))),
            addressAt(node, storage.pool.sshConnectionPoint, cluster),
          ])
          .apply(([volumes, address]) => ({
            volumes: storage.mounts
              .map(({ mountTo }, i) => `${volumes[i]?.id} ${volumes[i]?.sizeGiB} ${mountTo}`)
              .join("\n"),
            ...exported,
            ...proxyData(cluster, address),
          })),
      },
      { parent: this, dependsOn: [unused, released] },
    );
    this.reach = after(mounted, reach);
    this.registerOutputs({});
  }
}
