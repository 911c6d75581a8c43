/**
 * PersistentVolumes of a kubeadm cluster, on a storage server with a Cinder volume and nfs-ganesha. An NFS client in
 * user space (libnfs) reads and writes them, because the lab's kernel has none. The steps build on each other.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { State } from "../../../automation/stack/state";
import { bindClaim } from "../../support/claim";
import type { Cluster } from "../../support/cluster";
import { run, type CommandResult } from "../../support/command";
import { changedClusterPackage, withPasswordLogin } from "../../support/cluster-package";
import { clusterVnf, storageVnf } from "../../support/configs";
import { missingInCloud } from "../../support/cut-off";
import { connectionTo, onServer } from "../../support/guest";
import { guestPath } from "../../support/lab";
import { nfsUrl, readNfs, writeNfs } from "../../support/nfs";
import { reboot } from "../../support/reboot";
import { TestStack } from "../../support/stack";
import {
  fileSystemUuid,
  packageVolumes,
  persistentVolumes,
  STORAGE,
  storageServer,
} from "../../support/storage-server";
import { until } from "../../support/until";
import { describeWholeHealWithStorage } from "./storage-whole-heal";

jest.setTimeout(10 * 60 * 1000);

const PASSWORD = "let me in to the volumes";

interface StoredVnf {
  readonly additionalParams: {
    readonly k8s_cluster_installation_param: { readonly storage_server: { password?: string } };
  };
}

/** Returns the cluster. vnfm logs in to the storage server with a password, and to the nodes with a key. */
function storedVnf(changes: object = {}, installation: object = {}): StoredVnf {
  const vnf = storageVnf({ package: "package", ...changes }, installation) as StoredVnf;
  vnf.additionalParams.k8s_cluster_installation_param.storage_server.password = PASSWORD;
  return vnf;
}

let stack: TestStack;
let cluster: Cluster;

beforeAll(async () => {
  stack = await TestStack.create("storage", { "vnf-a": storedVnf() });
  const withLogin = withPasswordLogin("storage_server", "debian", PASSWORD);
  changedClusterPackage(join(stack.folder, "package"), "simple-storage", withLogin);
});

afterAll(async () => {
  cluster?.close();
  await stack?.pulumi("state", "unprotect", "--all", "--yes", "--stack", stack.name);
  await stack?.remove();
});

/** Reads a file from the storage server's disk. */
async function fileOf(path: string): Promise<string> {
  return readFileSync(guestPath((await storageServer(stack)).serverId, path), "utf8");
}

/** Returns the URL of a file on an export. */
const on = async (path: string) => nfsUrl((await storageServer(stack)).address, path);

let uuid: string;

describe("instantiate", () => {
  it("the run registers the volumes of the package with the address of the storage server", async () => {
    await stack.mustUp();
    cluster = await stack.cluster("vnf-a");
    expect(await persistentVolumes(cluster)).toEqual(
      packageVolumes(await storageServer(stack), ["Available", "Available", "Available"]),
    );
    expect((await stack.vnf("vnf-a")).persistentVolumes).toEqual(["nfs-pv1", "nfs-pv2", "nfs-pv3"]);
    expect(await cluster.readyNodes()).toEqual(["vnf-a-masternode-1", "vnf-a-workernode-1"]);
  });

  it("the run logs in to the storage server with a password, which no state shows", async () => {
    expect(await connectionTo(stack, STORAGE)).toMatchObject({ login: { password: PASSWORD } });
    expect(await onServer(stack, STORAGE, "hostname")).toBe("vnf-a-storage-server-1\n");
    expect(await stack.state()).not.toContain(PASSWORD);
  });

  it("the next run has nothing left to do afterwards", async () => {
    expect(await stack.changes()).toEqual([]);
    expect(await missingInCloud(stack)).toEqual([]);
  });

  it("the storage server mounts the volume by the UUID of the file system that it made", async () => {
    uuid = await fileSystemUuid(await storageServer(stack));
    expect(uuid).toMatch(/^[0-9a-f-]{36}$/);
    expect(await fileOf("etc/fstab")).toContain(`\nUUID=${uuid} /volume ext4 `);
  });

  it("the PersistentVolume lets a claim bind and a client write", async () => {
    await bindClaim(cluster);
    await writeNfs(await on("/volume/nfs/pv1/file"), "kept\n");
    expect(await readNfs(await on("/volume/nfs/pv1/file"))).toBe("kept\n");
  });

  it("exports nothing beside what the config says", async () => {
    const { status } = await run("nfs-ls", [await on("/etc")]);
    expect(status).not.toBe(0);
  });
});

