/** Path of an object on a Kubernetes API. */
import type { KubeApi } from "./kube-api";
import { resourcesOf, rootOf } from "./read";

export type Whereabouts = { apiVersion: string; kind: string; name: string; namespace?: string };

/** The API server does not serve this kind, or not yet. */
export class UnknownKind extends Error {}

/**
 * Returns the path of an object of any kind. It contains the plural of the kind, which only the API knows. An object of
 * a namespaced kind without a namespace is in that of the kubeconfig.
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
