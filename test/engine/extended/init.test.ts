/** A first stack config by `vnfm init` from the lab's cloud, which a preview accepts. No server is created. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { TestStack } from "../../support/stack";

jest.setTimeout(5 * 60 * 1000);

let stack: TestStack;

beforeAll(async () => {
  stack = await TestStack.create("init", {});
});

afterAll(() => stack?.remove());

const written = () => readFileSync(join(stack.folder, "Pulumi.init.yaml"), "utf8");

it("`vnfm init` refuses what the cloud has not, with the nearest name, and writes nothing", async () => {
  const before = written();
  const { status, stderr } = await stack.vnfm("init", "--yes", "--network", "pubilc");
  expect([status, stderr]).toEqual([
    2,
    expect.stringMatching(/no network "pubilc"; .*did you mean "public"\?/),
  ]);
  expect(written()).toBe(before);
});

it("`vnfm init` writes a cluster of what the cloud has, without asking", async () => {
  const { status, stdout, stderr } = await stack.vnfm("init", "--yes");
  expect([status, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("next: pulumi preview --stack init");
  const { config } = parse(written()) as { config: Record<string, Record<string, object>> };
  expect(config["vnfm:vnfs"]?.["vnf-a"]).toMatchObject({
    extVirtualLinks: { masterNode_CP1: { network: "public" }, workerNode_CP2: { network: "public" } },
    images: { masterNode: "debian-12-kube-v1.33.0" },
    flavors: { masterNode: "m1.medium", workerNode: "m1.small" },
  });
  expect(existsSync(join(stack.folder, "vnfm.schema.json"))).toBe(true);
});

it("a preview makes the cluster of it", async () => {
  const changes = await stack.changes();
  expect(changes).toEqual(
    expect.arrayContaining([
      "create vnf-a-masterNode-1-server",
      "create vnf-a-workerNode-1-server",
      "create vnf-a-workerNode-2-server",
    ]),
  );
});

it("`vnfm topology` draws it, with all of it to be added", async () => {
  const { status, stdout } = await stack.vnfm("topology");
  expect(status).toBe(0);
  expect(stdout).toMatch(/workerNode × 2: worker, .*\n.*added: workerNode-1, workerNode-2\n/);
});

it("`vnfm init` does not write over it", async () => {
  const { status, stderr } = await stack.vnfm("init", "--yes");
  expect([status, stderr]).toEqual([2, expect.stringContaining("already has vnfm:vnfs, with vnf-a")]);
});
