import type { Place } from "../../base/findings";
import { didYouMean, oneOf } from "../../base/nearest";
import type { ClusterInstallation } from "../../settings/model";
import { virtualLinkOf } from "../link";
import type { PlannedNetwork, PlannedPort, PlannedServer } from "../servers/model";
import type { ClusterPlan, NodePool, PlannedJumpHost } from "./model";
import { masterPool } from "./pools";

/** Plans the jump host for SSH to servers without a floating IP. */
export function planJumpHost(
  { jump_host: jumpHost }: ClusterInstallation,
  place: Place,
  pools: readonly NodePool[],
): PlannedJumpHost | undefined {
  if (jumpHost === undefined) return undefined;
  const at = place.get("jump_host");
  if ("vnfc" in jumpHost) {
    const { vnfc } = jumpHost;
    const possible = pools.filter(({ role }) => role !== "storage");
    const pool = possible.find(({ servers }) => servers.some(({ key }) => key === vnfc));
    if (pool !== undefined)
      return { kind: "vnfc", vnfc, sshConnectionPoint: pool.sshConnectionPoint, login: pool.login };
    const known = possible.flatMap(({ servers }) => servers.map(({ key }) => key));
    at.get("vnfc").fault(
      `"${vnfc}" is not a control-plane node, worker or HAProxy server of the cluster; ${oneOf(known)}${didYouMean(vnfc, known)}`,
    );
    return undefined;
  }
  const {
    host,
    port = 22,
    username = "debian",
    password,
    private_key: privateKey,
    host_key: hostKey,
  } = jumpHost;
  if (password !== undefined && privateKey !== undefined) at.fault("set password or private_key, not both");
  return { kind: "host", host, port, login: { username, password, privateKey }, hostKey };
}

/**
 * Records servers that SSH cannot reach. On a network that vnfm creates they need a floating IP or a jump host, which
 * needs a floating IP itself, unless an existing router may connect the network with the machine that runs Pulumi.
 */
export function checkReach(cluster: ClusterPlan, networks: readonly PlannedNetwork[], place: Place): void {
  const { jumpHost, pools } = cluster;
  const isHidden = (port: PlannedPort) => isOutOfReach(port, networks);
  const hidden = (key?: string): PlannedPort[] =>
    pools.flatMap(({ servers, sshConnectionPoint }) =>
      servers
        .filter((server) => key === undefined || server.key === key)
        .flatMap((server) => portAt(server, sshConnectionPoint) ?? [])
        .filter(isHidden),
    );
  if (jumpHost === undefined) {
    const points = new Map(hidden().map((port) => [port.connectionPoint, port]));
    for (const [point, { link }] of points) {
      place.fault(
        `SSH cannot reach ${point}: ${linkText(link)} is created by this stack and cannot be reached from this machine; ` +
          `set floating IPs for its servers by extVirtualLinks.${point}.floatingNetwork, or a jump_host for the cluster`,
      );
    }
  } else if (jumpHost.kind === "vnfc") {
    const { vnfc, sshConnectionPoint: point } = jumpHost;
    for (const { link } of hidden(vnfc)) {
      place
        .get("jump_host", "vnfc")
        .fault(
          `SSH cannot reach ${vnfc} at ${point}: ${linkText(link)} is created by this stack and cannot be reached from this machine; ` +
            `set a floating IP for it by extVirtualLinks.${point}.floatingNetwork`,
        );
    }
  }
}

/** Warnings about an API whose address is reachable only inside the networks that vnfm creates. */
export function reachWarnings(
  cluster: ClusterPlan,
  networks: readonly PlannedNetwork[],
  place: Place,
): string[] {
  const { api } = cluster;
  const [first] = masterPool(cluster).servers;
  const at = api.kind === "master" ? first && portAt(first, api.connectionPoint) : api.virtualIp;
  if (at === undefined || !isOutOfReach(at, networks)) return [];
  return [
    `${place.text}: the Kubernetes API can be reached only on ${linkText(at.link)}, so neither CNFs of this stack nor its kubeconfig can reach it from this machine; ` +
      `set a floating IP by extVirtualLinks.${at.connectionPoint}.floatingNetwork`,
  ];
}

function portAt({ ports }: PlannedServer, connectionPoint: string): PlannedPort | undefined {
  return ports.find((port) => port.connectionPoint === connectionPoint);
}

/**
 * Returns true for a port that is unreachable from the machine that runs Pulumi. Behind an existing router there may be
 * a route.
 */
function isOutOfReach(
  { link, floatingNetwork }: Pick<PlannedPort, "link" | "floatingNetwork">,
  networks: readonly PlannedNetwork[],
): boolean {
  if (floatingNetwork !== undefined) return false;
  const network = networks.find(({ virtualLink }) => virtualLink === virtualLinkOf(link));
  return network !== undefined && network.router?.kind !== "existing";
}

function linkText(link: PlannedPort["link"]): string {
  switch (link.kind) {
    case "internal":
      return `virtual link ${link.virtualLink}`;
    case "external":
      return `network ${link.network}`;
  }
}
