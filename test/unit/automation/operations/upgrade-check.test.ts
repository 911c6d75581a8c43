import type { Vnfs } from "../../../../automation/stack/stack-config";
import { imagesOfRequest, planUpgrade } from "../../../../automation/operations/upgrade";
import type { NodeUpgrade } from "../../../../automation/operations/upgrade-check";
import { REPOSITORY } from "../../../support/command";
import { webCnf } from "../../../support/configs";
import { ARMORED_KEY } from "../../fixtures";
import { IMAGES, MASTERS, plan, PRESENT, runs, TO, vnfs, WORKERS } from "./upgrades";
import { StackState } from "../../../../automation/stack/stack-state";
import type { ResourceState } from "../../../../automation/stack/state";
import { urn } from "../steps";
import { inRepository } from "../in-repository";

beforeAll(() => process.chdir(REPOSITORY));

describe("an upgrade is refused before anything is changed", () => {
  it.each([
    [
      "v1.35.0",
      `v has Kubernetes ${PRESENT}, and v1.35.0 is more than one minor version newer: upgrade it to v1.34 first`,
    ],
    ["v1.32.9", `v has Kubernetes ${PRESENT}, which cannot be downgraded to v1.32.9`],
  ])("to %s", (to, message) => {
    expect(() => plan(vnfs(), { to })).toThrow(message);
  });

  it("to a version that kubeadm cannot upgrade to", () => {
    const from = vnfs({}, { kubernetes_version: "v1.31.0" });
    expect(() => plan(from, { to: "v1.31.9" })).toThrow(
      "v has Kubernetes v1.31.0: upgrades are possible to v1.32 and newer, not to v1.31.9",
    );
    expect(() => plan(from, { to: "v1.31.0" })).not.toThrow();
  });

  it("for a VDU that has no nodes", () => {
    expect(() => plan(vnfs(), { images: { workerNod: "x" } })).toThrow(
      'v has no nodes of VDU "workerNod"; one of masterNode, workerNode; did you mean "workerNode"?',
    );
  });

  it("for what is no cluster", () => {
    const both = { ...vnfs(), w: webCnf("web", { vim: "v" }) } as unknown as Vnfs;
    expect(() =>
      planUpgrade(
        inRepository({ vnfs: both }),
        "w",
        { to: TO, images: {}, batch: 1, surge: 0 },
        new Set(),
        new Map(),
      ),
    ).toThrow("w is not a Kubernetes cluster");
  });

  it("with a surge above the aspect's last level", () => {
    expect(() => plan(vnfs(), { surge: 99 })).toThrow("v.surge.worker_instance: scale level 101 is above");
  });

  it("with the apt repository of the present version", () => {
    const url = "https://mirror.example/kubernetes/v1.33/deb/";
    const of = (apt_repository: object) => vnfs({}, { apt_repository });
    expect(() => plan(of({ url, signed_by: ARMORED_KEY }))).toThrow(
      `apt_repository.url ${url} is the repository of v1.33`,
    );
    expect(runs(of({ signed_by: ARMORED_KEY }))).toHaveLength(7);
  });

  describe("where the nodes would get the image that they have", () => {
    const root = { urn: urn("vnfm:index:Vnf", "v"), type: "vnfm:index:Vnf", custom: false };
    const instance = (key: string, inputs: object, rest: object = {}) => {
      const [node, server] = ["vnfm:openstack:Node", "openstack:compute/instance:Instance"] as const;
      const parent = urn(node, `v-${key}`);
      return [
        { urn: parent, type: node, parent: root.urn, custom: false },
        { urn: urn(server, `v-${key}-server`), type: server, parent, custom: true, inputs, ...rest },
      ];
    };
    const stateOf = (...resources: object[]) =>
      new StackState({ deployment: { resources: [root, ...resources] as ResourceState[] } });
    const presentImage = "debian-12-kube-v1.33.0";
    const present = imagesOfRequest(
      stateOf(
        ...[...MASTERS, ...WORKERS].flatMap((key) => instance(key, { imageName: presentImage })),
        ...instance("masterNode-1", { imageName: "before" }, { delete: true }),
      ),
      "v",
    );
    const upgradeOf = (from: Vnfs, images: NodeUpgrade["images"], to = TO) => {
      const request = { to, images, batch: 1, surge: 0 };
      return () =>
        planUpgrade(inRepository({ vnfs: from }), "v", request, new Set([...MASTERS, ...WORKERS]), present);
    };

    it("reads that image from the state, by its name or by the requested id", () => {
      const state = stateOf(...instance("workerNode-9", { imageId: "5f0c" }));
      expect(imagesOfRequest(state, "v")).toEqual(new Map([["workerNode-9", "5f0c"]]));
    });

    it("and nothing else brings Kubernetes of another minor version", () => {
      expect(upgradeOf(vnfs(), {})).toThrow(
        `v: --to ${TO}: the image of masterNode (${presentImage}) and workerNode (${presentImage}) stays the same, ` +
          `and Kubernetes comes only with the image; set one that has ${TO}: --image masterNode=NAME --image workerNode=NAME`,
      );
      expect(upgradeOf(vnfs({}, { kubernetes_version: undefined }), {})).toThrow("masterNode (");
      expect(upgradeOf(vnfs(), { masterNode: "new" })).toThrow(`v: --to ${TO}: the image of workerNode (`);
    });

    it.each<[string, Vnfs, NodeUpgrade["images"], string]>([
      ["an apt repository", vnfs({}, { apt_repository: { signed_by: ARMORED_KEY } }), {}, TO],
      ["a script", vnfs({}, { script_path: "README.md" }), {}, TO],
      ["another image in the stack config", vnfs({ images: IMAGES }), {}, TO],
      ["images that are named", vnfs(), { masterNode: presentImage, workerNode: presentImage }, TO],
      ["the same minor version", vnfs(), {}, "v1.33.9"],
    ])("but not with %s", (_, from, images, to) => {
      expect(upgradeOf(from, images, to)).not.toThrow();
    });
  });

  it("with a node that is not in the cluster", () => {
    expect(() => plan(vnfs(), {}, MASTERS)).toThrow(
      "v: workerNode-1, workerNode-2, workerNode-3 is not in the cluster: run 'pulumi up', or heal it, first",
    );
  });
});
