/**
 * A workload cluster by vnfm's package: instantiated, scaled by its aspect, terminated. The steps build on each other.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { clusterVnf, webCnf } from "../../support/configs";
import type { Cluster } from "../../support/cluster";
import { orphans } from "../../support/cut-off";
import { labWithClusterApi, managementCnfs } from "../../support/management-cluster";
import { TestStack } from "../../support/stack";
import { flannelCnf, workloadCnf } from "../../support/workload-cluster";

jest.setTimeout(30 * 60_000);

let stack: TestStack;
let management: object;
let clouds: string;
let externalNetwork: string;
let flannel: object;

/** Returns the whole stack: a management cluster on vnf-a, a workload cluster, and CNFs on it. */
function vnfs(workers: number): object {
  return {
    "vnf-a": clusterVnf(1),
    ...management,
    tenant: workloadCnf({ workers, clouds, externalNetwork }),
    flannel,
    web: webCnf("web", { vim: "tenant", readyTimeout: "15m" }),
  };
}

beforeAll(async () => {
  await labWithClusterApi();
  stack = await TestStack.create("workload-cluster", {});
  const { folder } = stack;
  clouds = readFileSync(join(folder, "clouds.yaml"), "utf8");
  externalNetwork = await stack.cloud.networkId("public");
  management = await managementCnfs(folder);
  flannel = await flannelCnf("tenant");
});

afterAll(() => stack.remove());

let tenant: Cluster;
afterAll(() => tenant?.close());

it("vnfm makes VNF-A, Cluster API on it, a workload cluster on that and a CNF on this, in one run", async () => {
  stack.configure(vnfs(1));
  await stack.mustUp();
  tenant = await stack.cluster("tenant");
  expect(await tenant.readyNodes()).toHaveLength(2);
  expect(await tenant.kubectl(["get", "--raw", "/api/v1/namespaces/web/services/web:80/proxy/"])).toContain(
    "<h1>web-cnf</h1>",
  );
});

it("the next run has nothing left to do afterwards", async () => {
  expect(await stack.changes()).toEqual([]);
});

it("the stack gives the cluster as a VIM in the words of the specification", async () => {
  const vims =
    await stack.output<Record<string, { access_info: Record<string, string> }>>("vimConnectionInfo");
  const { access_info: access = {} } = vims["tenant"] ?? {};
  expect(access["auth_url"]).toMatch(/^https:\/\/198\.19\.0\.\d+:6443$/);
  expect(access["ssl_ca_cert_hash"]).toBe(await tenant.caKeyHash());
  const args = ["--server", access["auth_url"] ?? "", "--token", access["bearer_token"] ?? ""];
  const whoami = ["auth", "whoami", "--kubeconfig=/dev/null", "--insecure-skip-tls-verify", "-o", "json"];
  expect(await tenant.kubectl([...whoami, ...args])).toContain("system:serviceaccount:kube-system:vnfm");
});

it("the stack adds a worker by its aspect and takes it away", async () => {
  stack.configure(vnfs(2));
  await stack.mustUp();
  expect(await tenant.readyNodes()).toHaveLength(3);
  stack.configure(vnfs(1));
  await stack.mustUp();
  expect(await tenant.readyNodes()).toHaveLength(2);
  expect(await stack.changes()).toEqual([]);
});

it("the deletion leaves nothing in OpenStack once the workload cluster is taken out", async () => {
  stack.configure({ "vnf-a": clusterVnf(1), ...management });
  await stack.mustUp();
  expect(await orphans(stack)).toEqual([]);
});
