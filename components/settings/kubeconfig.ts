import { parse } from "yaml";
import { at, items } from "../kube/object";

/** Whether a text is a kubeconfig that says how to reach a cluster. */
export function isKubeconfig(text: string): boolean {
  let value: unknown;
  try {
    value = parse(text, { logLevel: "silent" });
  } catch {
    return false;
  }
  const named = (list: string, name: unknown): unknown =>
    name === undefined ? undefined : items(at(value, list)).find((entry) => at(entry, "name") === name);
  const context = named("contexts", at(value, "current-context"));
  const cluster = named("clusters", at(context, "context", "cluster"));
  return /^https?:\/\/./.test(String(at(cluster, "cluster", "server")));
}
