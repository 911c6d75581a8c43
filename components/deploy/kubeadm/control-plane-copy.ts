import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { MINORS_AT_A_TIME } from "../../kube/cluster/version-skew";
import type { ClusterPlan } from "../../plan/kubeadm/model";
import { sshKeyPair, type SshKeyPair } from "../../remote/key-pair";
import type { Reach } from "../../remote/reaching";
import { renderAccessManifest } from "../../render/access";
import { draining } from "../../render/node-data";
import type { PreparedNode } from "./prepared-node";
import { stepName } from "../steps";
import { phaseStep } from "./phase-step";

/**
 * A worker that stores the control plane of a sole master, while the master's server is replaced and in case it is
 * lost.
 */
export interface ControlPlaneStore {
  readonly worker: PreparedNode;
  /** SSH key of the master, which gives access to the copy only. */
  readonly key: SshKeyPair;
  /** Exists once the master can store a copy. */
  readonly open: pulumi.Resource;
}

/** Prepares a worker to store the control plane of a sole master, encrypted so that the worker cannot read it. */
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
    // the next server has to refuse an older copy than the last one
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
