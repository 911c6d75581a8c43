import type { ClusterPlan, PlannedServer } from "../../../components/plan/model";
import { endsByScripts } from "../../../components/plan/kubeadm/orderly-end";

const server = (...volumes: string[]) =>
  ({ volumes: volumes.map((storage) => ({ storage })) }) as unknown as PlannedServer;
const [master, worker, other, balancer] = [server(), server(), server(), server()];
const pool = (...servers: PlannedServer[]) => ({ servers });

const cluster = (changes: object = {}) =>
  ({
    master: pool(master),
    worker: pool(worker),
    api: { kind: "haproxy", balancers: pool(balancer) },
    ...changes,
  }) as unknown as ClusterPlan;
const exporting = (storage: PlannedServer, ...mounted: string[]) =>
  cluster({ storage: { server: storage, mounts: mounted.map((one) => ({ storage: one })) } });

it.each([
  ["a master", master],
  ["a worker", worker],
  ["a load balancer", balancer],
])("is so of %s", (_, one) => expect(endsByScripts(one, cluster())).toBe(true));

it("is so of a storage server that has mounted all of its volumes", () => {
  const storage = server("data", "more");
  expect(endsByScripts(storage, exporting(storage, "data", "more"))).toBe(true);
  expect(endsByScripts(storage, exporting(storage, "data"))).toBe(false);
});

it("is not so of a worker with volumes, of a server in no pool, and where there is no cluster", () => {
  const withVolume = server("data");
  expect(endsByScripts(withVolume, cluster({ worker: pool(withVolume) }))).toBe(false);
  expect(endsByScripts(other, cluster())).toBe(false);
  expect(endsByScripts(master, undefined)).toBe(false);
});
