/** Whole packages as they are: those of others, and ours. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { RELEASE_FILES } from "../../../automation/cluster-api/releases";
import { loadPackage } from "../../../components/vnfd/package";
import { REPOSITORY } from "../../support/command";
import { CORPUS, describeWithCorpus } from "../../support/corpus";
import { flavour } from "./support";

/** What "vnfm package" puts into one of ours. */
const RELEASED = RELEASE_FILES.map(({ packaged }) => `Files/kubernetes/${packaged}`);

describeWithCorpus("packages written for Tacker load as they are", () => {
  const cluster = join(CORPUS, "tacker-kubernetes-vnf-package");
  const free5gc = join(CORPUS, "free5gc-cnf");

  test("cluster package: identity and flavours", () => {
    const { flavours, ...identity } = loadPackage(cluster).vnfd;
    expect(identity).toEqual({
      descriptorId: "b1db0ce7-ebca-1fb7-95ed-4840d70a1163",
      descriptorVersion: "1.0",
      provider: "Company",
      productName: "Sample VNF",
      softwareVersion: "1.0",
    });
    expect(Object.values(flavours).map((f) => f.id)).toEqual(["simple", "complex", "podaffinity"]);
  });

  test("cluster package: what its VDUs ask for, in Tacker's looser form", () => {
    expect(flavour(cluster, "complex").vdus["masterNode"]).toEqual({
      id: "masterNode",
      name: "masterNode",
      minInstances: 3,
      maxInstances: 5,
      initialInstances: 3,
      image: "Image for masterNode HA kubernetes",
      flavor: "m1.medium",
      vcpus: 2,
      memoryMiB: 4096,
      diskGiB: 45,
      volumes: [],
      bootData: undefined,
    });
  });

  test("cluster package: connection points and scaling", () => {
    const simple = flavour(cluster);
    expect(Object.values(simple.connectionPoints).map((cp) => [cp.id, cp.vdu, cp.externalLink])).toEqual([
      ["masterNode_CP1", "masterNode", "virtual_link_external1_1"],
      ["workerNode_CP2", "workerNode", "virtual_link_external1_2"],
    ]);
    expect(Object.values(simple.scalingAspects).map((a) => [a.id, a.maxScaleLevel, a.deltas])).toEqual([
      ["master_instance", 2, { masterNode: [1, 1] }],
      ["worker_instance", 2, { workerNode: [1, 1] }],
    ]);
    expect(simple.defaultInstantiationLevel).toBe("instantiation_level_1");
    expect(simple.instantiationLevels["instantiation_level_2"]).toEqual({
      id: "instantiation_level_2",
      scaleLevels: { master_instance: 2, worker_instance: 2 },
      instances: { masterNode: 3, workerNode: 4 },
    });
  });

  test("a script that TOSCA.meta lists and the package lacks is a fault when it is read", () => {
    const { files } = loadPackage(cluster);
    expect(files.has("Scripts/install_k8s_cluster.sh")).toBe(false);
    expect(() => files.read("Scripts/install_k8s_cluster.sh")).toThrow(
      "  Scripts/install_k8s_cluster.sh: is not in the package; there is Definitions/",
    );
  });

  test("5G core: VDUs of containers, and digests that are wrong", () => {
    const { warnings } = loadPackage(free5gc);
    expect(warnings).toHaveLength(12);
    expect(warnings[0]).toContain(
      "TOSCA-Metadata/TOSCA.meta:6: Files/kubernetes/free5gc-amf.yaml: Hash: the file has the SHA-256 digest",
    );
    const { vdus, scalingAspects } = flavour(free5gc);
    expect(Object.keys(vdus)).toHaveLength(12);
    expect(vdus["VDU5"]).toMatchObject({
      name: "free5gc-upf-deployment",
      minInstances: 1,
      maxInstances: 2,
      initialInstances: 1,
      image: undefined,
      vcpus: undefined,
    });
    expect(vdus["VDU1"]?.initialInstances).toBeUndefined();
    expect(scalingAspects["upf_aspect"]?.deltas).toEqual({ VDU5: [1, 1] });
  });
});

/** Packages to begin one's own with: a VNFD of one file, without TOSCA.meta. */
const OF_ONE_FILE = ["pools-cluster", "smallest-cnf"];

test.each(readdirSync(join(REPOSITORY, "vnf-packages")))(
  "vnf-packages/%s loads, and its digests are right",
  (name) => {
    const { vnfd, files, warnings } = loadPackage(join(REPOSITORY, "vnf-packages", name));
    expect(warnings).toEqual([]);
    expect(Object.keys(vnfd.flavours)).toContain("simple");
    const inGit = files.list().filter((f) => !RELEASED.includes(f));
    if (OF_ONE_FILE.includes(name)) {
      expect(inGit.filter((f) => !f.startsWith("Files/"))).toEqual(["vnfd.yaml"]);
      return;
    }
    const meta = files.read("TOSCA-Metadata/TOSCA.meta").toString();
    const listed = [...meta.matchAll(/^Name: (.*)$/gm)].map((m) => m[1]);
    expect(listed).toEqual(inGit.filter((f) => /^(Files|Scripts)\//.test(f)));
  },
);

test("the flavours' bounds agree with their scaling aspects in our packages", () => {
  for (const name of readdirSync(join(REPOSITORY, "vnf-packages"))) {
    for (const f of Object.values(loadPackage(join(REPOSITORY, "vnf-packages", name)).vnfd.flavours)) {
      for (const { deltas } of Object.values(f.scalingAspects)) {
        for (const [vdu, steps] of Object.entries(deltas)) {
          const most = steps.reduce((sum, step) => sum + step, f.vdus[vdu]?.initialInstances ?? 0);
          expect([name, vdu, most]).toEqual([name, vdu, f.vdus[vdu]?.maxInstances]);
        }
      }
    }
  }
});
