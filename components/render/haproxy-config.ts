import { endpoint } from "../base/net/cidr";
import { API_SERVER_PORT } from "../kube/cluster/control-plane";
import { API_IDLE_LIMIT_SECONDS } from "../plan/kubeadm/api";

export interface HaproxyConfig {
  /** Port of the Kubernetes API on the load balancer. */
  readonly apiPort: number;
  /** All control-plane nodes of the plan; the first one is the primary. */
  readonly masters: readonly { readonly name: string; readonly address: string }[];
}

/**
 * Renders haproxy.cfg. TCP connections to the API are passed to the first control-plane node with a ready
 * kube-apiserver; the others are backup (specification: Support HA Kubernetes Master deployment). The health checks are
 * those of kubeadm's "Options for Software Load Balancing". They need seconds to detect a lost control-plane node, so
 * failed connections count too: a node that leaves closes its port, and the next connection goes to another one.
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
    // a connection that a master refuses does not ask it three times more
    "    option redispatch 1",
    "    timeout connect 2s",
    `    timeout client ${API_IDLE_LIMIT_SECONDS}s`,
    `    timeout server ${API_IDLE_LIMIT_SECONDS}s`,
    "    timeout check 2s",
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
    "    default-server check verify none inter 2s fastinter 500ms fall 3 rise 2",
    // the first failed connection shows a lost control-plane node; otherwise watches would wait for their idle timeout
    "    default-server observe layer4 error-limit 1 on-error mark-down on-marked-down shutdown-sessions",
    ...masters.map(
      ({ name, address }, i) =>
        `    server ${name} ${endpoint(address, API_SERVER_PORT)}${i === 0 ? "" : " backup"}`,
    ),
    "",
  ].join("\n");
}
