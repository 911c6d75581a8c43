export interface KeepalivedConfig {
  readonly virtualRouterId: number;
  /** A secret, of which VRRP uses the first 8 characters. */
  readonly password: string;
  readonly virtualIp: string;
  /** Address of this load balancer. */
  readonly address: string;
  /** Addresses of all load balancers, in the order in which they take over the virtual IP. */
  readonly addresses: readonly string[];
}

/**
 * Renders keepalived.conf. The node fills in @INTERFACE@, @PREFIX@ and @FORMER_PEERS@, which only it knows. Peers are
 * unicast, because clouds drop multicast. A healthy load balancer keeps the address when an earlier one returns,
 * because each move breaks the clients' connections. For the same reason keepalived has a higher priority than other
 * processes: on a busy node it would miss three advertisements, or the end of a check.
 */
export function renderKeepalivedConfig(config: KeepalivedConfig): string {
  const { virtualRouterId, password, virtualIp, address, addresses } = config;
  const rank = addresses.indexOf(address);
  if (rank < 0) throw new Error(`${address} is not among the load balancers ${addresses.join(", ")}`);
  const ipv6 = virtualIp.includes(":");
  return [
    "# written whole by vnfm: changes are overwritten",
    "global_defs {",
    "    enable_script_security",
    "    script_user root",
    "    max_auto_priority 99",
    "    vrrp_priority -20",
    "}",
    "",
    "vrrp_script haproxy {",
    '    script "/usr/bin/pgrep -x haproxy"',
    "    interval 2",
    "    timeout 10",
    "    fall 2",
    "    rise 2",
    "}",
    "",
    "vrrp_instance kubernetes_api {",
    "    state BACKUP",
    "    nopreempt",
    "    interface @INTERFACE@",
    `    virtual_router_id ${virtualRouterId}`,
    // far enough apart that the next one takes the address before the others' time is out as well
    `    priority ${200 - 25 * rank}`,
    "    advert_int 1",
    `    unicast_src_ip ${address}`,
    "    unicast_peer {",
    ...addresses.filter((peer) => peer !== address).map((peer) => `        ${peer}`),
    "        @FORMER_PEERS@",
    "    }",
    // VRRP 3, which IPv6 needs, has no authentication
    ...(ipv6
      ? []
      : [
          "    authentication {",
          "        auth_type PASS",
          `        auth_pass ${password.slice(0, 8)}`,
          "    }",
        ]),
    "    virtual_ipaddress {",
    `        ${virtualIp}/@PREFIX@ dev @INTERFACE@`,
    "    }",
    "    track_script {",
    "        haproxy",
    "    }",
    "}",
    "",
  ].join("\n");
}
