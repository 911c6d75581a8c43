/** What flavors lack of what a VNFD asks for, as previews tell it. */
import { planOf } from "../../support/planned";
import { Fault } from "../../../components/base/fault";
import type { Flavor } from "../../../components/openstack/session";
import { flavorNeeds } from "../../../components/preflight/flavor-needs";
import { lackOf } from "../../../components/preflight/flavors";
import type { ExtraSpec } from "../../../components/vnfd/model";
import { flavour, vdu, vnfPackage } from "../fixtures";
import { stubCloud } from "./stub-cloud";

const wants = (text: string): ExtraSpec => {
  const [name = "", value] = text.split("=");
  return { name, value, property: `p.${name}` };
};

test.each<[wanted: string, has: Readonly<Record<string, string>>, isMet: boolean]>([
  ["hw:cpu_policy=dedicated", { "hw:cpu_policy": "dedicated" }, true],
  ["hw:cpu_policy=dedicated", { "hw:cpu_policy": "shared" }, false],
  ["hw:cpu_policy=dedicated", {}, false],
  ["hw:cpu_policy=shared", {}, true],
  ["hw:cpu_policy=shared", { "hw:cpu_policy": "dedicated" }, false],
  ["hw:cpu_thread_policy=isolate", { "hw:cpu_thread_policy": "isolate" }, true],
  ["hw:cpu_thread_policy=isolate", {}, false],
  ["hw:cpu_thread_policy=prefer", {}, true],
  ["hw:numa_nodes", { "hw:numa_nodes": "2" }, true],
  ["hw:numa_nodes", { "hw:cpu_policy": "dedicated" }, true],
  ["hw:numa_nodes", { "hw:mem_page_size": "large" }, true],
  ["hw:numa_nodes", { "hw:cpu_policy": "shared" }, false],
  ["hw:numa_nodes=2", { "hw:cpu_policy": "dedicated" }, false],
  ["hw:mem_page_size=large", { "hw:mem_page_size": "large" }, true],
  ["hw:mem_page_size=large", { "hw:mem_page_size": "2MB" }, true],
  ["hw:mem_page_size=large", { "hw:mem_page_size": "4" }, false],
  ["hw:mem_page_size=large", { "hw:mem_page_size": "any" }, false],
  ["hw:mem_page_size=large", {}, false],
  ["hw:mem_page_size=1GB", { "hw:mem_page_size": "1048576" }, true],
  ["hw:mem_page_size=1 GiB", { "hw:mem_page_size": "1GB" }, true],
  ["hw:mem_page_size=1GB", { "hw:mem_page_size": "2MB" }, false],
  ["hw:mem_page_size=1GB", { "hw:mem_page_size": "large" }, false],
  ["hw:pmu=true", { "hw:pmu": "True" }, true],
  ["trait:constructor=required", {}, false],
])("%s of a flavor with %o is met: %s", (wanted, has, isMet) => {
  expect(lackOf([wants(wanted)], has)).toEqual(isMet ? [] : [wants(wanted)]);
});

const FLAVORS: readonly Flavor[] = [
  { id: "f1", name: "m1.small", vcpus: 1, ram: 2048, disk: 20 },
  { id: "f 2", name: "m1.pinned", vcpus: 1, ram: 2048, disk: 20 },
  { id: "m1.pinned", name: "m1.other", vcpus: 1, ram: 2048, disk: 20 },
];
const SPECS: Readonly<Record<string, object>> = {
  "/flavors/f1/os-extra_specs": { extra_specs: { "hw:cpu_policy": "shared" } },
  "/flavors/f%202/os-extra_specs": { extra_specs: { "hw:cpu_policy": "dedicated" } },
};
const WANTED = ["hw:cpu_policy=dedicated", "hw:numa_nodes"].map(wants);

/** Of two servers of one VDU, and one of a VDU that asks for nothing. */
async function warnings(flavors: object, refusal?: string) {
  const loadPackage = () =>
    vnfPackage("p", {
      simple: flavour({
        vdus: {
          a: vdu("a", { initialInstances: 2, extraSpecs: WANTED }),
          b: vdu("b", { initialInstances: 1 }),
        },
      }),
    });
  const plans = planOf({ "vnf-a": { package: "p", flavors } }, { loadPackage });
  const asked: string[] = [];
  const answer = (path: string) => {
    asked.push(path);
    if (refusal !== undefined) throw new Fault(refusal);
    return SPECS[path];
  };
  return { warnings: await flavorNeeds(plans, stubCloud(answer, FLAVORS)), asked };
}

const PLACE = "vnfm:vnfs.vnf-a.flavors.a";

test("a flavor that lacks something is named with it, once for a VDU", async () => {
  expect(await warnings({})).toEqual({
    warnings: [
      `${PLACE}: the flavor "m1.small" has hw:cpu_policy=shared, and p.hw:cpu_policy of the VNFD requires ` +
        "hw:cpu_policy=dedicated; use one that has it",
      `${PLACE}: the flavor "m1.small" has no hw:numa_nodes, and p.hw:numa_nodes of the VNFD requires hw:numa_nodes; ` +
        "use one that has it",
    ],
    asked: ["/flavors/f1/os-extra_specs"],
  });
});

test.each([
  ["by its name, which is the id of another,", "m1.pinned"],
  ["by its id", "f 2"],
])("a flavor that the stack config names %s is compared", async (_, name) => {
  expect(await warnings({ a: name })).toEqual({ warnings: [], asked: ["/flavors/f%202/os-extra_specs"] });
});

test("the lookup by name reports a missing flavor", async () => {
  expect(await warnings({ a: "m1.none" })).toEqual({ warnings: [], asked: [] });
});

test("a cloud that does not show extra specs leaves it to the operator", async () => {
  const refusal = "GET https://nova/flavors/f1/os-extra_specs answers 403: forbidden";
  expect((await warnings({}, refusal)).warnings).toEqual([
    `${PLACE}: whether the flavor "m1.small" has hw:cpu_policy=dedicated, hw:numa_nodes, which the VNFD requires, ` +
      `is not known: ${refusal}`,
  ]);
});