// three servers, preparation and labels of two nodes, the worker's membership, the master's certificates, the CNI,
// snapshots, the storage server, three volumes, and whether they are Released
const asDeclared = { status: 0, checks: 17, found: [] };

describe("check", () => {
  it("finds nothing on a cluster as it was made", async () => {
    expect(await stack.check()).toEqual(asDeclared);
  });

  it("finds the Node of the sole master gone, and it is mended as kubeadm made it", async () => {
    const master = "vnf-a-masternode-1";
    const made = ["get", "node", master, "-o", "jsonpath={.spec.taints}{.metadata.labels}"];
    const before = await cluster.kubectl(made);
    await cluster.kubectl(["delete", "node", master]);
    expect((await stack.check()).found).toEqual([`masterNode-1: Node ${master} is missing`]);
    const { status, stdout } = await stack.vnfm("mend", "--yes");
    expect([status, stdout]).toEqual([
      0,
      expect.stringContaining("masterNode-1: gets its labels and taints again"),
    ]);
    expect(await stack.check()).toEqual(asDeclared);
    // Kubernetes removes its taint `not-ready` a moment after the Node is Ready
    await until(30, `labels and taints ${before}`, async () => (await cluster.kubectl(made)) === before);
  });

  it("finds an export that somebody has taken out, and it is mended", async () => {
    await onServer(
      stack,
      STORAGE,
      String.raw`perl -0pi -e 's#EXPORT \{\n[^\n]*\n  Path = /volume/nfs/pv3;.*?\n\}##s' /etc/ganesha/ganesha.conf
      systemctl reload nfs-ganesha`,
    );
    const differs = {
      ...asDeclared,
      status: 5,
      found: [
        `${STORAGE}: /etc/ganesha/ganesha.conf differs from the desired state`,
        `${STORAGE}: /volume/nfs/pv3 is not exported`,
      ],
    };
    // the NFS server has not completed its reload yet
    await until(60, "the export to go", async () => (await stack.check()).found.length === 2);
    expect(await stack.check()).toEqual(differs);
    const { status, stdout } = await stack.vnfm("mend", "--yes");
    expect([status, stdout]).toEqual([
      0,
      expect.stringContaining(`\nvnf-a: ${STORAGE}: its volumes and exports are set up again\n`) as string,
    ]);
    expect(await stack.check()).toEqual(asDeclared);
    await writeNfs(await on("/volume/nfs/pv3/file"), "again\n");
    expect(await readNfs(await on("/volume/nfs/pv1/file"))).toBe("kept\n");
  });

  it("finds a PersistentVolume that somebody has deleted, and a refresh makes it again", async () => {
    await cluster.kubectl(["delete", "persistentvolume", "nfs-pv2"]);
    expect(await stack.check()).toEqual({
      ...asDeclared,
      status: 5,
      found: ["PersistentVolume nfs-pv2 is missing"],
    });
    await stack.mustUp("--refresh");
    expect(await stack.check()).toEqual(asDeclared);
    expect(await stack.changes()).toEqual([]);
  });
});

describe("a volume whose claim is gone", () => {
  const phase = async () => (await persistentVolumes(cluster))[0]?.[2];

  it("is found, and gone for the next claim until it is released, which then has the data", async () => {
    await cluster.kubectl(["delete", "pvc", "data"]);
    await until(30, "the volume to be Released", async () => (await phase()) === "Released");
    const found =
      "PersistentVolume nfs-pv1 is Released: its PVC default/data was deleted, and no other PVC gets it";
    expect(await stack.check()).toEqual({ ...asDeclared, status: 5, found: [found] });
    const { status, stdout } = await stack.vnfm("release", "vnf-a", "nfs-pv1", "--yes");
    expect([status, stdout]).toEqual([
      0,
      expect.stringContaining(
        "nfs-pv1 becomes available to any PVC that it fits, with the data of default/data",
      ) as string,
    ]);
    expect(await phase()).toBe("Available");
    expect(await stack.check()).toEqual(asDeclared);
    await bindClaim(cluster);
    expect(await readNfs(await on("/volume/nfs/pv1/file"))).toBe("kept\n");
    expect(await stack.changes()).toEqual([]);
  });
});

