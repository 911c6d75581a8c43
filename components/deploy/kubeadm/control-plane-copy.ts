import * as pulumi from "@pulumi/pulumi";
import { MINORS_AT_A_TIME } from "../../kube/cluster/version-skew";
import type { ClusterPlan } from "../../plan/kubeadm/model";
import type { Reach } from "../../remote/reaching";
import { renderAccessManifest } from "../../render/access";
import { draining } from "../../render/node-data";
import type { PreparedNode } from "./prepared-node";
import { receiptOf, storeData, type ControlPlaneStore } from "./control-plane-store";
import { phaseStep } from "./phase-step";

export interface OutliveServerArgs {
  readonly cluster: ClusterPlan;
  readonly master: PreparedNode;
  readonly store: ControlPlaneStore;
  /** The step that bootstraps the cluster. No copy is made if that step is deleted. */
  readonly origin: pulumi.Resource;
  /** The configuration that the cluster was created with. */
  readonly config: pulumi.Output<string>;
}

/**
 * Saves a sole master's control plane when its server is replaced, for any reason.
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
    receipt: receiptOf(args.store),
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
  return restored;
}

export interface BeginAgainArgs extends Omit<OutliveServerArgs, "cluster" | "config"> {
  /** Address and port of the API. */
  readonly apiEndpoint: pulumi.Output<string>;
  /** Load balancers that must run before the API answers at its address. */
  readonly balancers: readonly pulumi.Resource[];
}

/**
 * Bootstraps the cluster again on the first of several masters, from a snapshot that the operator has chosen. Without a
 * chosen snapshot the master joins the others.
 * @returns a resource that exists once the master has a control plane
 */
export function beginAgain(
  name: string,
  { master, store, origin, apiEndpoint, balancers }: BeginAgainArgs,
  opts: pulumi.CustomResourceOptions,
): pulumi.Resource {
  return phaseStep(
    name,
    "from-snapshot",
    {
      reach: master.reach,
      target: master.serverId,
      receipt: receiptOf(store),
      data: {
        node_name: master.nodeName,
        api_endpoint: apiEndpoint,
        provider_id: master.providerId,
        ...storeData(store),
      },
    },
    { ...opts, dependsOn: [origin, ...balancers] },
  );
}
