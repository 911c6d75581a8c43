import type { Cluster } from "./cluster";

interface Pod {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly nodeName: string };
}

/** Sees that the two pods of the web CNF are on two workers: both go with a worker that is lost otherwise. */
export async function spreadWeb(cluster: Cluster): Promise<void> {
  const [one, other] = await cluster.list<Pod>("pods", "-n", "web");
  if (one === undefined || one.spec.nodeName !== other?.spec.nodeName) return;
  await cluster.kubectl(["delete", "pod", "-n", "web", one.metadata.name]);
  await cluster.kubectl(["rollout", "status", "-n", "web", "deployment/web", "--timeout=60s"]);
}
