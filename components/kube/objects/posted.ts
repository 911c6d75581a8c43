import { digest } from "./checksum";
import { isCreateOnly } from "./kinds";
import { without, type KubeObject } from "./object";
import { isOrder } from "./paths";

/** Adds a hash as the name of a create-only object, such as an access review, because the plan needs unique names. */
export function identified(object: KubeObject): KubeObject {
  if (!isCreateOnly(object) || isOrder(object)) return object;
  return { ...object, metadata: { ...object.metadata, name: contentId(object) } };
}

/** Removes the name of an object, because the API rejects a review with a name. */
export function posted(object: KubeObject): KubeObject {
  return isOrder(object) ? object : { ...object, metadata: without(object.metadata, "name") };
}

/** An id that changes with the object's content. */
export function contentId(object: KubeObject): string {
  return digest(posted(object)).slice(0, 10);
}
