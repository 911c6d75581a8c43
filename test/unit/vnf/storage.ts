import { planOf } from "../../support/planned";
import { storageVnf } from "../../support/configs";
import { recordResources, settle, type RecordedResource } from "../../support/mocks";
import { recordedScript } from "../../support/script-steps";
import { makeVnfs } from "../../../components/deploy/instance";
import { configWith, INSTALLATION } from "../settings/support";
import { clusterOutputs } from "./outputs";

let recorded: RecordedResource[];

const plans = planOf({ "vnf-a": storageVnf() });

const of = (type: string) => recorded.filter((resource) => resource.type === type);
const dataOf = (name: string) => recordedScript(recorded, name).data;

describe("a cluster VNF of the flavour simple-storage", () => {
  beforeAll(async () => {
    recorded = recordResources((resource) =>
      resource.type.endsWith(":PersistentVolume")
        ? { metadata: { name: resource.name, uid: `uid of ${resource.name}` } }
        : clusterOutputs(resource),
    );
    process.env["PULUMI_K8S_DELETE_UNREACHABLE"] = "true";
    makeVnfs(plans);
    delete process.env["PULUMI_K8S_DELETE_UNREACHABLE"];
    await settle();
  });

  it("makes the storage server's volume and attaches it", () => {
    expect(of("openstack:blockstorage/volume:Volume").map(({ name, inputs }) => [name, inputs])).toEqual([
      ["vnf-a-storage_server-1-storage_server_volume", { size: 10, enableOnlineResize: true }],
    ]);
    expect(of("openstack:compute/volumeAttach:VolumeAttach").map(({ inputs }) => inputs)).toEqual([
      {
        instanceId: "vnf-a-storage_server-1-server-id",
        volumeId: "vnf-a-storage_server-1-storage_server_volume-id",
      },
    ]);
  });

  it("gives the storage server's port its own security group, the nodes' ports the cluster's, and masters' ports that of masters", () => {
    expect(
      of("openstack:networking/port:Port")
        .map(({ name, inputs }) => [name, inputs["securityGroupIds"]])
        .sort(),
    ).toEqual([
      ["vnf-a-masterNode-1-masterNode_CP1", ["vnf-a-id", "vnf-a-masters-id"]],
      ["vnf-a-storage_server-1-storage_server_CP", ["vnf-a-storage-id"]],
      ["vnf-a-workerNode-1-workerNode_CP2", ["vnf-a-id"]],
    ]);
  });

  it("sets up the storage server anew with each server, by the volume's id", () => {
    const name = "vnf-a-storage_server-1-storage";
    const setUp = recorded.find((resource) => resource.name === name);
    expect(setUp?.inputs["triggers"]).toEqual(["vnf-a-storage_server-1-server-id"]);
    expect(dataOf(name)).toContain(
      "volumes='vnf-a-storage_server-1-storage_server_volume-id 10 /volume'\n" +
        "directories='/volume/nfs/pv1\n/volume/nfs/pv2\n/volume/nfs/pv3'\nnfs_server='ganesha'\n",
    );
  });

  it("has the storage server write to its volumes before it goes, and Nova wait for no server's end", () => {
    const release = recorded.find(({ name }) => name === "vnf-a-storage_server-1-release");
    expect([release?.inputs["create"], release?.inputs["delete"]]).toEqual([
      undefined,
      `exec node -e 'require("vnfm/run")' remote/run-script delete`,
    ]);
    const { data, leaves, reach } = recordedScript(recorded, "vnf-a-storage_server-1-release");
    expect(data).toContain("mount_points='/volume'\n");
    expect([leaves, reach.tries, reach.seconds]).toEqual([true, 1, 90]);
    const servers = of("openstack:compute/instance:Instance");
    expect(servers.map(({ inputs }) => inputs["stopBeforeDestroy"])).toEqual([false, false, false]);
  });

  it("asks the cluster first whether it may change the exports", () => {
    const port = `10.0.0.${"vnf-a-storage_server-1-storage_server_CP".length}`;
    expect(dataOf("vnf-a-storage_server-1-exports-in-use")).toContain(
      `nfs_servers='${port}'\ndirectories='/volume/nfs/pv1\n/volume/nfs/pv2\n/volume/nfs/pv3'\n`,
    );
  });

  it("puts the NFS client on the nodes", () => {
    for (const node of ["masterNode-1", "workerNode-1"]) {
      expect(dataOf(`vnf-a-${node}-prepare`)).toContain("nfs_client='yes'\n");
    }
  });

  it("registers the volumes with the address of the storage server's port", () => {
    const port = `10.0.0.${"vnf-a-storage_server-1-storage_server_CP".length}`;
    expect(
      of("kubernetes:core/v1:PersistentVolume").map(({ name, inputs }) => [
        name,
        (inputs["spec"] as { nfs: unknown }).nfs,
      ]),
    ).toEqual([1, 2, 3].map((i) => [`vnf-a-pv-nfs-pv${i}`, { path: `/volume/nfs/pv${i}`, server: port }]));
  });

  it("leaves what is asked for in the environment, for one run, out of the state", () => {
    const [provider] = of("pulumi:providers:kubernetes");
    expect(provider?.inputs).toMatchObject({ enableSecretMutable: "true" });
    expect(provider?.inputs).not.toHaveProperty("deleteUnreachable");
  });

  it("looks for a claim on a volume before that very volume is deleted", () => {
    const unused = recorded.find(({ name }) => name === "vnf-a-pv-nfs-pv2-unused");
    expect(unused?.inputs).toMatchObject({ triggers: ["uid of vnf-a-pv-nfs-pv2"] });
    expect(unused?.inputs["delete"]).toContain("delete");
  });
});

describe("a PersistentVolume whose manifest names a server", () => {
  it("gets the storage server's address in its place, and keeps the rest", async () => {
    recorded = recordResources((resource) => clusterOutputs(resource));
    const files = [{ pv_manifest_file_path: "pv.yaml", nfs_server_cp: "storage_server_CP" }];
    const config = configWith(
      { [`${INSTALLATION}.pv_registration_params`]: files },
      { "vnf-a": storageVnf() },
    );
    const readProjectFile = () => `{apiVersion: v1, kind: PersistentVolume, metadata: {name: own},
      spec: {capacity: {storage: 1Gi}, nfs: {server: 192.0.2.9, path: /volume/nfs/pv1, readOnly: true}}}`;
    makeVnfs(planOf(config, { readProjectFile }));
    await settle();
    const server = `10.0.0.${"vnf-a-storage_server-1-storage_server_CP".length}`;
    expect(of("kubernetes:core/v1:PersistentVolume").map(({ inputs }) => inputs["spec"])).toEqual([
      { capacity: { storage: "1Gi" }, nfs: { server, path: "/volume/nfs/pv1", readOnly: true } },
    ]);
  });
});
