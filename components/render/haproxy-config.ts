import { API_SERVER_PORT } from "../kube/cluster/control-plane";
import { API_IDLE_LIMIT_SECONDS } from "../plan/kubeadm/api";

export interface HaproxyConfig {
  /** Port of the Kubernetes API on the load balancer. */
  readonly apiPort: number;
  /** Every declared master, the primary first. */
  readonly masters: readonly { readonly name: string; readonly address: string }[];
}

/**
 * The whole text of haproxy.cfg. Connections to the API are passed on as they are, to the first master whose
 * kube-apiserver says that it is ready; the others are backup (specification: Support HA Kubernetes Master deployment).
 * The health checks are those of kubeadm's "Options for Software Load Balancing".
 */
export function renderHaproxyConfig({ apiPort, masters }: HaproxyConfig): string {
  return [
    "# written whole by vnfm: changes are overwritten",
    "global",
    "    log /dev/log local0",
    "    user haproxy",
    "    group haproxy",
    "",
    "defaults",
    "    mode tcp",
    "    log global",
    "    option tcplog",
    "    option dontlognull",
    "    timeout connect 5s",
    `    timeout client ${API_IDLE_LIMIT_SECONDS}s`,
    `    timeout server ${API_IDLE_LIMIT_SECONDS}s`,
    "    timeout check 5s",
    "",
    "frontend kubernetes-api",
    `    bind 0.0.0.0:${apiPort}`,
    "    default_backend kubernetes-api",
    "",
    "backend kubernetes-api",
    "    option httpchk",
    "    http-check connect ssl",
    "    http-check send meth GET uri /readyz",
    "    http-check expect status 200",
    // a watch on a master that is gone would wait for its idle limit
    "    default-server on-marked-down shutdown-sessions",
    ...masters.map(
      ({ name, address }, i) =>
        `    server ${name} ${endpoint(address, API_SERVER_PORT)} check verify none inter 2s fall 3 rise 2${i === 0 ? "" : " backup"}`,
    ),
    "",
  ].join("\n");
}

function endpoint(address: string, port: number): string {
  return `${address.includes(":") ? `[${address}]` : address}:${port}`;
}
