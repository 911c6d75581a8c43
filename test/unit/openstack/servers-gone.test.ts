import { planOf } from "../../support/planned";
import { serversGone } from "../../../components/preflight/servers-gone";
import { flavour, vdu, vnfPackage } from "../fixtures";

const loadPackage = () =>
  vnfPackage("p", { simple: flavour({ vdus: { a: vdu("a", { initialInstances: 2 }) } }) });
const plans = planOf({ "vnf-a": { package: "p" } }, { loadPackage });
const servers = (...ids: string[]) => ({
  "vnf-a": {
    vnfcs: Object.fromEntries(ids.map((serverId, i) => [`a-${i + 1}`, { serverId, addresses: {} }])),
  },
});
const cloud = (...ids: string[]) => {
  const get = jest.fn((_: string, path: string) =>
    Promise.resolve(path === "/servers" ? { servers: ids.map((id) => ({ id })) } : undefined),
  );
  return () => Promise.resolve({ get } as never);
};

it("warns of a server of the last run that the cloud does not have, with the way out", async () => {
  expect(await serversGone(plans, servers("one", "two"), cloud("one", "another"))).toEqual([
    "vnfm:vnfs.vnf-a: a-2: the server two of the last update no longer exists; a new trigger value under heal creates another one ('vnfm heal vnf-a a-2')",
  ]);
  expect(await serversGone(plans, servers("one", "two"), cloud("two", "one"))).toEqual([]);
});

it("asks no cloud where the last run has shown no servers of the plan", async () => {
  const away = () => Promise.reject(new Error("is asked"));
  expect(await serversGone(plans, {}, away)).toEqual([]);
  expect(
    await serversGone(plans, { "vnf-a": { vnfcs: [] }, "vnf-b": { vnfcs: { b: { serverId: "x" } } } }, away),
  ).toEqual([]);
});
