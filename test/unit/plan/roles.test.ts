import type { ClusterPlan } from "../../../components/plan/kubeadm/model";
import type { PlannedServer } from "../../../components/plan/model";
import { endsByScripts, roleOf } from "../../../components/plan/kubeadm/roles";

const server = (key: string, ...volumes: string[]) =>
  ({ key, volumes: volumes.map((storage) => ({ storage })) }) as unknown as PlannedServer;
const [master, worker, other, balancer] = [server("m-1"), server("w-1"), server("o-1"), server("b-1")];
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

it("tells the role of a server by its key", () => {
  const whole = exporting(server("s-1"));
  const roles = [master, worker, balancer, server("s-1"), other].map(({ key }) => roleOf({ key }, whole));
  expect(roles).toEqual(["master", "worker", "balancer", "storage", undefined]);
});

describe("an end by scripts", () => {
  it.each([
    ["a master", master],
    ["a worker", worker],
    ["a load balancer", balancer],
  ])("is so of %s", (_, one) => expect(endsByScripts(one, cluster())).toBe(true));

  it("is so of a storage server that has mounted all of its volumes", () => {
    const storage = server("s-1", "data", "more");
    expect(endsByScripts(storage, exporting(storage, "data", "more"))).toBe(true);
    expect(endsByScripts(storage, exporting(storage, "data"))).toBe(false);
  });

  it("is not so of a worker with volumes, of a server in no pool, and where there is no cluster", () => {
    const withVolume = server("w-1", "data");
    expect(endsByScripts(withVolume, cluster({ worker: pool(withVolume) }))).toBe(false);
    expect(endsByScripts(other, cluster())).toBe(false);
    expect(endsByScripts(master, undefined)).toBe(false);
  });
});
