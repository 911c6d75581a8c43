import { yamlData } from "../yaml";
import { at, fields, items, text, type Fields } from "./object";

/** The part of a kubeconfig by which our scripts speak to a cluster: deploy/objects/scripts/kube-api.cjs. */
export interface ApiAccess {
  readonly cluster: Fields;
  readonly user: Fields;
  readonly namespace: string | undefined;
}

/** The cluster and the user of a kubeconfig's current context, as they stand there, and its namespace. */
export function apiAccess(kubeconfig: string): ApiAccess {
  const value = yamlData(kubeconfig, "the kubeconfig");
  const named = (list: string, name: unknown): unknown =>
    items(at(value, list)).find((entry) => at(entry, "name") === name);
  const context = at(named("contexts", at(value, "current-context")), "context");
  return {
    cluster: fields(at(named("clusters", at(context, "cluster")), "cluster")),
    user: fields(at(named("users", at(context, "user")), "user")),
    namespace: text(at(context, "namespace")),
  };
}
