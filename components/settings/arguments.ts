/**
 * Settings of each kind of instance in the words of the stack config, for those who write them in TypeScript. One that
 * has a default may be left out.
 */
import type { Cluster, Cnf, NodeGroup } from "./schema-types";

export type { ClusterVnf, Cnf, ServersVnf } from "./schema-types";

/** The CNF that makes a cluster a management cluster of Cluster API. Its package does, so its settings are any CNF's. */
export type ManagementCnf = Cnf;

/** A workload cluster that says all by itself. */
export type WorkloadCluster = Omit<Cluster, "clusterTemplate" | "nodeGroup"> & {
  /** Settings of `nodeGroups` that each group has which does not say otherwise. */
  readonly nodeGroup?: PartOf<NodeGroup>;
};

/** A template of workload clusters. */
export type ClusterTemplate = PartOf<Omit<WorkloadCluster, "vim">>;

/** A workload cluster by a template: the settings of the template, and these over them. */
export type ClusterByTemplate = PartOf<WorkloadCluster> & Pick<Cluster, "clusterTemplate" | "vim">;

/** Settings of which the others are elsewhere. Lists are not merged, so what is in them stays whole. */
type PartOf<Whole> = Whole extends string | readonly unknown[]
  ? Whole
  : Whole extends object
    ? { readonly [Key in keyof Whole]?: PartOf<Whole[Key]> }
    : Whole;
