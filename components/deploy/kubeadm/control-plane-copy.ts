import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { MINORS_AT_A_TIME } from "../../kube/cluster/version-skew";
import type { ClusterPlan } from "../../plan/kubeadm/model";
import { sshKeyPair, type SshKeyPair } from "../../remote/key-pair";
import type { Reach } from "../../remote/reaching";
import { renderAccessManifest } from "../../render/access";
import { draining } from "./member";
import type { PreparedNode } from "./prepared-node";
import { stepName } from "../steps";
import { phaseStep } from "./phase-step";

/** A worker that has a sole master's control plane while the master's server is replaced, and if it is lost. */
export interface ControlPlaneStore {
  readonly worker: PreparedNode;
  /** The master's; it is good for the control plane only. */
  readonly key: SshKeyPair;
  /** There once the master may leave something. */
  readonly open: pulumi.Resource;
}

/** Lets a sole master leave its control plane on a worker, who cannot read it. */
export function controlPlaneStore(
  name: string,
  worker: PreparedNode,
  opts: pulumi.CustomResourceOptions,
): ControlPlaneStore {
  const key = sshKeyPair(stepName(name, "storeKey"), opts);
  const open = phaseStep(
    worker.name,
    "store",
    {
      reach: worker.reach,
      target: worker.serverId,
      data: { login_user: worker.sshUser, public_key: key.publicKey },
    },
    opts,
  );
  return { worker, key, open };
}

export interface OutliveServerArgs {
  readonly cluster: ClusterPlan;
  readonly master: PreparedNode;
  readonly store: ControlPlaneStore;
  /** The cluster's beginning: where it goes, no copy is made. */
  readonly origin: pulumi.Resource;
  /** The configuration that the cluster was made with. */
  readonly config: pulumi.Output<string>;
}

/**
 * Keeps a sole master's control plane when its server is replaced, for whatever reason, and snapshots of it in case the
 * server is lost.
 * @returns what is there once the server has the control plane
 */
export function outliveServer(
  name: string,
  args: OutliveServerArgs,
  opts: pulumi.CustomResourceOptions,
): pulumi.Resource {
  const { cluster, master, origin, config } = args;
  const { worker, key, open } = args.store;
  const store = {
    store_node: worker.nodeName,
    store_address: worker.address,
    store_user: worker.sshUser,
    store_host_key: worker.hostKey,
    store_key: key.privateKey,
  };
  const script = {
    target: master.serverId,
    // the next server is to refuse an older copy than the last one
    receipt: key.publicKey.apply((text) => createHash("sha256").update(text).digest("hex").slice(0, 32)),
    data: {
      node_name: master.nodeName,
      kubernetes_version: cluster.kubernetesVersion ?? "",
      minors_at_a_time: String(MINORS_AT_A_TIME),
      kubeadm_config: config,
      provider_id: master.providerId,
      access_manifest: renderAccessManifest(),
      ...draining(cluster),
      ...store,
    },
  };
  // in the state before the server has anything to lose
  const copied = phaseStep(
    name,
    "copy",
    {
      ...script,
      // a master that is dead has nothing to copy: that is soon said
      reach: master.reach.apply((its): Reach => ({ ...its, tries: 10 })),
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
  phaseStep(
    name,
    "snapshots",
    {
      reach: master.reach,
      target: master.serverId,
      data: store,
    },
    { ...opts, dependsOn: [restored, open] },
  );
  return restored;
}
