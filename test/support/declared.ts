import { readFileSync } from "node:fs";
import type { Cluster } from "./cluster";
import { runningPath } from "./lab";
import type { Vnfcs } from "./outputs";

/** Sorted node names in each configuration that lists the nodes of a cluster. */
export interface Declared {
  readonly nodes: readonly string[];
  readonly etcd: readonly string[];
  /** Backends of every HAProxy; they must be equal. */
  readonly haproxy: readonly string[];
}

/**
 * @param balancers ids of the servers with HAProxy. @default the control-plane nodes
 * @throws Error if two servers have different lists
 */
export async function declaredEverywhere(
  cluster: Cluster,
  vnfcs: Vnfcs,
  balancers = Object.keys(vnfcs)
    .filter((key) => key.startsWith("masterNode"))
    .map((key) => vnfcs[key]?.serverId ?? ""),
): Promise<Declared> {
  return {
    nodes: await cluster.readyNodes(),
    etcd: await etcdMembers(cluster),
    haproxy: same(
      balancers.map((serverId) =>
        [...guestFile(serverId, "etc/haproxy/haproxy.cfg").matchAll(/^ {4}server (\S+) \S+:6443\b/gm)].map(
          ([, name]) => name ?? "",
        ),
      ),
    ),
  };
}

/** An etcd member, as etcdctl lists it. */
export interface EtcdMember {
  readonly id: string;
  readonly status: string;
  readonly name: string;
  readonly peer: string;
}

/** Lists the etcd members, by a query to the first one. */
export async function etcdMemberList(cluster: Pick<Cluster, "kubectl">): Promise<readonly EtcdMember[]> {
  const pods = await cluster.kubectl([
    ...["get", "pods", "-n", "kube-system", "-l", "component=etcd", "-o", "name"],
  ]);
  const pki = "/etc/kubernetes/pki/etcd";
  const list = await cluster.kubectl([
    ...["exec", "-n", "kube-system", pods.split("\n")[0] ?? "", "--", "etcdctl", "member", "list"],
    ...["--cacert", `${pki}/ca.crt`, "--cert", `${pki}/server.crt`, "--key", `${pki}/server.key`],
  ]);
  return list
    .trim()
    .split("\n")
    .map((line) => line.split(", "))
    .map(([id = "", status = "", name = "", peer = ""]) => ({ id, status, name, peer }));
}

/** Lists the names of the etcd members that have started. */
async function etcdMembers(cluster: Cluster): Promise<string[]> {
  const members = await etcdMemberList(cluster);
  return members.map(({ status, name }) => (status === "started" ? name : `${name} is ${status}`)).sort();
}

/** Reads a file of a running server of the lab, whether its root disk is local or a volume. */
function guestFile(serverId: string, path: string): string {
  return readFileSync(runningPath(serverId, path), "utf8");
}

function same(lists: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...rest] = lists.map((list) => [...list].sort());
  for (const list of rest) {
    if (list.join() !== first.join()) throw new Error(`servers differ: ${JSON.stringify(lists)}`);
  }
  return first;
}
