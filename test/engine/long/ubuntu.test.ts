/**
 * A highly available cluster with a storage server, all on Ubuntu 24.04: the scripts work with Ubuntu's packages,
 * services and user. The steps build on each other.
 */
import { aptRepository } from "../../support/apt-repository";
import { bindClaim } from "../../support/claim";
import type { Cluster } from "../../support/cluster";
import { mustRun } from "../../support/command";
import { ubuntuVnf } from "../../support/configs";
import { nfsUrl, readNfs, writeNfs } from "../../support/nfs";
import { TestStack } from "../../support/stack";
import { packageVolumes, persistentVolumes, STORAGE, storageServer } from "../../support/storage-server";

jest.setTimeout(20 * 60 * 1000);

let stack: TestStack;
let cluster: Cluster | undefined;

beforeAll(async () => {
  await mustRun("lab/lab.sh", ["ubuntu"]);
  stack = await TestStack.create("ubuntu", { "vnf-a": ubuntuVnf(await aptRepository()) });
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
});

interface Node {
  readonly metadata: { readonly name: string };
  readonly status: { readonly nodeInfo: { readonly osImage: string } };
}

/** Expects the declared nodes, all on Ubuntu, and an empty preview. */
async function expectDeclared(): Promise<Cluster> {
  cluster?.close();
  cluster = await stack.cluster("vnf-a");
  const nodes = ["vnf-a-masternode-1", "vnf-a-masternode-2", "vnf-a-masternode-3", "vnf-a-workernode-1"];
  expect(await cluster.readyNodes()).toEqual(nodes);
  const systems = await cluster.list<Node>("nodes");
  expect(systems.map(({ status }) => status.nodeInfo.osImage)).toEqual(nodes.map(() => "Ubuntu 24.04 LTS"));
  expect(await stack.changes()).toEqual([]);
  expect((await stack.check()).found).toEqual([]);
  return cluster;
}

/** Returns the URL of a file on an export. */
const file = async () => nfsUrl((await storageServer(stack)).address, "/volume/nfs/pv1/file");

it("the cluster is brought up, with volumes that a client writes to", async () => {
  await stack.mustUp();
  const made = await expectDeclared();
  expect(await persistentVolumes(made)).toEqual(
    packageVolumes(await storageServer(stack), ["Available", "Available", "Available"]),
  );
  await bindClaim(made);
  await writeNfs(await file(), "kept\n");
});

it("the cluster is healed: the first master, the worker, and the storage server with its data", async () => {
  const { status, stderr } = await stack.vnfm(
    "heal",
    "vnf-a",
    "masterNode-1",
    "workerNode-1",
    STORAGE,
    "--yes",
  );
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  await expectDeclared();
  expect(await readNfs(await file())).toBe("kept\n");
});

it("the deletion leaves nothing in OpenStack when it is taken out", async () => {
  stack.configure({});
  await stack.mustUp();
  expect(await stack.cloud.inventory()).toEqual([]);
});
