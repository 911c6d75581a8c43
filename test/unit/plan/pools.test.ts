import type { ClusterPlan } from "../../../components/plan/kubeadm/model";
import type { Role } from "../../../components/plan/servers/model";
import { endsByScripts, nodePools, poolsOf, withRoles } from "../../../components/plan/kubeadm/pools";
import type { PlannedServer } from "../../../components/plan/servers/model";

const server = (key: string, role?: Role, ...volumes: string[]) =>
  ({
    key,
    ...(role && { role }),
    volumes: volumes.map((storage) => ({ storage })),
  }) as unknown as PlannedServer;
const pool = (role: Role, ...keys: string[]) => ({ role, servers: keys.map((key) => server(key, role)) });
const cluster = {
  pools: [
    pool("master", "m-1"),
    pool("balancer", "b-1"),
    pool("worker", "w-1", "w-2"),
    pool("worker", "g-1"),
    pool("storage", "s-1"),
  ],
} as unknown as ClusterPlan;
const keys = (pools: ClusterPlan["pools"]) => pools.map(({ servers }) => servers.map(({ key }) => key));

it("the plan gives the servers of an instance the roles of their pools, in their order", () => {
  const all = ["o-1", "w-1", "w-2", "g-1", "s-1", "b-1", "m-1"].map((key) => server(key));
  const roles = [undefined, "worker", "worker", "worker", "storage", "balancer", "master"];
  expect(withRoles(all, cluster).map(({ key, role }) => [key, role])).toEqual(
    all.map(({ key }, i) => [key, roles[i]]),
  );
});

it("the plan has several pools of workers, and knows which are nodes", () => {
  expect(keys(poolsOf(cluster, "worker"))).toEqual([["w-1", "w-2"], ["g-1"]]);
  expect(keys(nodePools(cluster))).toEqual([["m-1"], ["w-1", "w-2"], ["g-1"]]);
});

describe("an end by scripts", () => {
  it.each<Role>(["master", "worker", "balancer"])("is so of a %s without volumes", (role) => {
    expect(endsByScripts(server("a-1", role), { storage: undefined })).toBe(true);
    expect(endsByScripts(server("a-1", role, "data"), { storage: undefined })).toBe(false);
  });

  it("is so of a storage server that has mounted all of its volumes", () => {
    const storage = server("s-1", "storage", "data", "more");
    const exporting = (...mounted: string[]) =>
      ({ storage: { mounts: mounted.map((one) => ({ storage: one })) } }) as unknown as ClusterPlan;
    expect(endsByScripts(storage, exporting("data", "more"))).toBe(true);
    expect(endsByScripts(storage, exporting("data"))).toBe(false);
  });

  it("is not so of a server without a role", () => {
    expect(endsByScripts(server("o-1"), { storage: undefined })).toBe(false);
    expect(endsByScripts(server("o-1"), undefined)).toBe(false);
  });
});
