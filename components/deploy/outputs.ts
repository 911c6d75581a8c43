import * as pulumi from "@pulumi/pulumi";
import type { CertificateEnds } from "../kube/cluster/certificate-ends";
import type { Vim } from "../plan/model";
import type { PlannedVnfc } from "../plan/workload/cnf-vdus";
import { shownVim } from "../plan/workload/holders";
import type { OwnCluster } from "./kube-cluster";
import type { Cnf, Endpoint } from "./objects/cnf";
import { hasHolders } from "./objects/foreign-objects";
import type { Node } from "./openstack/node";
import type { SharedAddress } from "./openstack/virtual-ip";

type ByVnf<T> = Readonly<Record<string, T>>;

/** A VNFC that is a server. */
export interface ServerVnfc {
  readonly serverId: pulumi.Output<string>;
  /** The first address at each connection point. */
  readonly addresses: ByVnf<pulumi.Output<string>>;
  readonly floatingIps?: ByVnf<pulumi.Output<string>>;
  /** Ids of its volumes, by the storage's name in the VNFD. */
  readonly volumes?: ByVnf<pulumi.Output<string>>;
}

/**
 * The outputs of a VNF instance, without secrets. No property has the type unknown, because compilers without strict
 * checks would not find such a property on an output.
 */
export interface VnfOutputs {
  readonly vnfState: "STARTED";
  /** Name of its cloud in clouds.yaml. @default the cloud of the stack */
  readonly cloud?: string;
  /** Servers by VNFC, or the controllers of a CNF. */
  readonly vnfcs: ByVnf<ServerVnfc> | readonly PlannedVnfc[];
  /** URL of the API server of a cluster. */
  readonly apiUrl?: pulumi.Output<string>;
  /** Name of a cluster as a VIM. */
  readonly vimName?: string;
  readonly kubernetesVersion?: string;
  /** Expiry of the certificates of a cluster's masters. */
  readonly certificates?: pulumi.Output<CertificateEnds>;
  /** Pod CIDRs of a workload cluster. */
  readonly podCidrs?: readonly string[];
  /** Service CIDRs of a workload cluster. */
  readonly serviceCidrs?: readonly string[];
  readonly persistentVolumes?: pulumi.Output<string[]>;
  /** Virtual IPs, by connection point. */
  readonly virtualIps?: ByVnf<Partial<SharedAddress>>;
  /** Hashes of the immutable fields of objects of a CNF's charts, by object; the next run compares them. */
  readonly immutableHashes?: ByVnf<string>;
  /** Services of a CNF that are reachable from outside. */
  readonly endpoints?: pulumi.Output<Endpoint[]>;
  /** Helm releases of a CNF, as `<namespace>/<name>`. */
  readonly releases?: readonly string[];
  /** CRDs and Namespaces of a CNF that must not be deleted while they contain objects that the stack did not create. */
  readonly protectedObjects?: object;
}

/** The parts of a created VNF instance. */
export interface VnfParts {
  /** Name of its cloud in clouds.yaml. Undefined: the cloud of the stack. */
  readonly cloud: string | undefined;
  /** Servers by key; a CNF has none. */
  readonly nodes: ByVnf<Node>;
  /** Virtual IPs of its servers, by connection point. */
  readonly virtualIps: ByVnf<SharedAddress>;
  /** The cluster of the instance, which is a VIM for other instances. Undefined: it has none. */
  readonly cluster: OwnCluster | undefined;
  readonly cnf: Cnf | undefined;
  /** The cluster of a CNF. */
  readonly vim: Vim | undefined;
}

/** The outputs of each VNF instance. */
export function vnfOutputs(vnfs: ByVnf<VnfParts>): ByVnf<VnfOutputs> {
  return mapValues(vnfs, outputsOf);
}

export function outputsOf({ cloud, nodes, virtualIps, cluster, cnf, vim }: VnfParts): VnfOutputs {
  return {
    vnfState: "STARTED",
    ...(cloud === undefined ? {} : { cloud }),
    vnfcs:
      cnf === undefined
        ? mapValues(nodes, ({ serverId, addresses, floatingIps, volumes }) => ({
            serverId,
            addresses,
            ...(Object.keys(floatingIps).length === 0 ? {} : { floatingIps }),
            ...(Object.keys(volumes).length === 0 ? {} : { volumes: mapValues(volumes, (it) => it.id) }),
          }))
        : cnf.vnfcs,
    ...(Object.keys(virtualIps).length > 0 && { virtualIps: mapValues(virtualIps, addressesOf) }),
    ...(cluster === undefined ? {} : { apiUrl: cluster.apiUrl, vimName: cluster.vimName }),
    ...(cluster?.kubernetesVersion === undefined ? {} : { kubernetesVersion: cluster.kubernetesVersion }),
    ...(cluster?.certificates === undefined ? {} : { certificates: cluster.certificates }),
    ...(cluster?.podCidrs?.length ? { podCidrs: cluster.podCidrs } : {}),
    ...(cluster?.serviceCidrs?.length ? { serviceCidrs: cluster.serviceCidrs } : {}),
    ...(cluster?.persistentVolumes === undefined ? {} : { persistentVolumes: cluster.persistentVolumes }),
    ...(cnf === undefined ? {} : { endpoints: cnf.endpoints }),
    ...(cnf !== undefined && Object.keys(cnf.immutableHashes).length > 0
      ? { immutableHashes: cnf.immutableHashes }
      : {}),
    ...(cnf && vim && ofProtection(cnf, vim)),
  };
}

/**
 * Data for the next run, which searches for objects that the stack did not create before it deletes CRDs or Namespaces.
 */
function ofProtection({ protection }: Cnf, vim: Vim): Partial<VnfOutputs> {
  const { isProtected, settingsOf, owner, holders } = protection;
  const { releases, ...protectedObjects } = holders;
  return {
    ...(releases.length > 0 && { releases }),
    ...(isProtected &&
      hasHolders(holders) && {
        protectedObjects: { vim: shownVim(vim), settingsOf, owner, ...protectedObjects },
      }),
  };
}

function addressesOf({ address, floatingIp }: SharedAddress): Partial<SharedAddress> {
  return { address, ...(floatingIp && { floatingIp }) };
}

/** Access to the clusters, for other stacks and for kubectl; secret. */
export function clusterOutputs(vnfs: ByVnf<VnfParts>): {
  vimConnectionInfo: pulumi.Output<ByVnf<unknown>>;
  kubeconfigs: pulumi.Output<ByVnf<string>>;
} {
  const clusters = Object.entries(vnfs).flatMap(([name, { cluster }]) =>
    cluster === undefined ? [] : [[name, cluster] as const],
  );
  return {
    vimConnectionInfo: pulumi.secret(
      Object.fromEntries(clusters.map(([name, it]) => [name, it.vimConnectionInfo])),
    ),
    kubeconfigs: pulumi.secret(Object.fromEntries(clusters.map(([name, it]) => [name, it.kubeconfig]))),
  };
}

function mapValues<T, U>(record: ByVnf<T>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}
