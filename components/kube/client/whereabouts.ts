/** Path of an object on a Kubernetes API. */
import type { KubeApi } from "./kube-api";
import { resourcesOf, rootOf } from "./read";

export type Whereabouts = { apiVersion: string; kind: string; name: string; namespace?: string };

/** A kind that an API server does not tell, or not yet. */
export class UnknownKind extends Error {}

/**
 * The path of an object of any kind, by its kind's plural, which the API alone knows; where the kind has namespaces
 * and the object names none, in that of the kubeconfig.
 */
export async function pathOf(
  api: Pick<KubeApi, "access" | "get">,
  { apiVersion, kind, name, namespace = api.access.namespace ?? "default" }: Whereabouts,
) {
  const resources = await resourcesOf(api, apiVersion);
  const found = resources.find((one) => one.kind === kind && !one.name.includes("/"));
  if (found === undefined) throw new UnknownKind(`the Kubernetes API has no ${kind} of ${apiVersion}`);
  const place = found.namespaced ? `/namespaces/${encodeURIComponent(namespace)}` : "";
  return `${rootOf(apiVersion)}${place}/${found.name}/${encodeURIComponent(name)}`;
}
