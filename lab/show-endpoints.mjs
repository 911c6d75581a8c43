// Prints the URL of each node port of the dev stack's CNF; reads the stack output `vnfs` on standard input.
import { readFileSync } from "node:fs";

const vnfs = JSON.parse(readFileSync(0, "utf8"));
const worker = Object.entries(vnfs["vnf-a"].vnfcs).find(([key]) => key.startsWith("workerNode-"))[1];
const [address] = Object.values(worker.addresses);
for (const { name, ports } of vnfs["vnf-b"].endpoints) {
  for (const { nodePort } of ports.filter((port) => port.nodePort)) {
    console.log(`CNF vnf-b, Service ${name}: http://${address}:${nodePort}/`);
  }
}
