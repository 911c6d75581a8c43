/**
 * Instances of one stack in two clouds. The second cloud is another project of the lab, in which the first one sees no
 * resource. The steps build on each other.
 */
import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { clusterVnf, webCnf } from "../../support/configs";
import type { Cluster } from "../../support/cluster";
import { isPending, upKilledWhen } from "../../support/cut-off";
import type { OpenStack } from "../../support/openstack";
import { Project } from "../../support/project";
import { writeServersPackage } from "../../support/servers-package";
import { TestStack } from "../../support/stack";
import { until } from "../../support/until";

jest.setTimeout(20 * 60_000);

interface Server {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

let stack: TestStack;
let edge: Project;
let kubernetes: Cluster;

/** @param cloud of the cluster. @default the cloud of the stack */
const vnfs = (workers: number, cloud?: string) => ({
  gateway: { package: "package", extVirtualLinks: { gateway_CP: { network: "public" } } },
  "vnf-a": { ...clusterVnf(workers), ...(cloud !== undefined && { cloud }) },
  web: webCnf("web"),
});

beforeAll(async () => {
  stack = await TestStack.create("several-clouds", {});
  writeServersPackage(stack.folder, { gateway: {} });
  edge = await Project.create("several-clouds-edge", mkdtempSync(join(stack.folder, "edge-")));
  stack.addCloud("edge", edge);
  stack.configure(vnfs(1, "edge"));
});

afterAll(async () => {
  kubernetes?.close();
  await stack?.remove();
  await edge?.remove();
});

/** Lists the servers of a project, in the order of their names. */
async function servers({ cloud }: { readonly cloud: OpenStack }): Promise<Server[]> {
  const { servers: all } = await cloud.get<{ servers: Server[] }>("compute", "/servers/detail");
  return all.sort((a, b) => a.name.localeCompare(b.name));
}

const namesIn = async (project: { readonly cloud: OpenStack }) =>
  (await servers(project)).map(({ name }) => name);

it("the stack makes each instance in its cloud, and a CNF on the cluster of the other cloud", async () => {
  await stack.mustUp();
  kubernetes = await stack.cluster("vnf-a");
  expect(await namesIn(stack)).toEqual(["gateway-gateway-1"]);
  expect(await namesIn(edge)).toEqual(["vnf-a-masternode-1", "vnf-a-workernode-1"]);
  expect(await kubernetes.readyNodes()).toHaveLength(2);
  expect(await stack.changes()).toEqual([]);
});

it("the status names the cloud of an instance that has one of its own", async () => {
  const { stdout } = await stack.vnfm("status");
  expect(stdout).toContain("vnf-a: STARTED, cloud edge, flavour simple");
  expect(stdout).toContain("gateway: STARTED, flavour");
});

it("a check finds servers that are stopped in either cloud", async () => {
  const stopped = await Promise.all(
    [stack, edge].map(async (project) => {
      const server = (await servers(project)).at(-1);
      if (server === undefined) throw new Error("there is no server");
      return { project, id: server.id };
    }),
  );
  const act = (action: string, status: string) =>
    Promise.all(
      stopped.map(async ({ project, id }) => {
        await project.cloud.act(id, { [action]: null });
        const isSo = async () =>
          (await servers(project)).some((server) => server.id === id && server.status === status);
        await until(60, `the status ${status} of ${id}`, isSo);
      }),
    );
  await act("os-stop", "SHUTOFF");
  expect((await stack.check()).found).toEqual(
    expect.arrayContaining([
      `gateway-1: the server ${stopped[0]?.id} is SHUTOFF: start it, or heal it`,
      `workerNode-1: the server ${stopped[1]?.id} is SHUTOFF: start it, or heal it`,
    ]),
  );
  await act("os-start", "ACTIVE");
});

it("a heal replaces a server in its cloud, and nothing in the other one", async () => {
  const before = [await servers(stack), await servers(edge)].flat();
  const { status, stderr } = await stack.vnfm("heal", "vnf-a", "workerNode-1", "--yes");
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  const after = [await servers(stack), await servers(edge)].flat();
  expect(after.map(({ name }) => name)).toEqual(before.map(({ name }) => name));
  const ids = before.map(({ id }) => id);
  expect(after.filter(({ id }) => !ids.includes(id)).map(({ name }) => name)).toEqual(["vnf-a-workernode-1"]);
});

it("a run that is killed as it creates a server is recovered in the cloud of the server", async () => {
  stack.configure(vnfs(2, "edge"));
  await upKilledWhen(stack, () => isPending(stack, "creating", "vnf-a-workerNode-2-server"), 500);
  const { status, stderr } = await stack.vnfm("recover", "--yes");
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  await stack.mustUp();
  expect(await namesIn(edge)).toEqual(["vnf-a-masternode-1", "vnf-a-workernode-1", "vnf-a-workernode-2"]);
  expect(await kubernetes.readyNodes()).toHaveLength(3);
});

it("the stack refuses to move an instance to another cloud, before it changes anything", async () => {
  stack.configure(vnfs(2));
  const { status, stdout, stderr } = await stack.pulumi("preview", "--stack", stack.name);
  expect([status === 0, stdout + stderr]).toEqual([
    false,
    expect.stringContaining(
      "vnfm:vnfs.vnf-a.cloud: the instance is in the cloud edge, and cannot move to the cloud of the stack",
    ),
  ]);
  stack.configure(vnfs(2, "edge"));
  expect(await stack.changes()).toEqual([]);
});
