/**
 * Every operation on a cluster with a single control plane, a storage server and a CNF is killed at ten random points,
 * each followed by `vnfm recover` and another run. The stack converges, the cloud has no resource that is missing in
 * the state, and the file on the volume stays, as do the data in etcd unless the whole cluster is re-created.
 */
import type { Cluster } from "../../support/cluster";
import { storageVnf, webCnf } from "../../support/configs";
import { orphans } from "../../support/cut-off";
import { KILLED, killRounds } from "../../support/kills";
import { nfsUrl, readNfs, writeNfs } from "../../support/nfs";
import { page } from "../../support/page";
import { announceSeed } from "../../support/seed";
import { TestStack } from "../../support/stack";
import {
  exportedPaths,
  packageVolumes,
  persistentVolumes,
  STORAGE,
  storageServer,
} from "../../support/storage-server";

jest.setTimeout(60 * 60 * 1000);

/** The variable part of the config. */
interface Declared {
  readonly heal: Readonly<Record<string, string>>;
  readonly rotate: Readonly<Record<string, string>>;
  /** Scale level of the CNF's `web_aspect`. */
  readonly scale: number;
}

let declared: Declared = { heal: {}, rotate: {}, scale: 0 };

let stack: TestStack;
let cluster: Cluster | undefined;

/** Returns the stack config. */
const configOf = ({ heal, rotate, scale }: Declared) => ({
  "vnf-a": storageVnf({ protectVolumes: false, evacuate: true, heal, rotate }),
  "vnf-b": webCnf("web", { scale: { web_aspect: scale } }),
});

beforeAll(async () => {
  announceSeed();
  stack = await TestStack.create("storage-kills", {});
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
});

async function connect(): Promise<Cluster> {
  cluster?.close();
  return (cluster = await stack.cluster("vnf-a"));
}

async function upDeclared(next: Declared): Promise<void> {
  declared = next;
  stack.configure(configOf(declared));
  await stack.mustUp();
}

/** @returns the names of the ConfigMaps that `mark` created */
async function expectDeclared(): Promise<readonly string[]> {
  const server = await storageServer(stack);
  const its = await connect();
  expect(await its.readyNodes()).toEqual(["vnf-a-masternode-1", "vnf-a-workernode-1"]);
  expect(await persistentVolumes(its)).toEqual(
    packageVolumes(server, ["Available", "Available", "Available"]),
  );
  expect(exportedPaths(server)).toEqual([1, 2, 3].map((i) => `/volume/nfs/pv${i}`));
  const replicas = ["get", "deployment", "web", "-n", "web", "-o", "jsonpath={.status.readyReplicas}"];
  expect(await its.kubectl(replicas)).toBe(String(2 + declared.scale));
  expect(await page(stack, "workerNode-1")).toContain("<h1>web-cnf</h1>");
  expect((await stack.check()).found).toEqual([]);
  expect(await stack.changes()).toEqual([]);
  expect(await orphans(stack)).toEqual([]);
  const marks = await its.list<{ metadata: { name: string } }>("configmaps", "-l", "mark=true");
  return marks.map(({ metadata }) => metadata.name);
}

const fileUrl = async () => nfsUrl((await storageServer(stack)).address, "/volume/nfs/pv1/file");

/** Returns a heal with another trigger value in each round. */
const healed =
  (vnfc: string) =>
  (round: number): Partial<Declared> => ({ heal: { ...declared.heal, [vnfc]: `${round}` } });

describe(KILLED, () => {
  it("an instance is made and terminated", async () => {
    await killRounds(stack, 60, (round) => (round % 2 === 1 ? configOf(declared) : {}));
    await upDeclared(declared);
    expect(await expectDeclared()).toEqual([]);
    const mark = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "mark", labels: { mark: "true" } },
    };
    await cluster?.kubectl(["create", "-f", "-"], JSON.stringify(mark));
    await writeNfs(await fileUrl(), "kept\n");
  });

  it.each<readonly [what: string, seconds: number, ofRound: (round: number) => Partial<Declared>]>([
    ["the CNF is scaled", 5, (round) => ({ scale: round % 3 })],
    ["the storage server is healed", 30, healed(STORAGE)],
    ["the sole master is healed", 40, healed("masterNode-1")],
    [
      "keys, tokens and certificates are rotated",
      40,
      (round) => ({
        rotate: { ssh_key: `${round}`, service_account: `${round}`, certificates: `${round}` },
      }),
    ],
  ])("%s", async (_, seconds, ofRound) => {
    const before = declared;
    const round = await killRounds(stack, seconds, (one) => configOf({ ...before, ...ofRound(one) }));
    await upDeclared({ ...before, ...ofRound(round) });
    expect(await expectDeclared()).toEqual(["mark"]);
    expect(await readNfs(await fileUrl())).toBe("kept\n");
  });

  it("the whole cluster is made anew", async () => {
    const before = declared;
    const round = await killRounds(stack, 90, (one) => configOf({ ...before, ...healed("all")(one) }));
    await upDeclared({ ...before, ...healed("all")(round) });
    expect(await expectDeclared()).toEqual([]);
    expect(await readNfs(await fileUrl())).toBe("kept\n");
  });

  it("nothing is left in the end", async () => {
    stack.configure({});
    await stack.mustUp();
    expect(await stack.cloud.inventory()).toEqual([]);
  });
});
