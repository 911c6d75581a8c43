export interface KeepalivedConfig {
  readonly virtualRouterId: number;
  /** Secret; VRRP takes 8 characters of it. */
  readonly password: string;
  readonly virtualIp: string;
  /** Address of this load balancer. */
  readonly address: string;
  /** Of the load balancers in the order in which they take the address over. */
  readonly addresses: readonly string[];
}

/**
 * keepalived.conf whole; @INTERFACE@ and @PREFIX@ in it are filled in on the node, which alone knows them. Peers
 * are unicast, as clouds drop multicast. Nobody takes the address back from one that has it and is well: each
 * move costs the clients their connections.
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
    "}",
    "",
    "vrrp_script haproxy {",
    '    script "/usr/bin/pgrep -x haproxy"',
    "    interval 2",
    "    fall 2",
    "    rise 2",
    "}",
    "",
    "vrrp_instance kubernetes_api {",
    "    state BACKUP",
    "    nopreempt",
    "    interface @INTERFACE@",
    `    virtual_router_id ${virtualRouterId}`,
    `    priority ${200 - rank}`,
    "    advert_int 1",
    `    unicast_src_ip ${address}`,
    "    unicast_peer {",
    ...addresses.filter((peer) => peer !== address).map((peer) => `        ${peer}`),
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
