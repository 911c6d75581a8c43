import { createHash } from "node:crypto";
import type * as pulumi from "@pulumi/pulumi";
import type { SnapshotBucket } from "../../plan/kubeadm/model";
import { sshKeyPair, type SshKeyPair } from "../../remote/key-pair";
import type { Reach } from "../../remote/reaching";
import type { PreparedNode } from "./prepared-node";
import { stepName } from "../steps";
import { phaseStep } from "./phase-step";

/** A server that can store a control plane. */
export interface StoreServer {
  /** Prefix of the names of its resources. */
  readonly name: string;
  readonly nodeName: string;
  /** Address for masters. */
  readonly address: pulumi.Output<string>;
  readonly sshUser: string;
  readonly hostKey: pulumi.Output<string>;
  readonly serverId: pulumi.Output<string>;
  /** Directory of the store. Undefined: the home of the login. */
  readonly directory?: string;
}

/** The server that stores a control plane, or snapshots of it. */
export interface ControlPlaneStore {
  readonly server: StoreServer;
  /** SSH key of the masters, which gives access to the store only. */
  readonly key: SshKeyPair;
}

/** The store of a cluster on a server, and the key to it. */
export function controlPlaneStore(
  name: string,
  server: StoreServer,
  opts: pulumi.CustomResourceOptions,
): ControlPlaneStore {
  return { server, key: sshKeyPair(stepName(name, "storeKey"), opts) };
}

/**
 * Prepares a server to store archives of a control plane, which are encrypted so that the server cannot read them.
 * @param instance name of the cluster
 * @param bucket bucket for copies of the snapshots. Undefined: there is none
 * @param reach connection for scripts, known once the directory exists
 * @returns a resource that exists once masters can store archives
 */
export function openStore(
  instance: string,
  store: ControlPlaneStore,
  bucket: SnapshotBucket | undefined,
  reach: pulumi.Output<Reach>,
  opts: pulumi.CustomResourceOptions,
): pulumi.Resource {
  const { server, key } = store;
  const { sshUser, directory = "" } = server;
  return phaseStep(
    server.name,
    "store",
    {
      reach,
      target: server.serverId,
      data: {
        ...{ login_user: sshUser, public_key: key.publicKey, directory },
        ...bucketData(instance, store, bucket),
      },
    },
    opts,
  );
}

/**
 * Returns the shell variables of snapshot-bucket.sh. The folder in the bucket has the digest of the store's key in its
 * name: another cluster of that name could not read the snapshots.
 */
function bucketData(instance: string, store: ControlPlaneStore, bucket: SnapshotBucket | undefined) {
  return {
    bucket_endpoint: bucket?.endpoint ?? "",
    bucket_region: bucket?.region ?? "",
    bucket_name: bucket?.name ?? "",
    bucket_prefix: receiptOf(store).apply((digest) => `${instance}-${digest}`),
    bucket_access_key: bucket?.accessKey ?? "",
    bucket_secret_key: bucket?.secretKey.reveal() ?? "",
  };
}

/**
 * Name of a file on this machine with the time of the last archive in the store: a new server refuses an older archive,
 * in case the store returns one.
 */
export function receiptOf({ key }: ControlPlaneStore): pulumi.Output<string> {
  return key.publicKey.apply((text) => createHash("sha256").update(text).digest("hex").slice(0, 32));
}

/** Shell variables of control-plane-archive.sh. */
export function storeData({ server, key }: ControlPlaneStore) {
  return {
    store_node: server.nodeName,
    store_address: server.address,
    store_user: server.sshUser,
    store_host_key: server.hostKey,
    store_key: key.privateKey,
  };
}

/** The last of the five minutes in which masters take snapshots, each in its own minute. */
const LAST_TURN = 4;

/**
 * Installs the timer with which a master stores snapshots of etcd, in case all masters are lost.
 * @param ordinal position among the masters: the first one takes each snapshot, the others only if it is missing
 * @param after exist once the master is a member of its cluster, and the store accepts archives
 */
export function etcdSnapshots(
  master: PreparedNode,
  ordinal: number,
  store: ControlPlaneStore,
  after: readonly pulumi.Resource[],
  opts: pulumi.CustomResourceOptions,
): void {
  phaseStep(
    master.name,
    "snapshots",
    {
      reach: master.reach,
      target: master.serverId,
      data: { ...storeData(store), turn: String(Math.min(ordinal, LAST_TURN)) },
    },
    { ...opts, dependsOn: [...after] },
  );
}
