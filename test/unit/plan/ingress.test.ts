import {
  clusterIngress,
  ruleName,
  storageIngress,
  type ClusterIngress,
  type IngressRule,
} from "../../../components/plan/kubeadm/ingress";
import type { PlannedServer } from "../../../components/plan/servers/model";
import type { ApiPlan, ClusterPlan, NodePool } from "../../../components/plan/kubeadm/model";
import { masterPool } from "../../../components/plan/kubeadm/pools";
import { cluster } from "../render/cluster";
import { storage } from "../render/storage";

const VIRTUAL_IP = {
  connectionPoint: "vip_CP",
  link: { kind: "external", network: "public" },
  targets: ["masterNode_CP1"],
  floatingNetwork: undefined,
  fixedAddresses: [],
} as const;

const shared: ApiPlan = {
  ...{ kind: "haproxy", virtualIp: VIRTUAL_IP, port: 6440, onMasters: true },
  ...{ balancers: masterPool(cluster), virtualRouterId: 1 },
};

describe("security groups of a cluster", () => {
  const opened = (changes: Partial<ClusterPlan>, from: string, group: keyof ClusterIngress = "members") =>
    clusterIngress({ ...cluster, ...changes })
      [group].filter((rule) => from === (typeof rule.from === "string" ? rule.from : rule.from.cidr))
      .map((rule) => ruleName(rule).slice(0, -from.length - 1));
  const nodePorts = ["tcp-30000-32767", "udp-30000-32767", "sctp-30000-32767"];
  const published = ["tcp-22", ...nodePorts];

  it("opens to members what members need, and to management SSH and the node ports of any Service", () => {
    expect(opened({}, "members")).toEqual([...nodePorts, "tcp-10250", "udp-8472"]);
    expect(opened({}, "198.19.0.0/24")).toEqual(published);
    expect(opened({}, "members-ipv6")).toEqual([]);
    const ipv6 = { podCidr: "fd00:10:244::/56", serviceCidr: "fd00:10:96::/112" };
    expect(opened({ ipv6 }, "members-ipv6")).toEqual([...nodePorts, "udp-8472"]);
    expect(opened({}, "fd00::/64")).toEqual(published);
    expect(clusterIngress(cluster).others).toEqual([]);
  });

  it("opens the node ports that kube-apiserver has, without those of the nodes themselves", () => {
    const extraArgs = [{ name: "service-node-port-range", value: "2000-22767" }];
    const kubeadm = { ...cluster.kubeadm, clusterConfiguration: { apiServer: { extraArgs } } };
    const ports = ["tcp", "udp", "sctp"].flatMap((protocol) =>
      ["2000-2378", "2382-10247", "10260-22767"].map((range) => `${protocol}-${range}`),
    );
    expect(opened({ kubeadm }, "members")).toEqual([...ports, "tcp-10250", "udp-8472"]);
    expect(opened({ kubeadm }, "198.19.0.0/24")).toEqual(["tcp-22", ...ports]);
  });

  it("opens on masters alone etcd to masters, and the API to members and management", () => {
    expect(opened({}, "masters", "masters")).toEqual(["tcp-2379-2380"]);
    for (const from of ["members", "198.19.0.0/24", "fd00::/64"])
      expect(opened({}, from, "masters")).toEqual(["tcp-6443"]);
    expect(clusterIngress(cluster).masters).toHaveLength(4);
  });

  it("opens SSH among servers to masters, which store snapshots on a worker, and to a jump host", () => {
    const pools = cluster.pools.map((pool): NodePool => ({
      ...pool,
      servers: [{ key: pool.role } as PlannedServer],
    }));
    const [master, worker] = ["master", "worker"].map((vnfc): ClusterPlan["jumpHost"] => ({
      ...{ kind: "vnfc", vnfc, sshConnectionPoint: "CP" },
      login: masterPool(cluster).login,
    }));
    const host: ClusterPlan["jumpHost"] = {
      ...{ kind: "host", host: "jump.example", port: 22, hostKey: "key" },
      login: masterPool(cluster).login,
    };
    const ssh = (api: ApiPlan, jumpHost: ClusterPlan["jumpHost"], others: Partial<ClusterPlan> = {}) =>
      Object.entries(clusterIngress({ ...cluster, pools, api, jumpHost, ...others })).flatMap(
        ([group, rules]: [string, IngressRule[]]) =>
          rules.flatMap((rule) => {
            const name = ruleName(rule);
            return typeof rule.from === "string" && name.startsWith("tcp-22-") ? [`${group} ${name}`] : [];
          }),
      );
    for (const api of [cluster.api, shared]) {
      expect([undefined, host, master].map((jumpHost) => ssh(api, jumpHost))).toEqual(
        Array(3).fill(["members tcp-22-masters"]),
      );
      expect(ssh(api, worker)).toEqual(["members tcp-22-masters", "members tcp-22-members"]);
    }
    expect([undefined, host, master, worker].map((jumpHost) => ssh(shared, jumpHost, { storage }))).toEqual([
      [],
      [],
      ["members tcp-22-masters"],
      ["members tcp-22-members"],
    ]);
  });

  it("opens the API on load balancers where these are servers of their own, and on masters HAProxy's port too", () => {
    const haproxy = (onMasters: boolean): ApiPlan => ({
      ...{ kind: "haproxy", virtualIp: VIRTUAL_IP, port: onMasters ? 6440 : 6443, onMasters },
      ...{ balancers: masterPool(cluster), virtualRouterId: 1 },
    });
    const ofApi = (api: ApiPlan, from: string) => [
      opened({ api }, from).filter((name) => !published.includes(name)),
      opened({ api }, from, "masters"),
    ];
    const ofMembers = ["tcp-10250", "udp-8472"];
    expect(ofApi(haproxy(true), "members")).toEqual([ofMembers, ["tcp-6443", "tcp-6440", "vrrp"]]);
    expect(ofApi(haproxy(true), "198.19.0.0/24")).toEqual([[], ["tcp-6443", "tcp-6440"]]);
    expect(ofApi(haproxy(false), "members")).toEqual([[...ofMembers, "tcp-6443", "vrrp"], []]);
    expect(ofApi(haproxy(false), "198.19.0.0/24")).toEqual([["tcp-6443"], []]);
    expect(opened({ api: haproxy(false) }, "masters", "masters")).toEqual(["tcp-2379-2380"]);
  });

  it("opens what the CNI needs, by range and by protocol, once", () => {
    const cniPorts = ["tcp/10250", "udp/10250", "sctp/9000-9010", "ipip"];
    expect(opened({ cniPorts }, "members").slice(-4)).toEqual([
      "tcp-10250",
      "udp-10250",
      "sctp-9000-9010",
      "ipip",
    ]);
  });

  it("opens what the operator adds to whom it is for, once", () => {
    const ingressRules = [
      { ports: ["sctp/38412", "esp"], cidrs: ["10.1.0.0/16", "10.2.0.0/16"] },
      { ports: ["sctp/38412", "udp/2152"], cidrs: ["10.2.0.0/16"] },
      { ports: ["tcp/22"], cidrs: ["198.19.0.0/24"] },
    ];
    expect(opened({ ingressRules }, "10.1.0.0/16")).toEqual(["sctp-38412", "esp"]);
    expect(opened({ ingressRules }, "10.2.0.0/16")).toEqual(["sctp-38412", "esp", "udp-2152"]);
    expect(opened({ ingressRules }, "198.19.0.0/24")).toEqual(opened({}, "198.19.0.0/24"));
    expect(opened({ ingressRules }, "members")).toEqual(opened({}, "members"));
  });
});

describe("security group of a storage server", () => {
  const names = (changes: Partial<ClusterPlan>) =>
    storageIngress({ ...cluster, storage, managementCidrs: ["198.19.0.0/24"], ...changes }).map(ruleName);

  it("lets in NFS from where it exports to, once each, and SSH from management", () => {
    expect(names({})).toEqual(["tcp-22-198.19.0.0/24", "tcp-2049-10.10.0.0/24", "tcp-2049-fd00::/64"]);
  });

  it("lets in SSH of several masters, which store their snapshots on it, unless its volumes are exported whole", () => {
    expect(names({ api: shared })).toEqual(["tcp-22-masters", ...names({})]);
    const whole = storage.mounts.map(({ mountTo }) => ({
      directory: mountTo,
      to: "10.10.0.0/24",
      options: [],
    }));
    const exported = { ...storage, exports: whole };
    expect(names({ api: shared, storage: exported })).toEqual([
      "tcp-22-198.19.0.0/24",
      "tcp-2049-10.10.0.0/24",
    ]);
  });
});
