import { API_SERVER_PORT } from "../plan/api";

/** Where the load balancers pass SSH on to a master that is alive. */
export const SSH_PORT = 6422;
/** Longer than any script runs, and than a watch of the API is silent. */
const IDLE_LIMIT = "1h";

export interface HaproxyConfig {
  /** Port of the Kubernetes API on the load balancer. */
  readonly apiPort: number;
  /** Every declared master, the primary first. */
  readonly masters: readonly { readonly name: string; readonly address: string }[];
}

/**
 * haproxy.cfg whole: TLS of the API is passed through, to the first master whose kube-apiserver says that it is
 * ready; the others are backup (specification: Support HA Kubernetes Master deployment). SSH for the manager
 * follows the API's state. Health checks as in kubeadm's "Options for Software Load Balancing".
 */
export function renderHaproxyConfig({ apiPort, masters }: HaproxyConfig): string {
  const servers = (port: number, more: string) =>
    masters.map(
      ({ name, address }, i) =>
        `    server ${name} ${endpoint(address, port)} check${more} verify none inter 2s fall 3 rise 2${i === 0 ? "" : " backup"}`,
    );
  const backend = (name: string, port: number, more: string, ...options: string[]) => [
    `backend ${name}`,
    "    option httpchk",
    "    http-check connect ssl",
    "    http-check send meth GET uri /readyz",
    "    http-check expect status 200",
    ...options.map((option) => `    ${option}`),
    ...servers(port, more),
    "",
  ];
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
    `    timeout client ${IDLE_LIMIT}`,
    `    timeout server ${IDLE_LIMIT}`,
    "    timeout check 5s",
    "",
    ...frontend("kubernetes-api", apiPort),
    ...frontend("ssh", SSH_PORT),
    // a watch on a master that is gone would wait for its idle limit
    ...backend("kubernetes-api", API_SERVER_PORT, "", "default-server on-marked-down shutdown-sessions"),
    ...backend("ssh", 22, ` port ${API_SERVER_PORT}`),
  ].join("\n");
}

function frontend(name: string, port: number): string[] {
  return [
    `frontend ${name}`,
    `    bind 0.0.0.0:${port}`,
    `    bind [::]:${port} v6only`,
    `    default_backend ${name}`,
    "",
  ];
}

function endpoint(address: string, port: number): string {
  return `${address.includes(":") ? `[${address}]` : address}:${port}`;
}
