/**
 * A cluster that begins with a single control-plane node behind a virtual IP, grows to three by its scaling aspect, and
 * shrinks again. The steps build on each other.
 */
import { join } from "node:path";
import { changedClusterPackage } from "../../support/cluster-package";
import { etcdMemberList } from "../../support/declared";
import { HaCluster } from "../../support/ha-cluster";

jest.setTimeout(20 * 60_000);

let ha: HaCluster;

/** @param level scale level of the control plane: one node, and two more for each level */
const configure = (level: number, changes: object = {}) =>
  ha.configure(3, {
    package: "small-package",
    scale: { master_instance: level, worker_instance: 0 },
    flavors: { masterNode: "m1.medium", workerNode: "m1.small" },
    ...changes,
  });

/** Ids of the servers by VNFC. */
const servers = async () =>
  Object.fromEntries(Object.entries(await ha.vnfcs()).map(([vnfc, { serverId }]) => [vnfc, serverId]));

const members = async () => (await etcdMemberList(ha.cluster)).map(({ name }) => name).sort();

const NAMES = [1, 2, 3].map((ordinal) => `vnf-a-masternode-${ordinal}`);

beforeAll(async () => {
  ha = await HaCluster.create("control-plane-sizes");
  // the number of the initial delta and those of the instantiation levels
  changedClusterPackage(join(ha.stack.folder, "small-package"), "ha", (definition) =>
    definition.replaceAll("number_of_instances: 3\n", "number_of_instances: 1\n"),
  );
});

afterAll(async () => {
  await ha?.remove();
});

it("vnfm brings up a single control-plane node behind the virtual IP, with a flavor of its own", async () => {
  configure(0);
  await ha.stack.mustUp();
  await ha.connect();
  await ha.expectDeclared(1);
  expect(await ha.stack.changes()).toEqual([]);
  expect(await ha.stack.check()).toMatchObject({ status: 0, found: [] });
});

it("the control plane grows to three nodes, and keeps each server", async () => {
  const before = await servers();
  configure(1);
  await ha.stack.mustUp();
  expect(await servers()).toMatchObject(before);
  expect(await members()).toEqual(NAMES);
  await ha.expectDeclared(3);
  expect(await ha.stack.changes()).toEqual([]);
});

it("the control plane heals its first node, which began the cluster", async () => {
  const before = await servers();
  configure(1, { heal: { "masterNode-1": "1" } });
  await ha.stack.mustUp();
  await ha.expectDeclared(3);
  expect((await servers())["masterNode-1"]).not.toBe(before["masterNode-1"]);
});

it("the control plane shrinks to a single node, with what the cluster had", async () => {
  await ha.cluster.kubectl(["create", "configmap", "kept"]);
  configure(0, { heal: { "masterNode-1": "1" } });
  await ha.stack.mustUp();
  await ha.connect();
  expect(await members()).toEqual(NAMES.slice(0, 1));
  await ha.expectDeclared(1);
  expect(await ha.cluster.kubectl(["get", "configmap", "kept", "-o", "name"])).toBe("configmap/kept\n");
  expect(await ha.stack.check()).toMatchObject({ status: 0, found: [] });
});

it("the deletion leaves nothing in OpenStack", async () => {
  ha.stack.configure({});
  await ha.stack.mustUp();
  expect(await ha.stack.cloud.inventory()).toEqual([]);
});
