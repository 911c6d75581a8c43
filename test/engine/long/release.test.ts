/**
 * Update of vnfm: a stack that the last release has made is taken over by this version, without a server or volume that
 * is replaced, and operated by it. The steps build on each other.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { version } from "../../../package.json";
import type { Cluster } from "../../support/cluster";
import { mustRun } from "../../support/command";
import { clusterVnf, haStorageVnf, webCnf } from "../../support/configs";
import { installedVnfm, installProject, installVnfm, pack, packRelease } from "../../support/foreign-project";
import { LAST_RELEASE } from "../../support/releases";
import { TestStack } from "../../support/stack";
import { TO, WITH_IMAGES } from "../../support/versions";

jest.setTimeout(30 * 60_000);

const CLUSTERS = ["vnf-a", "ha"];

let folder: string;
/** Tarballs of the last release and of this version. */
let release: string;
let present: string;
let stack: TestStack;
let before: Readonly<Record<string, string>>;
const clusters = new Map<string, Cluster>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "vnfm-release-"));
  release = await packRelease(LAST_RELEASE, folder);
  present = await pack(folder);
  await mustRun("lab/lab.sh", ["image", TO]);
  const vnfs = { "vnf-a": clusterVnf(1), "vnf-b": webCnf("web"), ha: haStorageVnf(3, 1) };
  stack = await TestStack.create("release", vnfs, { install: (project) => installProject(project, release) });
});

afterAll(async () => {
  for (const cluster of clusters.values()) cluster.close();
  await stack?.pulumi("state", "unprotect", "--all", "--yes", "--stack", stack.name);
  await stack?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const vnfm = (...args: string[]) => installedVnfm(stack, ...args);

/** Returns the ids of the servers and volumes of the project, by name. */
async function idsByName(): Promise<Readonly<Record<string, string>>> {
  const [{ servers }, { volumes }] = await Promise.all([
    stack.cloud.get<{ servers: { id: string; name: string }[] }>("compute", "/servers"),
    stack.cloud.get<{ volumes: { id: string; name: string }[] }>("block-storage", "/volumes"),
  ]);
  return Object.fromEntries([...servers, ...volumes].map(({ id, name }) => [name, id]));
}

/** Returns the changes of a preview that create, replace or delete a resource of OpenStack. */
async function replacements(): Promise<string[]> {
  const preview = JSON.parse(await stack.must("preview", "--json", "--stack", stack.name)) as {
    readonly steps: readonly { readonly op: string; readonly urn: string }[];
  };
  return preview.steps
    .filter(({ op, urn }) => !["same", "read", "update"].includes(op) && urn.includes("openstack:"))
    .map(({ op, urn }) => `${op} ${urn}`);
}

async function expectWhole(): Promise<void> {
  expect(await stack.changes()).toEqual([]);
  expect(JSON.parse(await vnfm("check", "--json"))).toMatchObject({ findings: [] });
  const page = await clusters.get("vnf-a")?.kubectl(["get", "--raw", PAGE]);
  expect(page).toContain("<h1>web-cnf</h1>");
}

const PAGE = "/api/v1/namespaces/web/services/web:80/proxy/";

it(`vnfm ${LAST_RELEASE.version} makes a sole master, three masters with storage, and a CNF`, async () => {
  await stack.mustUp();
  for (const name of CLUSTERS) clusters.set(name, await stack.cluster(name));
  before = await idsByName();
  await expectWhole();
});

it("this version previews no creation, replacement or deletion in the cloud", async () => {
  await installVnfm(stack.folder, present);
  expect(await replacements()).toEqual([]);
});

it("this version takes the stack over, with every server and volume", async () => {
  await stack.mustUp();
  expect(await idsByName()).toEqual(before);
  await expectWhole();
});

it("the release refuses the state of this version", async () => {
  await installVnfm(stack.folder, release);
  const { status, stdout } = await stack.pulumi("preview", "--stack", stack.name);
  expect(status).not.toBe(0);
  expect(stdout).toContain(
    `the stack was last updated by vnfm ${version}, and this is vnfm ${LAST_RELEASE.version}`,
  );
  await installVnfm(stack.folder, present);
});

it("this version scales both clusters", async () => {
  await vnfm("scale", "vnf-a", "worker_instance=1", "--yes");
  await vnfm("scale", "ha", "worker_instance=1", "--yes");
  expect(await clusters.get("vnf-a")?.readyNodes()).toHaveLength(3);
  expect(await clusters.get("ha")?.readyNodes()).toHaveLength(5);
  await expectWhole();
});

it("this version heals a worker, the first of three masters, and a sole master", async () => {
  await vnfm("heal", "vnf-a", "workerNode-1", "--yes");
  await vnfm("heal", "ha", "masterNode-1", "--yes");
  await vnfm("heal", "vnf-a", "masterNode-1", "--yes");
  await expectWhole();
});

it("this version upgrades a cluster", async () => {
  await vnfm("upgrade", "vnf-a", "--to", TO, ...WITH_IMAGES, "--yes");
  await expectWhole();
});
