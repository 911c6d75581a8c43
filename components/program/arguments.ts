import type * as pulumi from "@pulumi/pulumi";
import type * as settings from "../settings/arguments";
import type { IN_PROGRAM, WITH_DEFAULT } from "../settings/parsed";
import type { Scalar } from "../base/secret";
import type { Cluster } from "./components";

/**
 * Settings in the words of the stack config as arguments of a component. What the plan does not depend on may be known
 * only in the run: secrets, variables of manifests, and networks.
 */
export type Arguments<Written> = Written extends Scalar
  ? typeof IN_PROGRAM extends keyof Written
    ? pulumi.Input<Plain<Written>>
    : Written
  : Written extends readonly (infer Item)[]
    ? readonly Arguments<Item>[]
    : Written extends object
      ? {
          readonly [Key in keyof Written as Key extends typeof WITH_DEFAULT ? never : Key]: Arguments<
            Written[Key]
          >;
        }
      : Written;

/** The type of a text, a number or a boolean without the key that says what the program has in its place. */
type Plain<Written extends Scalar> = Written extends string
  ? string
  : Written extends number
    ? number
    : boolean;

/** Arguments of what is on a cluster: a component of the program, or one that `vim` says in the words of the stack config. */
export type OnCluster<Written extends { readonly vim: unknown }> = Omit<Arguments<Written>, "vim"> & {
  readonly vim: Cluster | Exclude<Arguments<Written["vim"]>, string>;
};

export type ServersArgs = Arguments<settings.ServersVnf>;
export type KubernetesClusterArgs = Arguments<settings.ClusterVnf>;
export type CnfArgs = OnCluster<settings.Cnf>;
export type WorkloadClusterArgs = OnCluster<settings.WorkloadCluster>;
