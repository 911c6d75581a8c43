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
import { outliveServer, type ControlPlaneStore } from "./control-plane-copy";
import { renderCniManifest, renderInitConfig } from "../../render/kubeadm-config";
import { withoutStackTrace } from "../run-error";
import { declareVersion } from "./kubernetes-version";
import type { PreparedNode } from "./prepared-node";
import { CONTROL_PLANE } from "../steps";
import { phaseStep } from "./phase-step";

export interface ControlPlaneArgs {
  readonly cluster: ClusterPlan;
  /** What goes with the whole cluster, and with nothing less. */
  readonly lifetime: pulumi.Resource;
  /** The first is the one that the cluster begins on. */
  readonly masters: readonly [PreparedNode, ...PreparedNode[]];
  /** On the way to those without floating IPs. */
  readonly jumpHost: JumpHost | undefined;
  /** The instance's own SSH key. */
  readonly key: RotatedKeyPair;
  readonly api: ApiAddresses;
  /** What must be up before the API answers there. */
  readonly balancers: readonly pulumi.Resource[];
  /** What kube-apiserver encrypts Secrets with. Secret; undefined: it does not. */
  readonly encryption: pulumi.Output<string> | undefined;
  /** Where a sole master's control plane is while its server is replaced; undefined for several masters. */
  readonly store: ControlPlaneStore | undefined;
}

/** Addresses of the Kubernetes API. */
export interface ApiAddresses {
  /** For the nodes. */
  readonly address: pulumi.Output<string>;
  /** For everyone else. Undefined: the same one. */
  readonly floatingIp: pulumi.Output<string> | undefined;
}

/** A cluster's control plane as the rest of the program uses it: its API, its CNI, the manager's access. */
export class ControlPlane extends pulumi.ComponentResource {
  /** For scripts about the cluster, on any master that answers; known once the API does. */
  readonly reach: pulumi.Output<Reach>;
  readonly apiAddress: pulumi.Output<string>;
  /** The configuration that the cluster was made with, of whatever version. */
  readonly config: pulumi.Output<string>;
  /** Secret. */
  readonly access: pulumi.Output<ClusterAccess>;
  /** Of the manager's service account; secret. */
  readonly bearerToken: pulumi.Output<string>;
  /** The cluster's beginning: it goes only with the whole cluster. */
  readonly origin: pulumi.Resource;
  /** What comes before a node joins. */
  readonly beforeJoin: readonly pulumi.Resource[];
  /** What scripts about the cluster are bound to. */
  readonly target: pulumi.Input<string>;

  constructor(name: string, args: ControlPlaneArgs, opts?: pulumi.ComponentResourceOptions) {
    super(CONTROL_PLANE, name, {}, opts);
    const { cluster, lifetime, masters, store } = args;
    const { address: apiAddress, floatingIp } = args.api;
    const [first] = masters;
    const child = { parent: this };
    const shared = cluster.api.kind !== "master";
    // the cluster outlives the server that it began on
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
          api_endpoint: shared ? apiAddress.apply((address) => endpoint(address, cluster.api.port)) : "",
        },
      },
      { ...child, dependsOn: [first, ...args.balancers] },
    );
    const here =
      store === undefined
        ? begun
        : outliveServer(name, { cluster, master: first, store, origin: begun, config: this.config }, child);
    const onMaster = { reach: after(here, reachMasters(args)), target };
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
    // by itself, so that a new token is no change for the nodes, which use the rest
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
 * Of so many one is alive where a cluster of up to five has its quorum; and as no scale in takes them, the scripts have
 * the same data, and do not run again, whatever the number of masters. Of seven all three may be dead: then one is at
 * the address of the API, where masters have that.
 */
const TRIED_MASTERS = 3;

/** How scripts get to a master, the sole one or any of several. All masters have one host key. */
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
  // of a sole one nothing is asked before: there is no other
  return reach({ hosts, login: master.login, key, jumpHost: way, onMaster: hosts.length > 1 });
}
