import * as pulumi from "@pulumi/pulumi";
import { PreparedNode, type PreparedNodeArgs } from "../../../components/deploy/kubeadm/prepared-node";
import { recordResources, settle } from "../../support/mocks";

it("ends the run at a node that has an address of pods, before any script", async () => {
  const recorded = recordResources();
  // an output whose error is thrown here: that of a real one ends the process
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
      addresses: { ssh: pulumi.output("198.19.0.7"), cp: address },
    },
    privateKey: pulumi.output("key"),
  } as unknown as PreparedNodeArgs;
  expect(() => new PreparedNode("vnf-a-workerNode-1", args)).toThrow(
    "cp of vnf-a-workerNode-1 has the address 10.244.0.7, which is in 10.244.0.0/16 of master_node.pod_cidr",
  );
  await settle();
  expect(recorded.map(({ type }) => type)).toEqual(["vnfm:kubernetes:PreparedNode"]);
});
