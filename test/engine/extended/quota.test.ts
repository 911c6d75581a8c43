/**
 * A project whose quota is too small for the stack: the preview fails with all exceeded limits, and succeeds when the
 * quota is exactly sufficient. No server is created.
 */
import { haClusterVnf, kubeadmCluster, storageVnf } from "../../support/configs";
import { OpenStack } from "../../support/openstack";
import { TestStack } from "../../support/stack";

jest.setTimeout(5 * 60 * 1000);

const inside = { virtualLink: "nodes" };

const VNFS = {
  "vnf-a": storageVnf(),
  "vnf-b": haClusterVnf(3, 1, {
    flavour: "ha-octavia",
    virtualLinks: { nodes: { subnets: [{ cidr: "10.20.0.0/24" }], router: { externalNetwork: "public" } } },
    extVirtualLinks: {
      masterNode_CP1: { ...inside, floatingNetwork: "public" },
      workerNode_CP2: inside,
      vip_CP: inside,
    },
    additionalParams: kubeadmCluster({ jump_host: { vnfc: "masterNode-1" } }),
  }),
};

/** Returns, for each service, the path and key of its quota, and the stack's demand. */
const TAKEN = (project: string) =>
  [
    ["compute", `/os-quota-sets/${project}`, "quota_set", { cores: 11, ram: 22528, server_groups: 1 }],
    ["block-storage", `/os-quota-sets/${project}`, "quota_set", { gigabytes: 10 }],
    ["network", `/v2.0/quotas/${project}`, "quota", { port: 9, floatingip: 3, router: 1 }],
    ["load-balancer", `/v2/lbaas/quotas/${project}`, "quota", { loadbalancer: 1 }],
  ] as const;

let stack: TestStack;
let admin: OpenStack;

/** Sets the project's quota to the stack's demand plus `more` of each resource. */
async function limit(more: number): Promise<void> {
  for (const [service, path, key, taken] of TAKEN(stack.cloud.projectId)) {
    const limits = Object.entries(taken).map(([resource, amount]) => [resource, amount + more]);
    await admin.put(service, path, { [key]: Object.fromEntries(limits) as Record<string, number> });
  }
}

beforeAll(async () => {
  admin = await OpenStack.connect("lab-admin");
  stack = await TestStack.create("quota", VNFS);
});

afterAll(async () => {
  for (const [service, path] of stack === undefined ? [] : TAKEN(stack.cloud.projectId))
    await admin.delete(service, path);
  await stack?.remove();
});

it("a preview that would go over the quota ends with all that does not suffice", async () => {
  await limit(-1);
  const begin = Date.now();
  const { status, stdout } = await stack.pulumi("preview", "--stack", stack.name);
  // the time depends on the machine, so it is only printed
  process.stderr.write(`preview over quota: ${Math.round((Date.now() - begin) / 1000)} s\n`);
  expect(status).not.toBe(0);
  const lines = stdout.split("\n").map((line) => line.trim().replace(/ +/g, " "));
  const [from, to] = [/^resource wanted used limit required by$/, /^nothing was created/].map((end) =>
    lines.findIndex((line) => end.test(line)),
  );
  expect(lines.slice((from ?? 0) + 1, to).sort()).toEqual(
    [
      "cores 11 0 10 vnf-a (4), vnf-b (7)",
      "RAM (MiB) 22528 0 22527 vnf-a (8192), vnf-b (14336)",
      "server groups 1 0 0 vnf-b (1)",
      "gigabytes 10 0 9 vnf-a (10)",
      "ports 9 0 8 vnf-a (3), vnf-b (6)",
      "floating IPs 3 0 2 vnf-b (3)",
      "routers 1 0 0 vnf-b (1)",
      "load balancers 1 0 0 vnf-b (1)",
    ].sort(),
  );
});

it("a preview passes once the quota suffices exactly", async () => {
  await limit(0);
  expect(await stack.changes()).toContain("create vnf-b-masterNode-3-server");
  expect(await stack.cloud.inventory()).toEqual([]);
});
