import { planOf } from "../../support/planned";
import * as pulumi from "@pulumi/pulumi";
import { makeVnfs } from "../../../components/deploy/instance";
import type { VnfPackage } from "../../../components/vnfd/model";
import { recordResources, settle } from "../../support/mocks";
import { flavour, kubeconfig, vdu, vnfPackage } from "../fixtures";
import { clusterOutputs } from "./outputs";

const MANIFEST = "{apiVersion: v1, kind: Namespace, metadata: {name: web, namespace: web}}";

const FLAVOURS = {
  servers: flavour({
    vdus: { node: vdu("node", { initialInstances: 1, volumes: ["disk"] }) },
    placementGroups: [{ id: "apart", policy: "anti-affinity", scope: "zone", vdus: ["node"] }],
  }),
  objects: flavour(),
};

function loadPackage(location: string): VnfPackage {
  const flavours = { simple: FLAVOURS[location as keyof typeof FLAVOURS] };
  return {
    ...vnfPackage(location, flavours, { "m.yaml": MANIFEST }),
    warnings: [`${location}.yaml: the file has another digest`],
  };
}

describe("VNFs of whose packages and settings a part is ignored", () => {
  afterEach(() => jest.restoreAllMocks());

  it("tell the operator of each, at the VNF or CNF that it is in", async () => {
    const warn = jest.spyOn(pulumi.log, "warn").mockResolvedValue();
    recordResources(clusterOutputs);
    const made = makeVnfs(
      planOf(
        {
          "vnf-a": { package: "servers", heal: { "node-2": "2026-11-21" } },
          "vnf-b": {
            package: "objects",
            vim: { kubeconfig: kubeconfig("x") },
            heal: { all: "2026-11-21" },
            additionalParams: { "lcm-kubernetes-def-files": ["m.yaml"] },
          },
        },
        { loadPackage },
      ),
    );
    await settle();
    const places = new Map<unknown, string>([
      [made["vnf-a"], "vnf-a"],
      [made["vnf-b"], "vnf-b"],
      [made["vnf-b"]?.cnf, "the objects of vnf-b"],
    ]);
    expect(warn.mock.calls.map(([message, at]) => [places.get(at), message])).toEqual([
      ["vnf-a", "servers: servers.yaml: the file has another digest"],
      [
        "vnf-a",
        "vnfm:vnfs.vnf-a: VDU node is created without its storages disk, which are not block storages",
      ],
      ["vnf-a", "vnfm:vnfs.vnf-a: apart applies to compute hosts (nfvi_node), not to zone"],
      [
        "vnf-a",
        "vnfm:vnfs.vnf-a.heal.node-2: there is no such VNFC at this scale level; the trigger value has no effect, remove it",
      ],
      ["vnf-b", "objects: objects.yaml: the file has another digest"],
      [
        "the objects of vnf-b",
        "vnfm:vnfs.vnf-b: m.yaml: Namespace is cluster-scoped; its metadata.namespace is ignored",
      ],
      [
        "the objects of vnf-b",
        "vnfm:vnfs.vnf-b.heal.all: no manifest has a Deployment, StatefulSet or DaemonSet whose pods could be replaced; it is ignored",
      ],
    ]);
  });
});
