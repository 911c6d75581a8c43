import * as pulumi from "@pulumi/pulumi";
import { after } from "../after";
import type { ClusterPlan } from "../plan/model";
import { remoteScript, type Connection } from "../remote/remote-script";
import { parseAccess, renderAccessManifest, serviceAccountData, type ClusterAccess } from "./access";
import { outliveServer, type ControlPlaneStore } from "./control-plane-copy";
import { SSH_PORT } from "./haproxy-config";
import { apiEndpoint, renderCniManifest, renderInitConfig } from "./kubeadm-config";
import { declareVersion } from "./kubernetes-version";
import type { PreparedNode } from "./prepared-node";

export interface ControlPlaneArgs {
  readonly cluster: ClusterPlan;
  /** What goes with the whole cluster, and with nothing less. */
  readonly whole: pulumi.Resource;
  /** The master that the cluster begins on. */
  readonly first: PreparedNode;
  /** Address of the Kubernetes API. */
  readonly apiAddress: pulumi.Output<string>;
  /** What must be up before the API answers there. */
  readonly balancers: readonly pulumi.Resource[];
  /** Where a sole master's control plane is while its server is replaced; undefined for several masters. */
  readonly store: ControlPlaneStore | undefined;
}

/** A cluster's control plane as the rest of the program uses it: its API, its CNI, the manager's access. */
export class ControlPlane extends pulumi.ComponentResource {
  /** To a master that is alive; known once the API answers. */
  readonly connection: pulumi.Output<Connection>;
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
    super("vnfm:kubernetes:ControlPlane", name, {}, opts);
    const { cluster, whole, first, apiAddress, store } = args;
    const child = { parent: this };
    const shared = cluster.api.kind !== "master";
    // the cluster outlives the server that it began on
    const target = after(whole, pulumi.output(first.nodeName));
    const version = cluster.kubernetesVersion;
    this.config = pulumi
      .all([first.address, apiAddress])
      .apply(([nodeAddress, api]) =>
        renderInitConfig(cluster, { nodeName: first.nodeName, nodeAddress, apiAddress: api }),
      );
    const begun = remoteScript(
      `${name}-init`,
      {
        connection: first.sshConnection,
        script: "init-master.sh",
        target,
        data: {
          kubernetes_version: version ?? "",
          kubeadm_config: this.config,
          access_manifest: renderAccessManifest(),
          api_endpoint: shared ? apiAddress.apply((address) => apiEndpoint(address, cluster.api.port)) : "",
        },
      },
      { ...child, dependsOn: [first, ...args.balancers] },
    );
    const here =
      store === undefined
        ? begun
        : outliveServer(name, { cluster, master: first, store, origin: begun, config: this.config }, child);
    const connection = after(here, shared ? throughBalancer(first, apiAddress) : first.sshConnection);
    remoteScript(
      `${name}-cni`,
      {
        connection,
        script: "install-cni.sh",
        target,
        data: { cni_manifest: apiAddress.apply((address) => renderCniManifest(cluster, address)) },
      },
      child,
    );
    const access = remoteScript(
      `${name}-access`,
      { connection, script: "read-access.sh", target, data: {} },
      child,
    );
    // by itself, so that a new token is no change for the nodes, which use the rest
    const bearerToken = remoteScript(
      `${name}-service-account`,
      {
        connection,
        script: "service-account.sh",
        target,
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
        : [declareVersion(name, { version, connection, target, soleMaster: !shared }, child)];
    this.connection = connection;
    this.target = target;
    this.apiAddress = apiAddress;
    this.access = access.stdout.apply(parseAccess);
    this.bearerToken = pulumi.secret(bearerToken.apply((text) => text.trim()));
    this.origin = begun;
    this.registerOutputs({ apiAddress });
  }
}

/** The load balancers pass SSH on to a master that is alive; all masters have one host key. */
function throughBalancer(first: PreparedNode, host: pulumi.Output<string>): pulumi.Output<Connection> {
  return pulumi.all([first.sshConnection, host]).apply(([connection, address]) => ({
    ...connection,
    host: address,
    port: SSH_PORT,
  }));
}
