import * as pulumi from "@pulumi/pulumi";
import type { ClusterPlan } from "../plan/model";
import { remoteScript, type Connection } from "../remote/remote-script";
import { parseAccess, renderAccessManifest, SERVICE_ACCOUNT, type ClusterAccess } from "./access";
import { renderCniManifest, renderInitConfig } from "./kubeadm-config";
import { after, type PreparedNode } from "./prepared-node";

export interface FirstMasterArgs {
  readonly cluster: ClusterPlan;
  readonly node: PreparedNode;
  /** Address of the Kubernetes API. */
  readonly apiAddress: pulumi.Output<string>;
  /** The master's server. */
  readonly server: pulumi.Resource;
}

/** The master that a cluster begins with: its API, its CNI, the manager's service account. */
export class FirstMaster extends pulumi.ComponentResource {
  /** Known once the cluster's API answers. */
  readonly connection: pulumi.Output<Connection>;
  readonly apiAddress: pulumi.Output<string>;
  /** Secret. */
  readonly access: pulumi.Output<ClusterAccess>;
  readonly server: pulumi.Resource;

  constructor(name: string, args: FirstMasterArgs, opts?: pulumi.ComponentResourceOptions) {
    super("vnfm:kubernetes:FirstMaster", name, {}, opts);
    const { cluster, node, apiAddress } = args;
    const child = { parent: this };
    const initialized = remoteScript(
      `${name}-init`,
      {
        connection: node.connection,
        script: "init-master.sh",
        target: node.serverId,
        data: {
          kubeadm_config: pulumi
            .all([node.address, apiAddress])
            .apply(([nodeAddress, api]) =>
              renderInitConfig(cluster, { nodeName: node.nodeName, nodeAddress, apiAddress: api }),
            ),
          cni_manifest: apiAddress.apply((api) => renderCniManifest(cluster, api)),
          access_manifest: renderAccessManifest(),
        },
      },
      child,
    );
    const connection = after(initialized, node.connection);
    const access = remoteScript(
      `${name}-access`,
      {
        connection,
        script: "read-access.sh",
        target: node.serverId,
        data: { namespace: SERVICE_ACCOUNT.namespace, secret: SERVICE_ACCOUNT.secret },
      },
      child,
    );
    this.connection = connection;
    this.apiAddress = apiAddress;
    this.access = access.stdout.apply(parseAccess);
    this.server = args.server;
    this.registerOutputs({ apiAddress });
  }
}
