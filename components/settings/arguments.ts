/**
 * Settings of each kind of instance, under the keys of the stack config, for Pulumi programs in TypeScript. Settings
 * with a default are optional.
 */
import type { Cluster, Cnf, NodeGroup } from "./schema-types";

export type { ClusterVnf, Cnf, ServersVnf } from "./schema-types";

/**
 * The CNF that makes a cluster a management cluster of Cluster API. Only its package differs from that of other CNFs.
 */
export type ManagementCnf = Cnf;

/** A workload cluster without a template. */
export type WorkloadCluster = Omit<Cluster, "clusterTemplate" | "nodeGroup"> & {
  /** Common settings of `nodeGroups`; a group's own settings override them. */
  readonly nodeGroup?: PartOf<NodeGroup>;
};

/** A template of workload clusters. */
export type ClusterTemplate = PartOf<Omit<WorkloadCluster, "vim">>;

/** A workload cluster from a template. Its settings override those of the template. */
export type ClusterByTemplate = PartOf<WorkloadCluster> & Pick<Cluster, "clusterTemplate" | "vim">;

/** Any subset of the settings of a map and of the maps in it. Lists are not merged, so their items stay complete. */
type PartOf<Whole> = Whole extends string | readonly unknown[]
  ? Whole
  : Whole extends object
    ? { readonly [Key in keyof Whole]?: PartOf<Whole[Key]> }
    : Whole;
