/** Servers whose state is lost: it is made again from the stack config and the cloud. The steps build on each other. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { State } from "../../../automation/stack/state";
import { writeServersPackage } from "../../support/servers-package";
import { TestStack } from "../../support/stack";

jest.setTimeout(10 * 60 * 1000);

let stack: TestStack;

const LINKS = { plain_CP: { network: "public" }, rooted_CP: { network: "public" } };
const vnf = (scale = 0, changes: object = {}) => ({
  "vnf-a": { package: "package", extVirtualLinks: LINKS, scale: { plain: scale }, ...changes },
});

function install(folder: string): void {
  const data = { virtual_block_storage_data: { size_of_storage: "1 GB" } };
  writeServersPackage(folder, { plain: { count: 2, levels: 1 }, rooted: { storages: ["data"] } }, { data });
}

beforeAll(async () => {
  stack = await TestStack.create("rebuild-state", {});
  install(stack.folder);
  stack.configure(vnf());
  await stack.mustUp();
});

afterAll(async () => {
  await stack?.remove();
});

async function resources(): Promise<Record<string, string>> {
  const { deployment } = JSON.parse(await stack.state()) as State;
  return Object.fromEntries(
    (deployment.resources ?? [])
      .filter(({ type }) => type.startsWith("openstack:"))
      .map(({ urn, id }) => [urn, id ?? ""]),
  );
}

async function loseState(): Promise<void> {
  const config = readFileSync(join(stack.folder, `Pulumi.${stack.name}.yaml`), "utf8");
  await stack.must("stack", "rm", stack.name, "--force", "--yes", "--preserve-config");
  await stack.must("stack", "init", stack.name);
  expect(readFileSync(join(stack.folder, `Pulumi.${stack.name}.yaml`), "utf8")).toBe(config);
}

it("has the ids of before, and previews no change", async () => {
  const before = await resources();
  const inventory = await stack.cloud.inventory();
  await loseState();
  const { status, stdout, stderr } = await stack.vnfm("rebuild-state", "--yes");
  console.log(stdout, stderr);
  expect([status, stderr]).toEqual([0, ""]);
  expect(await resources()).toEqual(before);
  expect(await stack.cloud.inventory()).toEqual(inventory);
  expect(await stack.changes()).toEqual([]);
});
