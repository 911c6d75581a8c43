import * as pulumi from "@pulumi/pulumi";
import type { Port } from "@pulumi/openstack/networking";
import { portAddress, portIpv6 } from "../../../components/deploy/openstack/port";
import { keptAddresses } from "../../../components/deploy/openstack/virtual-ip";
import { prepareNode, type PrepareNodeArgs } from "../../../components/deploy/kubeadm/prepared-node";
import { recordResources, settle } from "../../support/mocks";

it("ends the run at a node that has an address of pods, before any script", async () => {
  const recorded = recordResources();
  // a replacement for an output, which throws errors here: the error of a real output ends the process
  const address = { apply: (use: (text: string) => string) => use("10.244.0.7") };
  const pool = { sshConnectionPoint: "ssh", nodeConnectionPoint: "cp", login: { username: "debian" } };
  const args = {
    cluster: { podCidr: "10.244.0.0/16", serviceCidr: "10.96.0.0/12" },
    pool,
    role: "worker",
    server: { key: "workerNode-1" },
    node: {
      name: "vnf-a-workerNode-1",
      floatingIps: {},
      hostKey: pulumi.output("ssh-ed25519 AAAA"),
      addresses: { ssh: pulumi.output("198.19.0.7"), cp: address },
    },
    key: { all: pulumi.output([]) },
  } as unknown as PrepareNodeArgs;
  const fault = catchFault(() => prepareNode("vnf-a-workerNode-1", args, {}));
  expect(fault).toBeInstanceOf(pulumi.RunError);
  expect((fault as Error).message).toMatch(
    /^cp of vnf-a-workerNode-1 has the address 10\.244\.0\.7, which is in 10\.244\.0\.0\/16 of master_node\.pod_cidr: /,
  );
  await settle();
  expect(recorded).toEqual([]);
});

function catchFault(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

it("ends the run at an address of the cloud that is none", () => {
  const port = (...addresses: string[]) =>
    ({ allFixedIps: { apply: (use: (all: string[]) => string) => use(addresses) } }) as unknown as Port;
  expect(portAddress(port("fd00::5", "10.0.0.5"), "cp")).toBe("10.0.0.5");
  expect(portIpv6(port("10.0.0.5", "fd00::5"), "cp")).toBe("fd00::5");
  const whose = "the port of connection point cp";
  expect(() => portAddress(port("$(id)10.0.0.5"), "cp")).toThrow(
    new pulumi.RunError(
      `${whose}: the cloud returned "$(id)10.0.0.5" as its address, which is not an IP address`,
    ),
  );
  expect(() => portIpv6(port("fd00::5%$(id)"), "cp")).toThrow(
    new pulumi.RunError(
      `${whose}: the cloud returned "fd00::5%$(id)" as its address, which is not an IP address`,
    ),
  );
  expect(() => portAddress(port(), "cp")).toThrow(
    new pulumi.RunError(`${whose} has no address: does its network have a subnet?`),
  );
});

it("ends the run where a virtual IP was made with another address than is asked for", () => {
  const has = { apply: (use: (all: string[]) => string[]) => use(["10.0.0.7"]) } as unknown as pulumi.Output<
    string[]
  >;
  const asked = (address: string) => ({
    ...{ connectionPoint: "vip_CP", targets: [], floatingNetwork: undefined, fixedAddresses: [address] },
    link: { kind: "external", network: "n" } as const,
  });
  expect(keptAddresses("vnf-a-vip_CP", asked("10.0.0.7"), has)).toEqual(["10.0.0.7"]);
  const fault = catchFault(() => keptAddresses("vnf-a-vip_CP", asked("10.0.0.9"), has));
  expect(fault).toBeInstanceOf(pulumi.RunError);
  expect((fault as Error).message).toMatch(/^the virtual IP vnf-a-vip_CP has 10\.0\.0\.7, and /);
});
