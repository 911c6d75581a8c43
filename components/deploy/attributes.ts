import * as pulumi from "@pulumi/pulumi";
import { Fault } from "../base/fault";
import { textOf } from "../base/findings";
import type { Attribute, Scalar } from "../kube/objects/attributes";
import { own } from "../base/own";
import { entryOf, noEntry, notOne } from "../plan/attributes";
import type { AttributeValues } from "./objects/fill";
import { outputsOf, type VnfParts } from "./outputs";
import { withoutStackTrace } from "./run-error";

/**
 * The values of attributes, by their placeholders.
 * @param made the instances whose outputs contain these values
 */
export function attributeValues(
  attributes: readonly Attribute[],
  made: Readonly<Record<string, VnfParts>>,
): AttributeValues {
  return new Map(
    attributes.map((attribute) => {
      const vnf = own(made, attribute.instance);
      if (vnf === undefined) throw new Error(`the plan creates ${attribute.instance} too late`);
      return [attribute.mark, valueIn(outputsOf(vnf), attribute, 0)];
    }),
  );
}

/**
 * The value at an attribute's path. It waits only for the outputs on the path, so that a preview knows the value
 * although other outputs of the instance change.
 * @param depth number of keys of the path that lead to `outputs`
 * @throws RunError, in the output, if there is no value
 */
function valueIn(outputs: unknown, attribute: Attribute, depth: number): pulumi.Output<Scalar> {
  if (pulumi.Output.isInstance(outputs))
    return outputs.apply((known) => withoutStackTrace(() => valueIn(known, attribute, depth)));
  const { instance, path, setting } = attribute;
  const key = path[depth];
  const fail = (message: string): never => {
    throw new Fault(textOf({ place: setting, message }));
  };
  if (key === undefined) {
    const problem = notOne(instance, path, outputs);
    return problem === undefined ? pulumi.output(outputs as Scalar) : fail(problem);
  }
  const found = entryOf(outputs, key) ?? undefined;
  // a preview has the former outputs if the run changes them
  if (found === undefined && pulumi.runtime.isDryRun()) return pulumi.output(pulumi.unknown as never);
  if (found === undefined) return fail(noEntry(instance, path.slice(0, depth), key, outputs) + LATER);
  return valueIn(found, attribute, depth + 1);
}

/** End of an error: a missing address of a load balancer, or a node port, may be set later. */
const LATER = "; if a controller of the cluster sets it later, pulumi up --refresh reads it";
