import { renderHaproxyConfig } from "../../../components/render/haproxy-config";
import { renderKeepalivedConfig } from "../../../components/render/keepalived-config";

const masters = [
  { name: "vnf-a-masternode-1", address: "10.0.0.5" },
  { name: "vnf-a-masternode-2", address: "fd00::6" },
];

describe("haproxy.cfg", () => {
  const lines = renderHaproxyConfig({ apiPort: 6440, masters }).split("\n");

  it("is this, whole", () => {
    expect(lines.join("\n")).toBe(`# written whole by vnfm: changes are overwritten
global
    log /dev/log local0
    user haproxy
    group haproxy

defaults
    mode tcp
    log global
    option tcplog
    option dontlognull
    timeout connect 5s
    timeout client 3600s
    timeout server 3600s
    timeout check 5s

frontend kubernetes-api
    bind 0.0.0.0:6440
    bind [::]:6440 v6only
    default_backend kubernetes-api

backend kubernetes-api
    option httpchk
    http-check connect ssl
    http-check send meth GET uri /readyz
    http-check expect status 200
    default-server on-marked-down shutdown-sessions
    server vnf-a-masternode-1 10.0.0.5:6443 check verify none inter 2s fall 3 rise 2
    server vnf-a-masternode-2 [fd00::6]:6443 check verify none inter 2s fall 3 rise 2 backup
`);
  });

  it("passes the API on to the first master, the others are backup", () => {
    expect(lines.filter((line) => / server .*:6443 /.test(line))).toEqual([
      "    server vnf-a-masternode-1 10.0.0.5:6443 check verify none inter 2s fall 3 rise 2",
      "    server vnf-a-masternode-2 [fd00::6]:6443 check verify none inter 2s fall 3 rise 2 backup",
    ]);
  });
});

describe("keepalived.conf", () => {
  const config = {
    virtualRouterId: 77,
    password: "0123456789",
    virtualIp: "10.0.0.9",
    addresses: ["10.0.0.5", "10.0.0.6", "10.0.0.7"],
  };
  const render = (address: string) => renderKeepalivedConfig({ ...config, address });

  it("is this, whole", () => {
    expect(render("10.0.0.6")).toBe(`# written whole by vnfm: changes are overwritten
global_defs {
    enable_script_security
    script_user root
    max_auto_priority 99
    vrrp_priority -20
}

vrrp_script haproxy {
    script "/usr/bin/pgrep -x haproxy"
    interval 2
    timeout 10
    fall 2
    rise 2
}

vrrp_instance kubernetes_api {
    state BACKUP
    nopreempt
    interface @INTERFACE@
    virtual_router_id 77
    priority 175
    advert_int 1
    unicast_src_ip 10.0.0.6
    unicast_peer {
        10.0.0.5
        10.0.0.7
        @FORMER_PEERS@
    }
    authentication {
        auth_type PASS
        auth_pass 01234567
    }
    virtual_ipaddress {
        10.0.0.9/@PREFIX@ dev @INTERFACE@
    }
    track_script {
        haproxy
    }
}
`);
  });

  it("has the other load balancers as unicast peers, and room for those that leave", () => {
    const [, peers] = /unicast_peer \{\n([^}]*)\}/.exec(render("10.0.0.6")) ?? [];
    expect(peers?.trim().split(/\s+/)).toEqual(["10.0.0.5", "10.0.0.7", "@FORMER_PEERS@"]);
    expect(render("10.0.0.6")).toContain("unicast_src_ip 10.0.0.6\n");
  });

  it("has priorities that fall in the order of the load balancers", () => {
    const priorities = config.addresses.map((address) => / priority (\d+)/.exec(render(address))?.[1]);
    expect(priorities).toEqual(["200", "175", "150"]);
  });

  it("has the cluster's id and the eight characters of a password that VRRP takes", () => {
    expect(render("10.0.0.5")).toContain("virtual_router_id 77\n");
    expect(render("10.0.0.5")).toContain("auth_pass 01234567\n");
  });

  it("leaves the prefix length to the node, whatever the subnet has", () => {
    expect(render("10.0.0.5")).toContain("        10.0.0.9/@PREFIX@ dev @INTERFACE@\n");
  });

  it("has no password where VRRP 3 has none, with IPv6", () => {
    const text = renderKeepalivedConfig({
      ...config,
      virtualIp: "fd00::9",
      address: "fd00::5",
      addresses: ["fd00::5"],
    });
    expect(text).not.toContain("auth_pass");
  });
});
