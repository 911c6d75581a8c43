import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { MINORS_AT_A_TIME } from "../../kube/cluster/version-skew";
import type { ClusterPlan } from "../../plan/kubeadm/model";
import type { Reach } from "../../remote/reaching";
import { renderAccessManifest } from "../../render/access";
import { draining } from "../../render/node-data";
import type { PreparedNode } from "./prepared-node";
import { etcdSnapshots, storeData, type ControlPlaneStore } from "./control-plane-store";
import { phaseStep } from "./phase-step";

export interface OutliveServerArgs {
  readonly cluster: ClusterPlan;
  readonly master: PreparedNode;
  readonly store: ControlPlaneStore;
  /** The step that bootstraps the cluster: if it is deleted, no copy is made. */
  readonly origin: pulumi.Resource;
  /** The configuration that the cluster was created with. */
  readonly config: pulumi.Output<string>;
}

/**
 * Saves a sole master's control plane when its server is replaced, for any reason, and snapshots of it in case the
 * server is lost.
 * @returns a resource that exists once the server has the control plane
 */
export function outliveServer(
  name: string,
  args: OutliveServerArgs,
  opts: pulumi.CustomResourceOptions,
): pulumi.Resource {
  const { cluster, master, origin, config } = args;
  const script = {
    target: master.serverId,
    // the next server has to refuse an older copy than the last one
    receipt: args.store.key.publicKey.apply((text) =>
      createHash("sha256").update(text).digest("hex").slice(0, 32),
    ),
    data: {
      node_name: master.nodeName,
      kubernetes_version: cluster.kubernetesVersion ?? "",
      minors_at_a_time: String(MINORS_AT_A_TIME),
      kubeadm_config: config,
      provider_id: master.providerId,
      access_manifest: renderAccessManifest(),
      ...draining(cluster),
      ...storeData(args.store),
    },
  };
  // in the state before the server has any data to lose
  const copied = phaseStep(
    name,
    "copy",
    {
      ...script,
      // a dead master has nothing to copy, so it is given up early
      reach: master.reach.apply((known): Reach => ({ ...known, tries: 10 })),
      create: false,
      undo: true,
    },
    { ...opts, dependsOn: [origin], deletedWith: origin },
  );
  const restored = phaseStep(
    name,
    "restore",
    { ...script, reach: master.reach },
    { ...opts, dependsOn: [copied] },
  );
  etcdSnapshots(master, 0, args.store, [restored], opts);
  return restored;
}
