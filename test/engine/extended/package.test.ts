/**
 * The npm package in a user's project: a cluster and a CNF on it are created, kept and deleted by the programs and
 * scripts of the package, and the state contains no path to them. The steps build on each other.
 */
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Cluster } from "../../support/cluster";
import { clusterVnf, webCnf } from "../../support/configs";
import { installedVnfm, installProject, pack, writeProject } from "../../support/foreign-project";
import { linkProgram, TestStack } from "../../support/stack";

jest.setTimeout(20 * 60_000);

let folder: string;
let tarball: string;
let stack: TestStack;
let cluster: Cluster;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "vnfm-package-"));
  tarball = await pack(folder);
  stack = await TestStack.create(
    "package",
    { "vnf-a": clusterVnf(1), "vnf-b": webCnf("web") },
    { install: (project) => installProject(project, tarball) },
  );
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns the changes of a preview in another folder, with the same stack config. */
function changesIn(project: string): Promise<string[]> {
  const config = `Pulumi.${stack.name}.yaml`;
  cpSync(join(stack.folder, config), join(project, config));
  return stack.changes(project);
}

it("the program makes a cluster and a CNF on it of the packages that vnfm brings", async () => {
  await stack.mustUp();
  cluster = await stack.cluster("vnf-a");
  expect(await cluster.readyNodes()).toHaveLength(2);
  const page = await cluster.kubectl(["get", "--raw", "/api/v1/namespaces/web/services/web:80/proxy/"]);
  expect(page).toContain("<h1>web-cnf</h1>");
});

it("the next run has nothing left to do afterwards", async () => {
  expect(await stack.changes()).toEqual([]);
});

it("the next run has nothing to do in another folder, whose packages are those of a workspace above it", async () => {
  const workspace = join(folder, "workspace");
  await installProject(workspace, tarball);
  const project = join(workspace, "sites/west");
  writeProject(project);
  expect(await changesIn(project)).toEqual([]);
});

it("the next run has nothing to do in a checkout of the repository", async () => {
  const checkout = mkdtempSync(join(folder, "checkout-"));
  linkProgram(checkout);
  // a stack belongs to the project with the name in Pulumi.yaml
  rmSync(join(checkout, "Pulumi.yaml"));
  cpSync(join(stack.folder, "Pulumi.yaml"), join(checkout, "Pulumi.yaml"));
  expect(await changesIn(checkout)).toEqual([]);
});

it("the stack is operated by the package's command line", async () => {
  expect(JSON.parse(await installedVnfm(stack, "check", "--json"))).toMatchObject({ findings: [] });
  await installedVnfm(stack, "scale", "vnf-a", "worker_instance=1", "--yes");
  expect(await cluster.readyNodes()).toHaveLength(3);
  expect(await stack.changes()).toEqual([]);
});
