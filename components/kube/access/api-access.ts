import { yamlData } from "../../base/yaml/yaml";
import { at, fields, items, text, type Fields } from "../objects/object";

/** The part of a kubeconfig that vnfm's programs need to use a cluster: see client/kube-api.ts. */
export interface ApiAccess {
  readonly cluster: Fields;
  readonly user: Fields;
  readonly namespace: string | undefined;
}

/** Returns cluster, user and namespace of a kubeconfig's current context. */
export function apiAccess(kubeconfig: string): ApiAccess {
  const { context, cluster, user } = currentContext(yamlData(kubeconfig, "the kubeconfig"));
  return { cluster, user, namespace: text(context["namespace"]) };
}

/** Returns a kubeconfig's current context, with its cluster and user. Missing parts are empty. */
export function currentContext(
  kubeconfig: unknown,
): Readonly<Record<"context" | "cluster" | "user", Fields>> {
  const named = (list: string, name: unknown): unknown =>
    items(at(kubeconfig, list)).find((entry) => name !== undefined && at(entry, "name") === name);
  const context = fields(at(named("contexts", at(kubeconfig, "current-context")), "context"));
  return {
    context,
    cluster: fields(at(named("clusters", context["cluster"]), "cluster")),
    user: fields(at(named("users", context["user"]), "user")),
  };
}
