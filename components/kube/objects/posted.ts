import { digest } from "./checksum";
import { isCreateOnly } from "./kinds";
import { without, type KubeObject } from "./object";
import { isOrder } from "./paths";

/** Adds a name to an object that is only posted, such as an access review. The plan needs a unique name: a hash. */
export function identified(object: KubeObject): KubeObject {
  if (!isCreateOnly(object) || isOrder(object)) return object;
  return { ...object, metadata: { ...object.metadata, name: contentId(object) } };
}

/** Returns an object without its name, because the API rejects a review with a name. */
export function posted(object: KubeObject): KubeObject {
  return isOrder(object) ? object : { ...object, metadata: without(object.metadata, "name") };
}

/** Changes with the object's content. */
export function contentId(object: KubeObject): string {
  return digest(posted(object)).slice(0, 10);
}
