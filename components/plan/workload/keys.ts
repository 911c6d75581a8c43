import { isBuiltIn } from "../../kube/objects/kinds";
import { groupOf, type KubeObject } from "../../kube/objects/object";

/** Resource name of an object: `<owner>-<kind>-[<namespace>/]<name>`; a custom kind has its group too. */
export function keyOf(owner: string, object: KubeObject): string {
  const kind = object.kind.toLowerCase() + (isBuiltIn(object) ? "" : `.${groupOf(object)}`);
  const { namespace, name } = object.metadata;
  return `${owner}-${kind}-${namespace === undefined ? "" : `${namespace}/`}${name ?? ""}`;
}
