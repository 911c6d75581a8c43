import type { Cluster } from "../../support/cluster";
import type { TestStack } from "../../support/stack";
import { packageVolumes, persistentVolumes, storageServer } from "../../support/storage-server";

/** A cluster with a storage server, one of whose PersistentVolumes is bound to a PVC. */
export interface Stored {
  readonly stack: TestStack;
  /** Returns the settings of the instance. */
  readonly vnf: (changes: object) => object;
  /** Connects to the stack's present cluster. */
  readonly connect: () => Promise<Cluster>;
  /** Reads the data on the storage server, and its places. */
  readonly data: () => Promise<object>;
}

/** A cluster with data is re-created as a whole. The steps build on each other. */
export function describeWholeHealWithStorage(subject: () => Stored): void {
  const servers = async () => {
    const { vnfcs } = await subject().stack.vnf("vnf-a");
    return Object.values(vnfcs).map(({ serverId }) => serverId);
  };
  const NODES = ["vnf-a-masternode-1", "vnf-a-workernode-1"];

  describe("a cluster that is made anew as a whole", () => {
    it("stays as it is while a claim holds a volume", async () => {
      const { stack, vnf, connect } = subject();
      const before = await servers();
      stack.configure({ "vnf-a": vnf({ heal: { all: "1" } }) });
      const { status, stdout } = await stack.up();
      expect(status).not.toBe(0);
      expect(stdout).toContain("PersistentVolume nfs-pv1 is in use by the PVC default/data");
      expect(stdout).toContain("Nothing is changed");
      expect(await servers()).toEqual(before);
      expect(await (await connect()).readyNodes()).toEqual(NODES);
    });

    it("has the data of the one before where that is evacuated", async () => {
      const { stack, vnf, connect, data } = subject();
      const [before, old] = [await data(), await servers()];
      stack.configure({ "vnf-a": vnf({ heal: { all: "1" }, evacuate: true }) });
      await stack.mustUp();
      expect(await data()).toEqual(before);
      expect((await servers()).filter((id) => old.includes(id))).toEqual([]);
      const cluster = await connect();
      expect(await cluster.readyNodes()).toEqual(NODES);
      expect(await persistentVolumes(cluster)).toEqual(
        packageVolumes(await storageServer(stack), ["Available", "Available", "Available"]),
      );
      expect(await stack.changes()).toEqual([]);
    });
  });
}
