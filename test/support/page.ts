import type { TestStack } from "./stack";

interface Outputs {
  readonly "vnf-a": { readonly vnfcs: Record<string, { readonly addresses: Record<string, string> }> };
  readonly "vnf-b": { readonly endpoints: readonly { readonly ports: readonly { nodePort: number }[] }[] };
}

/** What the CNF `vnf-b` answers at its node port on a worker of the cluster `vnf-a`. */
export async function page(stack: TestStack, worker: string): Promise<string> {
  const { "vnf-a": vnfA, "vnf-b": vnfB } = await stack.output<Outputs>("vnfs");
  const [address] = Object.values(vnfA.vnfcs[worker]?.addresses ?? {});
  const nodePort = vnfB.endpoints[0]?.ports[0]?.nodePort;
  const response = await fetch(`http://${address}:${nodePort}/`, { signal: AbortSignal.timeout(10_000) });
  return response.text();
}
