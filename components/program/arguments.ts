import type * as pulumi from "@pulumi/pulumi";
import type { IN_PROGRAM, WITH_DEFAULT } from "../settings/parsed";
import type { Scalar } from "../base/secret";

/**
 * Settings of the stack config as arguments of a component. Values on which the plan does not depend may be outputs
 * that are known only during the run: secrets, variables of manifests, and networks.
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

/** The plain type of a string, number or boolean, without its type-level key. */
type Plain<Written extends Scalar> = Written extends string
  ? string
  : Written extends number
    ? number
    : boolean;
