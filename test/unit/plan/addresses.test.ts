import { addressFault, addressInUse } from "../../../components/plan/kubeadm/addresses";

const cluster = { podCidr: "192.168.0.0/16", serviceCidr: "10.96.0.0/12" };
const fixed =
  "a block that does not overlap the networks of the nodes; for an existing cluster it cannot change, so terminate it first";

describe("the address of a node", () => {
  it.each([
    [
      "192.168.3.4",
      `n has the address 192.168.3.4, which is in 192.168.0.0/16 of master_node.pod_cidr: set pod_cidr to ${fixed}`,
    ],
    [
      "10.111.255.255",
      `n has the address 10.111.255.255, which is in 10.96.0.0/12 of master_node.cluster_cidr: set cluster_cidr to ${fixed}`,
    ],
    [
      "fd00::5",
      "n has no IPv4 address, only fd00::5: networks of nodes are IPv4; set an IPv4 subnet of the network, or an IPv4 address in fixedAddresses, under extVirtualLinks, or set an IPv4 cidr in the VNFD's virtual link",
    ],
  ])("%s is refused", (address, fault) => {
    expect(addressFault("n", address, cluster)).toBe(fault);
  });

  it.each(["192.167.255.255", "192.169.0.0", "10.112.0.0", "198.19.0.7"])("%s is taken", (address) => {
    expect(addressFault("n", address, cluster)).toBeUndefined();
  });
});

describe("the address of a port that others use", () => {
  it.each([
    [["fd00::5", "10.0.0.5"], "10.0.0.5"],
    [["10.0.0.5", "fd00::5", "10.1.0.5"], "10.0.0.5"],
    [["fd00::5", "fd01::5"], "fd00::5"],
    [[], undefined],
  ])("is, out of %j, %s", (addresses, address) => {
    expect(addressInUse(addresses)).toBe(address);
  });
});
