import type { Cluster } from "./cluster";
import { answerOf, type Target } from "./probe";
import type { TestStack } from "./stack";

interface Pod {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly nodeName: string };
}

/** Returns a target for the page of a web CNF: its node port at the API address of `vnf-a`. */
export async function webTarget(stack: TestStack, instance: string): Promise<Target> {
  const { apiUrl } = await stack.vnf("vnf-a");
  const port = (await stack.vnf(instance)).endpoints[0]?.ports[0]?.nodePort;
  const url = `http://${new URL(apiUrl).hostname}:${port}/`;
  return { everyMs: 500, request: async () => (await answerOf(url)).text.includes("<h1>web-cnf</h1>") };
}

/** Puts the two pods of the web CNF on two workers, so that one pod survives the loss of a worker. */
export async function spreadWeb(cluster: Cluster): Promise<void> {
  const [one, other] = await cluster.list<Pod>("pods", "-n", "web");
  if (one === undefined || one.spec.nodeName !== other?.spec.nodeName) return;
  await cluster.kubectl(["delete", "pod", "-n", "web", one.metadata.name]);
  await cluster.kubectl(["rollout", "status", "-n", "web", "deployment/web", "--timeout=60s"]);
}
