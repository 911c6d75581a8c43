/**
 * A storage server with two volumes, and nodes, whose images contain neither an NFS server nor a client: apt installs
 * both on each new server. The lab's kernel does not support NFS, so a client in user space (libnfs) reads and writes;
 * pods mount the volumes in test/engine/machine. The steps build on each other.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { bindClaim } from "../../support/claim";
import type { Cluster } from "../../support/cluster";
import { changedClusterPackage, withBootScript, withSecondVolume } from "../../support/cluster-package";
import { storageVnf } from "../../support/configs";
import { DebianRepository } from "../../support/debian-repository";
import { onServer } from "../../support/guest";
import { nfsUrl, readNfs, writeNfs } from "../../support/nfs";
import { TestStack } from "../../support/stack";
import { fileSystemUuid, persistentVolumes, STORAGE, storageServer } from "../../support/storage-server";

jest.setTimeout(15 * 60 * 1000);

const PACKAGES = ["nfs-ganesha", "nfs-ganesha-vfs", "nfs-common"] as const;

/** Directories of the first and of the second volume. */
const DIRECTORIES = ["/volume/nfs/pv1", "/volume/nfs/pv2", "/volume/nfs/pv3", "/more/pv"];
const [ONE = "", , , OTHER = ""] = DIRECTORIES;

const INSTALLATION = {
  storage_server: {
    ssh_cp_name: "storage_server_CP",
    nfs_server: "ganesha",
    cinder_volume_setup_params: [
      { volume_resource_id: "storage_server_volume", mount_to: "/volume" },
      { volume_resource_id: "more_volume", mount_to: "/more" },
    ],
    nfs_server_setup_params: DIRECTORIES.map((export_dir) => ({ export_dir, export_to: "198.19.0.0/24" })),
  },
  pv_registration_params: ["nfs-pv", "more-pv"].map((name) => ({
    pv_manifest_file_path: `Files/kubernetes/${name}.yaml`,
    nfs_server_cp: "storage_server_CP",
  })),
};

const MORE_PV = {
  apiVersion: "v1",
  kind: "PersistentVolume",
  metadata: { name: "more-pv" },
  spec: {
    capacity: { storage: "1Gi" },
    accessModes: ["ReadWriteMany"],
    storageClassName: "more",
    nfs: { path: OTHER },
  },
};

let stack: TestStack;
let cluster: Cluster | undefined;
let repository: DebianRepository;

function configure(changes: object): void {
  stack.configure({
    "vnf-a": storageVnf({ package: "package", protectVolumes: false, ...changes }, INSTALLATION),
  });
}

beforeAll(async () => {
  repository = await DebianRepository.start();
  stack = await TestStack.create("nfs", {});
  const folder = join(stack.folder, "package");
  const withoutNfs = withBootScript(
    repository.without(...PACKAGES),
    "masterNode",
    "workerNode",
    "storage_server",
  );
  changedClusterPackage(folder, "simple-storage", (definition) => withSecondVolume(withoutNfs(definition)));
  writeFileSync(join(folder, "Files/kubernetes/more-pv.yaml"), stringify(MORE_PV));
});

afterAll(async () => {
  cluster?.close();
  await stack?.remove();
  repository?.close();
});

/** Lists those of the packages that are installed on a server. */
async function installed(vnfc: string): Promise<string[]> {
  const query = "dpkg-query -W -f '${db:Status-Status} ${Package}\\n'";
  // the query fails if a package was never installed
  const lines = (await onServer(stack, vnfc, `${query} ${PACKAGES.join(" ")} || true`)).split("\n");
  return lines.filter((line) => line.startsWith("installed ")).sort();
}

/** Expects the NFS client on the nodes, the NFS server on the storage server, and an empty preview. */
async function expectDeclared(...nodes: readonly string[]): Promise<Cluster> {
  cluster?.close();
  cluster = await stack.cluster("vnf-a");
  expect(await cluster.readyNodes()).toEqual(nodes.map((vnfc) => `vnf-a-${vnfc.toLowerCase()}`));
  for (const vnfc of nodes) {
    expect([vnfc, await installed(vnfc)]).toEqual([vnfc, ["installed nfs-common"]]);
    expect(await onServer(stack, vnfc, "mount.nfs -V")).toMatch(/^mount\.nfs: /);
  }
  expect(await installed(STORAGE)).toEqual(PACKAGES.map((name) => `installed ${name}`).sort());
  expect(await stack.changes()).toEqual([]);
  expect((await stack.check()).found).toEqual([]);
  return cluster;
}

