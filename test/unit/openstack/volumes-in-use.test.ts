/** Persistent volumes that claims hold, and whose storage a run takes away. */
import { Fault } from "../../../components/base/fault";
import { planOf } from "../../support/planned";
import { leavingStorage } from "../../../components/plan/leaving-storage";
import type { PlannedBootVolume } from "../../../components/plan/servers/model";
import { shrinking, volumesInUse } from "../../../components/preflight/volumes-in-use";
import { clusterVnf, storageVnf } from "../../support/configs";
import { stubCloud } from "./stub-cloud";

const plansOf = (vnfs: object) => planOf(vnfs, { readProjectFile: () => "" });
const plans = plansOf({ "vnf-a": storageVnf() });
const without = plansOf({ "vnf-a": clusterVnf(1) });
const open = plansOf({ "vnf-a": { ...storageVnf(), protectVolumes: false } });

const ID = "0b2a6a6e-6d0e-4d3b-9f7b-0c1f3f2f9d11";
const NFS = "198.19.0.50";
const SERVER = "storage_server-1";
const VOLUME = `the volume storage_server_volume of ${SERVER}`;

/** What the last run has shown. @param more PersistentVolumes */
const former = (...more: readonly string[]) => ({
  "vnf-a": {
    persistentVolumes: ["nfs-pv1", "nfs-pv2", "nfs-pv3", ...more],
    vnfcs: {
      "masterNode-1": { serverId: "m", addresses: { masterNode_CP1: "198.19.0.45" } },
      [SERVER]: {
        serverId: "s",
        addresses: { storage_server_CP: NFS },
        volumes: { storage_server_volume: ID },
      },
    },
  },
  other: { vnfcs: [], kubernetesVersion: "v1.33.0" },
});

describe("what leaves", () => {
  it("is nothing where the plan has all of it", () => {
    expect(leavingStorage(plans, former())).toEqual([]);
  });

  it("is no volume that a server boots from and that is kept for the next one", () => {
    const [plan, ...others] = plans;
    if (plan === undefined || !("servers" in plan)) throw new Error("there is no cluster");
    const bootVolume = { storage: "boot", sizeGiB: 20, isKept: true } as PlannedBootVolume;
    const servers = plan.servers.map((server) => ({ ...server, bootVolume }));
    const shown = former();
    Object.assign(shown["vnf-a"].vnfcs[SERVER]?.volumes ?? {}, { boot: ID });
    expect(leavingStorage([{ ...plan, servers }, ...others], shown)).toEqual([]);
  });

  it("is a PersistentVolume that the stack config has no more", () => {
    expect(leavingStorage(plans, former("old"))).toEqual([
      { instance: "vnf-a", what: "PersistentVolume old", persistentVolumes: ["old"], nfsServers: [] },
    ]);
  });

  it("is the volume of a storage server that goes, with all on it", () => {
    const names = ["nfs-pv1", "nfs-pv2", "nfs-pv3"];
    const what = `PersistentVolume ${names.join(", ")} and ${VOLUME}`;
    const leaving = { instance: "vnf-a", persistentVolumes: names, nfsServers: [NFS] };
    expect(leavingStorage(without, former())).toEqual([{ ...leaving, what }]);
    expect(leavingStorage([], former())).toEqual([{ ...leaving, what: "the whole cluster" }]);
  });
});

describe("a smaller volume", () => {
  const cloud = (size: number) => () =>
    Promise.resolve(stubCloud((path) => (path === `/volumes/${ID}` ? { volume: { size } } : undefined)));

  it("is made anew, where nothing protects it", async () => {
    expect(await shrinking(open, former(), cloud(20))).toEqual([
      {
        instance: "vnf-a",
        what: `${VOLUME}, because 10 GiB are less than its 20`,
        persistentVolumes: [],
        nfsServers: [NFS],
      },
    ]);
    expect(await shrinking(open, former(), cloud(10))).toEqual([]);
  });

  it("is not asked for where the engine refuses it", async () => {
    expect(await shrinking(plans, former(), () => Promise.reject(new Error("is asked")))).toEqual([]);
  });

  it("is not known of a cloud that does not answer", async () => {
    expect(await shrinking(open, former(), () => Promise.reject(new Fault("no answer")))).toEqual([]);
  });

  it("ends with an error of the program", async () => {
    const error = new TypeError("x is not a function");
    await expect(shrinking(open, former(), () => Promise.reject(error))).rejects.toBe(error);
  });
});

describe("the warnings", () => {
  const leaving = [{ instance: "vnf-a", what: "it", persistentVolumes: ["old"], nfsServers: [NFS] }];
  const held = [
    { name: "old", claim: "web/data", nfsServer: undefined },
    { name: "of-cnf", claim: "db/data", nfsServer: NFS },
    { name: "nfs-pv1", claim: "web/more", nfsServer: "198.19.0.51" },
    { name: "csi", claim: "web/disk", nfsServer: undefined },
  ];

  it("name each volume that is, or is on, what leaves, and its claim", async () => {
    const asked: string[] = [];
    const boundVolumes = (kubeconfig: string) => {
      asked.push(kubeconfig);
      return Promise.resolve(held);
    };
    const kubeconfigs = () => Promise.resolve({ "vnf-a": "its kubeconfig" });
    expect(await volumesInUse(leaving, { kubeconfigs, boundVolumes })).toEqual([
      "vnfm:vnfs.vnf-a: the run deletes it; PersistentVolume old is in use by the PVC web/data",
      "vnfm:vnfs.vnf-a: the run deletes it; PersistentVolume of-cnf is in use by the PVC db/data",
    ]);
    expect(asked).toEqual(["its kubeconfig"]);
  });

  it.each([
    ["does not answer", { "vnf-a": "its kubeconfig" }],
    ["was never shown", {}],
  ])("say so where the cluster %s", async (_, known) => {
    const asked = {
      kubeconfigs: () => Promise.resolve(known),
      boundVolumes: () => Promise.resolve(undefined),
    };
    expect(await volumesInUse(leaving, asked)).toEqual([
      "vnfm:vnfs.vnf-a: the run deletes it; whether PVCs use it is not known, because the cluster does not answer",
    ]);
  });

  it("ask nothing where nothing leaves", async () => {
    const refuse = () => Promise.reject(new Error("is asked"));
    expect(await volumesInUse([], { kubeconfigs: refuse, boundVolumes: refuse })).toEqual([]);
  });
});