describe("a reboot of the storage server", () => {
  it("leaves it as declared, with the data", async () => {
    await reboot(stack, STORAGE);
    expect(await stack.check()).toEqual(asDeclared);
    expect(await readNfs(await on("/volume/nfs/pv1/file"))).toBe("kept\n");
  });
});

describe("a new storage server", () => {
  async function replace(): Promise<CommandResult> {
    const { deployment } = JSON.parse(await stack.state()) as State;
    const server = deployment.resources?.find(({ urn }) => urn.endsWith(`::vnf-a-${STORAGE}-server`));
    return stack.up("--replace", server?.urn ?? "");
  }

  it("has the data, the file system and the address of the one before, and the claim stays bound", async () => {
    const first = await storageServer(stack);
    expect((await replace()).status).toBe(0);
    const second = await storageServer(stack);
    expect(second.serverId).not.toBe(first.serverId);
    expect(second).toMatchObject({ address: first.address, volume: first.volume });
    // the volume was not detached from a running server
    expect(await stack.cloud.actions(first.serverId)).toEqual([
      "delete",
      "reboot",
      "attach_volume",
      "create",
    ]);
    expect(await fileSystemUuid(second)).toBe(uuid);
    expect(await readNfs(await on("/volume/nfs/pv1/file"))).toBe("kept\n");
    await writeNfs(await on("/volume/nfs/pv1/file2"), "new\n");
    expect((await persistentVolumes(cluster))[0]?.[2]).toBe("Bound");
    expect(await stack.changes()).toEqual([]);
  });

  it("has them of one that does not answer too, and what was acknowledged", async () => {
    await onServer(stack, STORAGE, "systemctl stop ssh");
    expect((await replace()).status).toBe(0);
    expect(await fileSystemUuid(await storageServer(stack))).toBe(uuid);
    expect(await readNfs(await on("/volume/nfs/pv1/file2"))).toBe("new\n");
  });

  it("is not made where the one before cannot go, which is taken back, with its volume, and serves again", async () => {
    const before = await storageServer(stack);
    await stack.cloud.act(before.serverId, { lock: null });
    const { status, stdout } = await replace();
    expect([status === 0, stdout]).toEqual([false, expect.stringMatching(/locked/i)]);
    await stack.cloud.act(before.serverId, { unlock: null });
    const recovered = await stack.vnfm("recover");
    expect(recovered.stdout).toContain(`vnf-a-${STORAGE}-storage_server_volume-attachment: still exists`);
    await stack.mustUp();
    expect(await storageServer(stack)).toEqual(before);
    expect(await readNfs(await on("/volume/nfs/pv1/file"))).toBe("kept\n");
    expect(await stack.check()).toEqual(asDeclared);
    expect(await stack.changes()).toEqual([]);
  });
});

describe("a preview", () => {
  const VOLUMES = "PersistentVolume nfs-pv1, nfs-pv2, nfs-pv3";
  const preview = () => stack.pulumi("preview", "--stack", stack.name);

  it.each([
    ["the volumes", { "vnf-a": storedVnf({}, { pv_registration_params: undefined }) }, VOLUMES],
    [
      "the storage server",
      { "vnf-a": clusterVnf(1) },
      `${VOLUMES} and the volume storage_server_volume of ${STORAGE}`,
    ],
    ["the cluster", {}, "the whole cluster"],
  ])("warns of the claim where the run takes away %s", async (_, vnfs, what) => {
    stack.configure(vnfs);
    expect((await preview()).stdout).toContain(
      `vnfm:vnfs.vnf-a: the run deletes ${what}; PersistentVolume nfs-pv1 is in use by the PVC default/data`,
    );
  });

  it("warns of no claim whose volume stays", async () => {
    stack.configure({ "vnf-a": storedVnf() });
    const { status, stdout } = await preview();
    expect([status, stdout]).toEqual([0, expect.not.stringContaining("in use by")]);
  });
});