const on = async (path: string) => nfsUrl((await storageServer(stack)).address, path);

/** Returns the storage server's address, and its volumes with their file systems. */
async function stored() {
  const { vnfcs } = await stack.vnf("vnf-a");
  const volumes = Object.entries(vnfcs[STORAGE]?.volumes ?? {});
  const server = await storageServer(stack);
  const uuids = volumes.map(async ([name, volume]) => [name, await fileSystemUuid({ ...server, volume })]);
  return { address: server.address, volumes, uuids: Object.fromEntries(await Promise.all(uuids)) as object };
}

describe("instantiate", () => {
  it("the failed run names what is missing where no repository has it", async () => {
    configure({});
    const { status, stdout } = await stack.up();
    expect(status).not.toBe(0);
    expect(stdout).toMatch(
      /vnf-a-(master|worker)node-1: mount\.nfs is not installed and apt-get cannot install nfs-common: use an image/,
    );
  });

  it("the next run installs the client and the server by apt, on the same servers", async () => {
    // libnfsidmap1 must have the same version as nfs-common
    await repository.add(...PACKAGES, "libnfsidmap1");
    await stack.mustUp();
    await expectDeclared("masterNode-1", "workerNode-1");
  });
});

describe("two volumes", () => {
  it("are mounted beside each other, each with a file system of its own", async () => {
    const { volumes, uuids } = await stored();
    expect(new Set(volumes.map(([, id]) => id)).size).toBe(2);
    const { storage_server_volume: first, more_volume: second } = uuids as Record<string, string>;
    expect(first).not.toBe(second);
    const mounts = await onServer(stack, STORAGE, "grep ^UUID= /etc/fstab | cut -d ' ' -f 1-3 | sort -k 2");
    expect(mounts).toBe(`UUID=${second} /more ext4\nUUID=${first} /volume ext4\n`);
  });

  it("are exported to a PersistentVolume each, and take what a client writes", async () => {
    const made = await expectDeclared("masterNode-1", "workerNode-1");
    const { address: server } = await storageServer(stack);
    expect(await persistentVolumes(made)).toEqual([
      ["more-pv", { server, path: OTHER }, "Available"],
      ...[1, 2, 3].map((i) => [`nfs-pv${i}`, { server, path: `/volume/nfs/pv${i}` }, "Available"]),
    ]);
    await bindClaim(made);
    await writeNfs(await on(`${ONE}/file`), "one\n");
    await writeNfs(await on(`${OTHER}/file`), "other\n");
    expect(await onServer(stack, STORAGE, `cat ${ONE}/file ${OTHER}/file`)).toBe("one\nother\n");
  });
});

describe("a node", () => {
  it("that is added gets the client", async () => {
    configure({ scale: { worker_instance: 1 } });
    await stack.mustUp();
    await expectDeclared("masterNode-1", "workerNode-1", "workerNode-2");
  });

  it("that is healed gets the client", async () => {
    configure({ scale: { worker_instance: 1 }, heal: { "workerNode-1": "1" } });
    await stack.mustUp();
    await expectDeclared("masterNode-1", "workerNode-1", "workerNode-2");
  });
});

describe("a storage server that is healed", () => {
  it("gets the server, and has both volumes with what was on them", async () => {
    const before = await stored();
    const { serverId } = await storageServer(stack);
    configure({ scale: { worker_instance: 1 }, heal: { "workerNode-1": "1", [STORAGE]: "1" } });
    await stack.mustUp();
    expect((await storageServer(stack)).serverId).not.toBe(serverId);
    expect(await stored()).toEqual(before);
    await expectDeclared("masterNode-1", "workerNode-1", "workerNode-2");
    expect(await readNfs(await on(`${ONE}/file`))).toBe("one\n");
    expect(await readNfs(await on(`${OTHER}/file`))).toBe("other\n");
  });
});

describe("terminate", () => {
  it("the deletion leaves nothing in OpenStack", async () => {
    stack.configure({});
    await stack.mustUp();
    expect(await stack.cloud.inventory()).toEqual([]);
  });
});
