import { renderHaproxyConfig } from "../../../components/render/haproxy-config";

const masters = [
  { name: "vnf-a-masternode-1", address: "10.0.0.5" },
  { name: "vnf-a-masternode-2", address: "fd00::6" },
];

it("haproxy.cfg passes the API on to the first master, the others are backup", () => {
  expect(renderHaproxyConfig({ apiPort: 6440, masters }))
    .toBe(`# written whole by vnfm: changes are overwritten
global
    log /dev/log local0
    user haproxy
    group haproxy

defaults
    mode tcp
    log global
    option tcplog
    option dontlognull
    option redispatch 1
    timeout connect 2s
    timeout client 3600s
    timeout server 3600s
    timeout check 2s

frontend kubernetes-api
    bind 0.0.0.0:6440
    default_backend kubernetes-api

backend kubernetes-api
    option httpchk
    http-check connect ssl
    http-check send meth GET uri /readyz
    http-check expect status 200
    default-server check verify none inter 2s fastinter 500ms fall 3 rise 2
    default-server observe layer4 error-limit 1 on-error mark-down on-marked-down shutdown-sessions
    server vnf-a-masternode-1 10.0.0.5:6443
    server vnf-a-masternode-2 [fd00::6]:6443 backup
`);
});
