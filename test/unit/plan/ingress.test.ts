import { apiClients, clusterIngress, nameOf, storageIngress } from "../../../components/plan/kubeadm/ingress";
import type { ClusterPlan } from "../../../components/plan/kubeadm/model";
import { cluster } from "../render/cluster";
import { storage } from "../render/storage";

describe("security group of a cluster", () => {
  const opened = (changes: Partial<ClusterPlan>, from: string) =>
    clusterIngress({ ...cluster, ...changes })
      .filter((rule) => from === (typeof rule.from === "string" ? rule.from : rule.from.cidr))
      .map((rule) => nameOf(rule).slice(0, -from.length - 1));

  it("opens to members what members need, and to management SSH, the API and the node ports of any Service", () => {
    const published = ["tcp-22", "tcp-6443", "tcp-30000-32767", "udp-30000-32767", "sctp-30000-32767"];
    expect(opened({}, "members")).toEqual([...published, "tcp-2379-2380", "tcp-10250", "udp-8472"]);
    expect(opened({}, "198.19.0.0/24")).toEqual(published);
    expect(opened({}, "members-ipv6")).toEqual([]);
    const ipv6 = { podCidr: "fd00:10:244::/56", serviceCidr: "fd00:10:96::/112" };
    expect(opened({ ipv6 }, "members-ipv6")).toEqual([
      ...["tcp-30000-32767", "udp-30000-32767", "sctp-30000-32767"],
      "udp-8472",
    ]);
    expect(opened({}, "fd00::/64")).toEqual(published);
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

  it("knows who may reach kube-apiserver, through the operator's own rules too", () => {
    const ingressRules = [
      { ports: ["tcp/6443"], cidrs: ["10.1.0.0/16"] },
      { ports: ["udp/6443", "tcp/6443-6444"], cidrs: ["10.2.0.0/16"] },
    ];
    expect(apiClients({ ...cluster, ingressRules })).toEqual(["198.19.0.0/24", "fd00::/64", "10.1.0.0/16"]);
  });
});

describe("security group of a storage server", () => {
  it("lets in NFS from where it exports to, once each, and SSH from management", () => {
    const rules = storageIngress({ storage, managementCidrs: ["198.19.0.0/24"] });
    expect(rules.map(nameOf)).toEqual([
      "tcp-22-198.19.0.0/24",
      "tcp-2049-10.10.0.0/24",
      "tcp-2049-fd00::/64",
    ]);
  });
});
