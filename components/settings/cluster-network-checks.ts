import { overlap, parseAddress, parseCidr, prefixLength, rangeOf } from "../base/net/cidr";
import type { Place } from "../base/findings";
import { checkPodBlock, checkServiceBlock } from "../kube/cluster/cluster-blocks";
import { isWithin, NODE_PORT_ARGUMENT, NODE_PORTS, parseNodePorts } from "../kube/cluster/node-ports";
import { fields, items, text, type Fields } from "../kube/objects/object";
import { parseTraffic } from "../base/net/traffic";
import { blockProblem, defaultGateway, poolProblems } from "../base/net/subnet-problems";

/** Default CIDR of the network that is created for a cluster. */
export const NODE_CIDR = "10.6.0.0/24";

/** Number of addresses in a subnet that no machine gets: the first, the last and the gateway's. */
const ADDRESSES_OF_NO_MACHINE = 3;

/** Maximum numbers of machines in a cluster. */
interface Machines {
  readonly machines: number;
  /** Number of additional machines during a rolling update. */
  readonly ofUpdates: number;
}

/**
 * Records errors in the network of a workload cluster.
 * @param network its settings, of any shape
 */
export function checkNetwork(network: Fields, machines: Machines, place: Place): void {
  const isThere = network["network"] !== undefined;
  const ofMade = ["nodeCidr", "allocationPools", "mtu", "dnsNameservers"];
  for (const key of isThere ? ofMade.filter((one) => network[one] !== undefined) : [])
    place.get(key).fault("is for a network that is created; network is set to an existing one");
  if (network["router"] !== undefined && network["externalNetwork"] === undefined)
    place
      .get("router")
      .fault("has no effect without externalNetwork, because nothing connects it; set both or neither");
  if (!isThere && network["subnet"] !== undefined)
    place.get("subnet").fault("is for an existing network; set that under network");
  checkOverlaps(isThere ? network : { nodeCidr: NODE_CIDR, ...network }, place);
  checkBlocks(network, machines, place);
  if (!isThere) checkSubnet(text(network["nodeCidr"]) ?? NODE_CIDR, network, machines, place);
}

/** Records CIDRs of pods and Services that kubeadm refuses, or that are too small for the machines. */
function checkBlocks(network: Fields, { machines, ofUpdates }: Machines, place: Place): void {
  const [pods, services] = ["podCidr", "serviceCidr"].map((key) => parseCidr(String(network[key])));
  const nodes = {
    count: machines + ofUpdates,
    text: `${machines} machines and ${ofUpdates} more while they are replaced`,
  };
  if (pods !== undefined) checkPodBlock(pods, { args: new Map(), nodes, place: place.get("podCidr") });
  if (services !== undefined) checkServiceBlock(services, place.get("serviceCidr"));
}

/**
 * Records a port range of NodePort Services that no security group allows: CAPO's own rules allow the default range
 * only.
 * @param args of kube-apiserver
 * @param place of the arguments
 */
export function checkNodePorts(args: Fields, network: Fields, place: Place): void {
  const range = parseNodePorts(text(args[NODE_PORT_ARGUMENT]) ?? "");
  const letsIn = items(network["ingressRules"])
    .flatMap((rule) => items(fields(rule)["ports"]))
    .map((port) => parseTraffic(text(port) ?? ""));
  if (range === undefined || isWithin(range, NODE_PORTS)) return;
  if (letsIn.some((one) => one?.protocol === "tcp" && one.ports && isWithin(range, one.ports))) return;
  place.fault(
    `has ${NODE_PORT_ARGUMENT}, and Cluster API's security groups allow only ${NODE_PORTS.join("-")}; use ports of these, ` +
      `or allow tcp/${range.join("-")} under network.ingressRules, from the clients and from nodeCidr`,
  );
}

/** Records overlapping CIDRs of nodes, pods and Services: packets for one network would go to the other. */
function checkOverlaps(network: Fields, place: Place): void {
  const names = ["nodeCidr", "podCidr", "serviceCidr"];
  names.forEach((name, i) => {
    for (const other of names.slice(0, i)) {
      const [one, two] = [name, other].map((key) => parseCidr(String(network[key])));
      if (one && two && overlap(one, two))
        place.get(name).fault(`${one.text} overlaps ${other} ${two.text}; change one of them`);
    }
  });
}

/** Records errors of the new subnet that Neutron would report, and a subnet with too few addresses for the machines. */
function checkSubnet(cidr: string, network: Fields, { machines, ofUpdates }: Machines, place: Place): void {
  const block = parseCidr(cidr);
  if (block === undefined) return;
  const ofCidr = place.get("nodeCidr");
  const ofPools = place.get("allocationPools");
  const problem = blockProblem(block, true);
  if (problem !== undefined) return ofCidr.fault(problem);
  const pools = items(network["allocationPools"]).map((pool) => ({
    start: text(fields(pool)["start"]) ?? "",
    end: text(fields(pool)["end"]) ?? "",
  }));
  const room =
    pools.length === 0
      ? 2 ** (32 - prefixLength(block)) - ADDRESSES_OF_NO_MACHINE
      : pools.reduce((sum, pool) => sum + sizeOf(pool), 0);
  if (room < machines + ofUpdates)
    (pools.length === 0 ? ofCidr : ofPools).fault(
      `has addresses for ${room} machines, but there are ${machines}, and ${ofUpdates} more while they are replaced; ` +
        `${pools.length === 0 ? "use a larger block" : "add more of them"}`,
    );
  pools.forEach((pool, i) => {
    for (const [key, address] of Object.entries(pool)) {
      const one = parseAddress(address);
      if (one !== undefined && !overlap(one, block))
        ofPools.get(i, key).fault(`${address} is not in nodeCidr ${block.text}`);
    }
  });
  for (const { pool, problem } of poolProblems(pools, defaultGateway(block), block))
    ofPools.get(pool).fault(problem);
}

/** The number of addresses in an allocation pool; infinite for an invalid one. */
function sizeOf({ start, end }: { readonly start: string; readonly end: string }): number {
  const range = rangeOf(start, end);
  return range === undefined ? Infinity : Number(range.last - range.first) + 1;
}
