import type { Script } from "../../../../automation/stack/stack-state";
import { holderFindings } from "../../../../automation/checks/virtual-addresses";

const balancer = (vnf: string, vnfc: string): Script => ({
  ...{ urn: `urn of ${vnf}-${vnfc}`, vnf, vnfc, step: "load-balancer", isRepeatable: true },
  ...{ script: "load-balancer.sh", stdin: "" },
});
const holds = (script: Script, ...addresses: string[]) =>
  [script, { status: 0, stdout: addresses.map((one) => `${one}\n`).join(""), stderr: "" }] as const;
const [one, two, three] = [1, 2, 3].map((n) => balancer("vnf-a", `masterNode-${n}`)) as [
  Script,
  Script,
  Script,
];

it("two holders of a virtual address are one finding, which names both", () => {
  expect(holderFindings([holds(one, "10.0.0.9"), holds(two), holds(three, "10.0.0.9")])).toEqual([
    {
      ...{ urn: "urn of vnf-a-masterNode-1", vnf: "vnf-a", step: "load-balancer", kind: "differs" },
      text:
        "the virtual address 10.0.0.9 is on several servers, masterNode-1 and masterNode-3: they do not receive each other's VRRP packets; " +
        "allow VRRP, IP protocol 112, between them in security groups and firewalls",
    },
  ]);
});

it("one holder is none, nor are those of two instances, nor a server that does not answer", () => {
  const other = balancer("vnf-b", "masterNode-1");
  const away = [two, { status: 255, stdout: "10.0.0.9\n", stderr: "the SSH connection ended" }] as const;
  expect(holderFindings([holds(one, "10.0.0.9"), holds(other, "10.0.0.9"), away])).toEqual([]);
});
