import * as pulumi from "@pulumi/pulumi";
import { endpoint } from "../../base/net/cidr";
import { after } from "../after";
import { own } from "../../base/own";
import type { ClusterPlan } from "../../plan/kubeadm/model";
import { masterPool } from "../../plan/kubeadm/pools";
import type { RotatedKeyPair } from "../../remote/key-pair";
import { reach, type JumpHost } from "../../remote/reach";
import type { Reach } from "../../remote/reaching";
import {
  parseAccess,
  renderAccessManifest,
  serviceAccountData,
  type ClusterAccess,
} from "../../render/access";
import { beginAgain, outliveServer } from "./control-plane-copy";
import type { ControlPlaneStore } from "./control-plane-store";
import { renderCniManifest, renderInitConfig } from "../../render/kubeadm-config";
import { withoutStackTrace } from "../run-error";
import { declareVersion } from "./kubernetes-version";
import type { PreparedNode } from "./prepared-node";
import { CONTROL_PLANE } from "../steps";
import { phaseStep } from "./phase-step";

export interface ControlPlaneArgs {
  readonly cluster: ClusterPlan;
  /** The resource that is replaced or deleted only together with the whole cluster. */
  readonly lifetime: pulumi.Resource;
  /** The masters. kubeadm bootstraps the cluster on the first one. */
  readonly masters: readonly [PreparedNode, ...PreparedNode[]];
  /** The jump host to masters without floating IPs. */
  readonly jumpHost: JumpHost | undefined;
  /** The SSH key of the instance. */
  readonly key: RotatedKeyPair;
  readonly api: ApiAddresses;
  /** Load balancers that must run before the API answers at its address. */
  readonly balancers: readonly pulumi.Resource[];
  /** Configuration of kube-apiserver for the encryption of Secrets; secret. Undefined: they are not encrypted. */
  readonly encryption: pulumi.Output<string> | undefined;
  /** The store of a sole master's control plane while its server is replaced, and of snapshots of etcd. */
  readonly store: ControlPlaneStore;
}

/** Addresses of the Kubernetes API. */
export interface ApiAddresses {
  /** Address for the nodes. */
  readonly address: pulumi.Output<string>;
  /** Address for everyone else. Undefined: the same one. */
  readonly floatingIp: pulumi.Output<string> | undefined;
}

/** The control plane of a cluster: its API, its CNI and the manager's access. */
export class ControlPlane extends pulumi.ComponentResource {
  /** The connection for scripts about the cluster, to any master that answers; known once the API does. */
  readonly reach: pulumi.Output<Reach>;
  readonly apiAddress: pulumi.Output<string>;
  /** The configuration with which `kubeadm init` created the cluster; its version may be older than the cluster's. */
  readonly config: pulumi.Output<string>;
  /** Access data of the cluster, also for joining nodes; secret. */
  readonly access: pulumi.Output<ClusterAccess>;
  /** Token of the manager's service account; secret. */
  readonly bearerToken: pulumi.Output<string>;
  /** The step that bootstraps the cluster: it is deleted only with the whole cluster. */
  readonly origin: pulumi.Resource;
  /** Exists once the first master has a control plane, bootstrapped or joined. */
  readonly begun: pulumi.Resource;
  /** Resources that must exist before a node joins. */
  readonly beforeJoin: readonly pulumi.Resource[];
  /** A trigger for scripts about the cluster: they run again if it changes. */
  readonly target: pulumi.Input<string>;

