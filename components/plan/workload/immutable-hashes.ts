import { digest } from "../../kube/objects/checksum";
import { immutableContent } from "../../kube/objects/immutable";
import { groupKind } from "../../kube/objects/kinds";
import { at, type Fields, type KubeObject } from "../../kube/objects/object";
import { secretsIn } from "../../base/secret";
import type { PlannedRelease } from "./planned-release";

/**
 * Hashes of the immutable fields of the objects of releases, by the keys of these objects. Helm does not re-create
 * objects, so Kubernetes refuses an upgrade that changes such a field. Objects with a secret have no hash, as outputs
 * show it.
 */
export function immutableHashes(releases: readonly PlannedRelease[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    releases.flatMap(({ objects, values }) => {
      const secrets = secretsIn(values);
      return objects.flatMap(({ key, object, random }) => {
        const content = random ? undefined : contentOf(object);
        if (content === undefined) return [];
        const text = JSON.stringify(content);
        return secrets.some((secret) => text.includes(secret)) ? [] : [[key, digest(content)]];
      });
    }),
  );
}

/**
 * The content of the immutable fields. The Kubernetes provider replaces a Deployment and a DaemonSet of a manifest by
 * itself, but Helm does not.
 */
function contentOf(object: KubeObject): Fields | undefined {
  const kind = groupKind(object);
  // images of a pod may change
  if (kind === "/Pod") return undefined;
  if (kind !== "apps/Deployment" && kind !== "apps/DaemonSet") return immutableContent(object);
  const selector = at(object, "spec", "selector");
  return selector === undefined ? undefined : { selector };
}
