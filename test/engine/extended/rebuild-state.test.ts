/**
 * Servers whose state is lost: vnfm makes the state again from the stack config and the cloud, beside another stack with
 * the same config. The steps build on each other.
 */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import type { State } from "../../../automation/stack/state";
import { writeServersPackage } from "../../support/servers-package";
import { loseState } from "../../support/lost-state";
import { TestStack } from "../../support/stack";
import { until } from "../../support/until";

jest.setTimeout(20 * 60 * 1000);

let stack: TestStack;
let neighbour: TestStack;
/** Identities of both stacks. */
let identity = "";
let foreign = "";

const LINKS = { plain_CP: { network: "public" }, stored_CP: { network: "public" } };

/** Returns the config of two servers, or more, and one with a volume. */
const vnfs = (level = 0) => ({
  "vnf-a": {
    ...{ package: "package", extVirtualLinks: LINKS, scale: { plain: level } },
    ...{ protectVolumes: false },
  },
});

beforeAll(async () => {
  stack = await TestStack.create("rebuild-state", {});
  const data = { virtual_block_storage_data: { size_of_storage: "1 GB" } };
  const vdus = { plain: { count: 2, levels: 1 }, stored: { storages: ["data"] } };
  writeServersPackage(stack.folder, vdus, { data });
  stack.configure(vnfs());
  await stack.mustUp();
});

afterAll(async () => {
  await neighbour?.remove();
  await stack?.remove();
});

interface Server {
  readonly id: string;
  readonly name: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Returns the ids of a stack's resources in the cloud, by URN. */
async function idsOf(one: TestStack): Promise<Record<string, string>> {
  const { resources = [] } = (JSON.parse(await one.state()) as State).deployment;
  const inCloud = resources.filter(({ type }) => type.startsWith("openstack:"));
  return Object.fromEntries(inCloud.map(({ urn, id = "" }) => [urn, id]));
}

it("refuses a stack that has a state", async () => {
  const { status, stderr } = await stack.vnfm("rebuild-state", "--yes");
  expect([status, stderr]).toEqual([1, expect.stringContaining("it is not lost")]);
});

it("makes the same state again, and changes nothing in the cloud", async () => {
  const [ids, inventory, outputs] = await Promise.all([
    idsOf(stack),
    stack.cloud.inventory(),
    stack.output("vnfs"),
  ]);
  await loseState(stack);
  const { status, stdout, stderr } = await stack.vnfm("rebuild-state", "--yes");
  expect([status, stdout + stderr]).toEqual([
    0,
    expect.stringMatching(/vnf-a-plain-1-host-key.*: new keys, as the former ones[^]*nothing changes/),
  ]);
  expect(await idsOf(stack)).toEqual(ids);
  expect(await stack.cloud.inventory()).toEqual(inventory);
  expect(await stack.output("vnfs")).toEqual(outputs);
  expect(await stack.changes()).toEqual([]);
  await stack.must("preview", "--refresh", "--expect-no-changes", "--stack", stack.name);
});

it("scales out with that state, and keeps each server", async () => {
  const before = await idsOf(stack);
  stack.configure(vnfs(1));
  await stack.mustUp();
  expect(await idsOf(stack)).toMatchObject(before);
  expect(Object.keys((await stack.vnf("vnf-a")).vnfcs)).toEqual([
    "plain-1",
    "plain-2",
    "plain-3",
    "stored-1",
  ]);
});

it("is not certain about the servers of two stacks with the same names", async () => {
  neighbour = await TestStack.create("neighbour", {}, { beside: stack });
  symlinkSync(join(stack.folder, "package"), join(neighbour.folder, "package"));
  neighbour.configure(vnfs(1));
  await neighbour.mustUp();
  await loseState(stack);
  const { status, stderr } = await stack.vnfm("rebuild-state", "--yes");
  expect([status, stderr]).toEqual([1, expect.stringContaining("it is not certain which servers belong to")]);
  [identity, foreign] = ["rebuild-state", "neighbour"].map(
    (name) => new RegExp(`^(${name}-[0-9a-f]{8}): .*vnf-a-plain-1 `, "m").exec(stderr)?.[1] ?? "",
  ) as [string, string];
  expect([identity, foreign]).not.toContain("");
});

it("takes nothing that the state of another stack has", async () => {
  const { status, stderr } = await stack.vnfm("rebuild-state", "--yes", "--identity", foreign);
  expect([status, stderr]).toEqual([1, expect.stringContaining("belongs to stack neighbour. Nothing was")]);
  expect(await idsOf(stack)).toEqual({});
});

it("names a server that was deleted by hand, which the next update creates", async () => {
  const others = await idsOf(neighbour);
  const server = "vnf-a-plain-2-server";
  const { servers } = await stack.cloud.get<{ servers: Server[] }>("compute", "/servers/detail");
  const deleted = servers.find(
    ({ name, metadata }) => name === "vnf-a-plain-2" && metadata["vnfm-owner"] === `${identity}/vnf-a`,
  );
  await stack.cloud.delete("compute", `/servers/${deleted?.id}`);
  await until(
    60,
    "the deletion of the server",
    async () => !(await stack.cloud.inventory()).includes(`servers ${deleted?.id}`),
  );
  const { status, stdout, stderr } = await stack.vnfm("rebuild-state", "--yes", "--identity", identity);
  expect([status, stdout + stderr]).toEqual([
    0,
    expect.stringContaining(`warning: ${server} no longer exists; the next update creates it`),
  ]);
  // the step that compares the ports of a server gets the id of the new one
  expect(await stack.changes()).toEqual([`create ${server}`, `update ${server.replace(/server$/, "ports")}`]);
  const before = await idsOf(stack);
  await stack.mustUp();
  expect(await idsOf(stack)).toMatchObject(before);
  expect(await stack.changes()).toEqual([]);
  expect(await idsOf(neighbour)).toEqual(others);
  expect(await neighbour.changes()).toEqual([]);
});