  constructor(name: string, args: ControlPlaneArgs, opts?: pulumi.ComponentResourceOptions) {
    super(CONTROL_PLANE, name, {}, opts);
    const { cluster, lifetime, masters, store } = args;
    const { address: apiAddress, floatingIp } = args.api;
    const [first] = masters;
    const child = { parent: this };
    const shared = cluster.api.kind !== "master";
    // the cluster outlives its first server
    const target = after(lifetime, pulumi.output(first.nodeName));
    const version = cluster.kubernetesVersion;
    this.config = pulumi
      .all([first.address, first.ipv6, apiAddress, floatingIp])
      .apply(([nodeAddress, nodeIpv6, api, floating]) =>
        renderInitConfig(cluster, {
          ...{ nodeName: first.nodeName, nodeAddress, nodeIpv6 },
          apiAddress: api,
          floatingIp: floating,
        }),
      );
    const apiEndpoint = apiAddress.apply((address) => endpoint(address, cluster.api.port));
    const begun = phaseStep(
      name,
      "init",
      {
        reach: first.serverReach,
        target,
        data: {
          kubernetes_version: version ?? "",
          kubeadm_config: this.config,
          encryption_config: args.encryption ?? "",
          provider_id: first.providerId,
          access_manifest: renderAccessManifest(),
          api_endpoint: shared ? apiEndpoint : "",
        },
      },
      { ...child, dependsOn: [first.prepared, ...args.balancers] },
    );
    const onFirst = { master: first, store, origin: begun };
    this.begun = shared
      ? beginAgain(name, { ...onFirst, apiEndpoint, balancers: args.balancers }, child)
      : outliveServer(name, { ...onFirst, cluster, config: this.config }, child);
    const onMaster = { reach: after(this.begun, reachMasters(args)), target };
    phaseStep(
      name,
      "cni",
      {
        ...onMaster,
        data: { cni_manifest: apiAddress.apply((address) => renderCniManifest(cluster, address)) },
      },
      child,
    );
    const access = phaseStep(name, "access", { ...onMaster, data: {} }, child);
    // a separate step, so that a new token changes nothing for the nodes, which use the other data
    const bearerToken = phaseStep(
      name,
      "service-account",
      {
        ...onMaster,
        data: {
          ...serviceAccountData(),
          rotation: cluster.rotation.serviceAccount ?? "",
        },
      },
      child,
    ).stdout;
    this.beforeJoin =
      version === undefined
        ? []
        : [declareVersion(name, { ...onMaster, version, soleMaster: !shared }, child)];
    this.reach = onMaster.reach;
    this.target = target;
    this.apiAddress = apiAddress;
    this.access = access.stdout.apply((text) => withoutStackTrace(() => parseAccess(text)));
    this.bearerToken = pulumi.secret(bearerToken.apply((text) => text.trim()));
    this.origin = begun;
    this.registerOutputs({ apiAddress });
  }
}

/**
 * The number of masters that scripts try. One of three is alive as long as a cluster of up to five has its quorum. No
 * scale-in removes the first three, so the scripts have the same data, and do not run again, for any number of masters.
 * In a cluster of seven masters all three may be dead: then another one answers at the address of the API, if it is on
 * the masters.
 */
const TRIED_MASTERS = 3;

/**
 * The connection of scripts to a master: the only one, or the first of several that answers. All masters have the same
 * host key.
 */
function reachMasters({
  cluster,
  masters,
  jumpHost,
  key,
  api: ofApi,
}: ControlPlaneArgs): pulumi.Output<Reach> {
  const [first] = masters;
  const { api } = cluster;
  const master = masterPool(cluster);
  const hasFloatingIp = own(first.floatingIps, master.sshConnectionPoint) !== undefined;
  const shared = hasFloatingIp ? ofApi.floatingIp : ofApi.address;
  const { hostKey } = first;
  const hosts = [
    ...masters.slice(0, TRIED_MASTERS).map(({ sshHost }) => sshHost),
    ...(api.kind === "haproxy" && api.onMasters && shared !== undefined ? [shared] : []),
  ].map((host) => ({ host, hostKey }));
  const way = hasFloatingIp ? undefined : jumpHost;
  // a sole master needs no check before: there is no other
  return reach({ hosts, login: master.login, key, jumpHost: way, onMaster: hosts.length > 1 });
}
