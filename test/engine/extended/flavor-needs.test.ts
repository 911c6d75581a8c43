/** Requirements of a VNFD on flavors in addition to their size, with flavors and extra specs in Nova. */
import { OpenStack } from "../../support/openstack";
import { writeServersPackage } from "../../support/servers-package";
import { TestStack } from "../../support/stack";

jest.setTimeout(10 * 60_000);

const SHARES = { "quota:cpu_shares": "2048" };

/** Extra specs of dedicated CPUs and NUMA-local memory. */
const PINNED = {
  virtual_cpu: {
    num_virtual_cpu: 1,
    virtual_cpu_pinning: {
      virtual_cpu_pinning_policy: "static",
      virtual_cpu_pinning_rule: "isolate",
    },
  },
  virtual_memory: { virtual_mem_size: "512 MB", numa_enabled: true },
};

/** Requirement of a size that two flavors have, and of SHARES. */
const LIMITED = {
  compute_requirements: SHARES,
  virtual_cpu: { num_virtual_cpu: 3 },
  virtual_memory: { virtual_mem_size: "640 MiB" },
  virtual_local_storage: [{ size_of_storage: "1 GiB" }],
};

let stack: TestStack;
let admin: OpenStack;
/** Two flavors of the same size: without and with SHARES. */
let flavors: string[];

/** @param ofPinned flavor of the VDU `pinned` */
const vnf = (ofPinned: string) => {
  const extVirtualLinks = { pinned_CP: { network: "public" }, limited_CP: { network: "public" } };
  return { "vnf-a": { package: "package", flavors: { pinned: ofPinned }, extVirtualLinks } };
};

async function makeFlavor(name: string, extraSpecs: object): Promise<string> {
  const flavor = { name: `${name}-${process.pid}`, vcpus: 3, ram: 640, disk: 1 };
  const made = await admin.post<{ flavor: { id: string } }>("compute", "/flavors", { flavor });
  const { id } = made.flavor;
  if (Object.keys(extraSpecs).length > 0)
    await admin.post("compute", `/flavors/${id}/os-extra_specs`, { extra_specs: extraSpecs });
  return id;
}

beforeAll(async () => {
  admin = await OpenStack.connect("lab-admin");
  flavors = [await makeFlavor("plain", {}), await makeFlavor("shares", SHARES)];
  stack = await TestStack.create("flavor-needs", {});
  writeServersPackage(stack.folder, { pinned: { compute: PINNED }, limited: { compute: LIMITED } });
});

afterAll(async () => {
  await stack?.remove();
  for (const flavor of flavors ?? []) await admin.delete("compute", `/flavors/${flavor}`);
});

it("the preview warns of each thing that the flavor has not, before anything is made", async () => {
  stack.configure(vnf("m1.tiny"));
  const { status, stdout, stderr } = await stack.pulumi("preview", "--stack", stack.name);
  expect(status).toBe(0);
  const of = "capabilities.virtual_compute.properties";
  const lacks = (has: string, property: string, wanted: string) =>
    `vnfm:vnfs.vnf-a.flavors.pinned: the flavor "m1.tiny" has ${has}, and ${of}.${property} of the VNFD requires ` +
    `${wanted}; use one that has it`;
  for (const warning of [
    lacks(
      "no hw:cpu_policy",
      "virtual_cpu.virtual_cpu_pinning.virtual_cpu_pinning_policy",
      "hw:cpu_policy=dedicated",
    ),
    lacks(
      "no hw:cpu_thread_policy",
      "virtual_cpu.virtual_cpu_pinning.virtual_cpu_pinning_rule",
      "hw:cpu_thread_policy=isolate",
    ),
    lacks("no hw:numa_nodes", "virtual_memory.numa_enabled", "hw:numa_nodes"),
  ])
    expect(stdout + stderr).toContain(warning);
  expect(stdout + stderr).not.toContain("flavors.limited");
});

it("takes, of the flavors of a VDU's size, the one that has what the VDU asks for", async () => {
  await stack.mustUp();
  const { servers } = await stack.cloud.get<{
    servers: { name: string; flavor: { id: string } }[];
  }>("compute", "/servers/detail");
  const limited = servers.find(({ name }) => name.startsWith("vnf-a-limited"));
  expect(limited?.flavor.id).toBe(flavors[1]);
  expect(await stack.changes()).toEqual([]);
});

it("the preview warns of a flavor that is named without it", async () => {
  stack.configure({ "vnf-a": { ...vnf("m1.tiny")["vnf-a"], flavors: { limited: flavors[0] } } });
  const { stdout, stderr } = await stack.pulumi("preview", "--stack", stack.name);
  expect(stdout + stderr).toContain(
    `vnfm:vnfs.vnf-a.flavors.limited: the flavor "plain-${process.pid}" has no quota:cpu_shares`,
  );
});