describe("changed parameters", () => {
  const shares = (...names: string[]) =>
    names.map((name) => ({ export_dir: `/volume/nfs/${name}`, export_to: "198.19.0.0/24" }));
  const changed = (exports: object[], options: object = {}) => {
    const vnf = storedVnf();
    const param = vnf.additionalParams.k8s_cluster_installation_param;
    const storage_server = { ...param.storage_server, nfs_server_setup_params: exports };
    return {
      ...vnf,
      additionalParams: { k8s_cluster_installation_param: { ...param, storage_server, ...options } },
    };
  };

  it("export one more directory, the others go on", async () => {
    stack.configure({ "vnf-a": changed(shares("pv1", "pv2", "pv3", "more")) });
    expect(await stack.changes()).toEqual([
      `update vnf-a-${STORAGE}-exports-in-use`,
      `update vnf-a-${STORAGE}-storage`,
    ]);
    await stack.mustUp();
    await writeNfs(await on("/volume/nfs/more/file"), "more\n");
    expect(await readNfs(await on("/volume/nfs/pv1/file"))).toBe("kept\n");
  });

  it("do not delete a volume that a claim holds, and name the claim", async () => {
    stack.configure({ "vnf-a": changed(shares("pv1", "pv2", "pv3"), { pv_registration_params: undefined }) });
    const { status, stdout } = await stack.up();
    expect(status).not.toBe(0);
    expect(stdout).toContain("PersistentVolume nfs-pv1 is in use by the PVC default/data");
    const [volume] = await persistentVolumes(cluster);
    expect(volume).toEqual(["nfs-pv1", expect.anything(), "Bound"]);
  });

  it("do not leave while a claim holds a volume in them, and go on being served", async () => {
    stack.configure({ "vnf-a": changed(shares("pv2", "pv3"), { pv_registration_params: undefined }) });
    const { status, stdout } = await stack.up();
    expect(status).not.toBe(0);
    expect(stdout).toContain("PersistentVolume nfs-pv1 is in use by the PVC default/data: /volume/nfs/pv1");
    expect(await readNfs(await on("/volume/nfs/pv1/file"))).toBe("kept\n");
  });
});

describeWholeHealWithStorage(() => ({
  stack,
  vnf: storedVnf,
  connect: async () => {
    cluster.close();
    return (cluster = await stack.cluster("vnf-a"));
  },
  data: async () => {
    const server = await storageServer(stack);
    const { address, volume } = server;
    const file = await readNfs(await on("/volume/nfs/pv1/file"));
    return { address, volume, uuid: await fileSystemUuid(server), file };
  },
}));

describe("terminate", () => {
  it("the deletion fails in the preview while the volumes are protected", async () => {
    stack.configure({});
    const { status, stdout } = await stack.pulumi("up", "--yes", "--stack", stack.name);
    expect(status).not.toBe(0);
    expect(stdout).toMatch(/storage_server_volume[^]*protected/);
    expect(await readNfs(await on("/volume/nfs/pv1/file"))).toBe("kept\n");
    expect(await cluster.readyNodes()).toEqual(["vnf-a-masternode-1", "vnf-a-workernode-1"]);
  });

  it("the deletion leaves the volumes alone where it shall", async () => {
    const { volume } = await storageServer(stack);
    const { status } = await stack.pulumi("destroy", "--yes", "--exclude-protected", "--stack", stack.name);
    expect(status).toBe(0);
    cluster.close();
    expect(await stack.cloud.inventory()).toEqual([`volumes ${volume}`]);
  });

  it("the deletion leaves nothing in OpenStack once they are not protected", async () => {
    stack.configure({ "vnf-a": storedVnf({ protectVolumes: false }) });
    await stack.mustUp();
    expect(await readNfs(await on("/volume/nfs/pv1/file"))).toBe("kept\n");
    stack.configure({});
    await stack.mustUp();
    expect(await stack.cloud.inventory()).toEqual([]);
  });
});
