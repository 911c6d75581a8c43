import { renderKeepalivedConfig } from "../../../components/render/keepalived-config";

describe("keepalived.conf", () => {
  const config = {
    virtualRouterId: 77,
    password: "0123456789",
    virtualIp: "10.0.0.9",
    addresses: ["10.0.0.5", "10.0.0.6", "10.0.0.7"],
  };
  const render = (address: string) => renderKeepalivedConfig({ ...config, address });

  it("has the other load balancers as unicast peers, and room for those that leave", () => {
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

  it("has priorities that fall in the order of the load balancers", () => {
    const priorities = config.addresses.map((address) => / priority (\d+)/.exec(render(address))?.[1]);
    expect(priorities).toEqual(["200", "175", "150"]);
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
