import type { TestStack } from "./stack";

/** Requests the page of the CNF `vnf-b`, at its node port on a worker of the cluster `vnf-a`. */
export async function page(stack: TestStack, worker: string): Promise<string> {
  const { vnfcs } = await stack.vnf("vnf-a");
  const [address] = Object.values(vnfcs[worker]?.addresses ?? {});
  const nodePort = (await stack.vnf("vnf-b")).endpoints[0]?.ports[0]?.nodePort;
  const response = await fetch(`http://${address}:${nodePort}/`, { signal: AbortSignal.timeout(10_000) });
  return response.text();
}
