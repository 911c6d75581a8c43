import { describeFinding } from "../../../../automation/checks/check-words";
import type { PulumiStack } from "../../../../automation/stack/pulumi";
import { release } from "../../../../automation/operations/release";
import { volumeFindings } from "../../../../automation/checks/released-volumes";
import { vimsOf, type StackVim } from "../../../../automation/checks/vims";
import { StackState } from "../../../../automation/stack/stack-state";
import { urn, vnf, VNF } from "../steps";
import { RefusedFault } from "../../../../automation/operations/operation";
import { standIn } from "../../../support/stand-in";

const PROVIDER = "pulumi:providers:kubernetes";
const VOLUME = "kubernetes:core/v1:PersistentVolume";
const PATH = "/api/v1/persistentvolumes/";
const CHOSEN = "pv.kubernetes.io/bound-by-controller";

interface Volume {
  metadata: { name: string; uid: string; annotations?: Record<string, string> };
  spec: { claimRef?: Record<string, string>; persistentVolumeReclaimPolicy: string };
  status: { phase: string };
}

function volume(name: string, phase: string, annotations?: Record<string, string>): Volume {
  return {
    metadata: { name, uid: `uid-${name}`, ...(annotations && { annotations }) },
    spec: {
      claimRef: { namespace: "old", name: "data", uid: "gone", resourceVersion: "9" },
      persistentVolumeReclaimPolicy: "Retain",
    },
    status: { phase },
  };
}

let volumes: Map<string, Volume>;
let patches: [string, unknown][];

/** A cluster that knows volumes, and does as its controller once a patch has let go of one. */
const api = standIn((request, response) => {
  const name = (request.url ?? "").slice(PATH.length);
  let body = "";
  request.on("data", (part: Buffer) => (body += part.toString()));
  request.on("end", () => {
    const found = volumes.get(name);
    if (found !== undefined && request.method === "PATCH") {
      patches.push([`${name} ${request.headers["content-type"]}`, JSON.parse(body)]);
      found.status.phase = "Available";
    }
    response.writeHead(found === undefined ? 404 : 200).end(JSON.stringify(found ?? {}));
  });
});
beforeEach(() => {
  patches = [];
  const all = [
    volume("pv1", "Released", { [CHOSEN]: "yes" }),
    volume("pv2", "Bound"),
    volume("pv3", "Released"),
  ];
  volumes = new Map(all.map((one) => [one.metadata.name, one]));
});

function state() {
  const kubeconfig = JSON.stringify({
    "current-context": "c",
    contexts: [{ name: "c", context: { cluster: "k", user: "u" } }],
    clusters: [{ name: "k", cluster: { server: api.url } }],
    users: [{ name: "u", user: { token: "t" } }],
  });
  const cnf = urn("vnfm:cnf:Cnf", "vnf-b");
  const provider = { urn: urn(PROVIDER, "vnf-a"), type: PROVIDER, parent: VNF, inputs: { kubeconfig } };
  const of = (name: string, parent: string) => {
    return { urn: urn(VOLUME, name), type: VOLUME, parent, id: name, provider: `${provider.urn}::uuid` };
  };
  const components = [
    ...vnf(),
    ...vnf("vnf-b"),
    ...vnf("vnf-c"),
    { urn: cnf, type: "vnfm:cnf:Cnf", parent: urn("vnfm:index:Vnf", "vnf-b") },
  ].map((one) => ({ ...one, custom: false }));
  const custom = [provider, of("pv1", VNF), of("pv2", VNF), of("pv3", cnf)].map((one) => ({
    ...one,
    custom: true,
  }));
  return { deployment: { resources: [...components, ...custom] } };
}

const vim = (): StackVim => vimsOf(new StackState(state()))[0] as StackVim;
const stack = {
  backend: "https://elsewhere.example",
  qualifiedName: "organization/vnfm/t",
  plainState: () => Promise.resolve(state()),
} as unknown as PulumiStack;

describe("PersistentVolumes that are Released", () => {
  it("are looked for among those of each cluster's VNFs", async () => {
    expect(vim()).toMatchObject({
      vnfs: ["vnf-a", "vnf-b"],
      volumes: [
        { vnf: "vnf-a", name: "pv1" },
        { vnf: "vnf-a", name: "pv2" },
        { vnf: "vnf-b", name: "pv3" },
      ],
    });
    const found = await volumeFindings(vim());
    expect(found.map(describeFinding)).toEqual([
      "vnf-a: PersistentVolume pv1 is Released: its PVC old/data was deleted, and no other PVC gets it: run 'vnfm release vnf-a pv1'",
      "vnf-b: PersistentVolume pv3 is Released: its PVC old/data was deleted, and no other PVC gets it: run 'vnfm release vnf-b pv3'",
    ]);
    expect(found.map(({ kind, wayOut, volume }) => [kind, wayOut, volume])).toEqual([
      ["differs", "release", "pv1"],
      ["differs", "release", "pv3"],
    ]);
  });

  it("cannot be told of a cluster that does not answer", async () => {
    const kubeconfig = vim().kubeconfig.replace(/127\.0\.0\.1:\d+/, "127.0.0.1:1");
    const found = await volumeFindings({ ...vim(), kubeconfig });
    expect(found.map(({ kind, text }) => [kind, text])).toEqual([
      [
        "unchecked",
        expect.stringMatching(
          /^whether PersistentVolumes are Released cannot be checked: .*127.0.0.1:1 cannot be/,
        ),
      ],
    ]);
  });

  it("are given to the next claim once that is confirmed, those that named their claim to one of its name", async () => {
    const texts: string[] = [];
    const answer = (is: boolean) => ({
      verb: "release vnf-b",
      confirm: ({ changes }: { changes: readonly { text: string }[] }) => {
        texts.push(...changes.map(({ text }) => text));
        return Promise.resolve(is);
      },
    });
    await expect(release(stack, "vnf-b", ["pv1", "pv3"], answer(false))).rejects.toThrow(
      new RefusedFault({ changes: [], stays: {}, warnings: [], unrequested: [] }),
    );
    expect(patches).toEqual([]);
    await release(stack, "vnf-b", ["pv1", "pv3"], answer(true));
    const tests = (name: string) => [
      { op: "test", path: "/metadata/uid", value: `uid-${name}` },
      { op: "test", path: "/spec/claimRef/uid", value: "gone" },
    ];
    expect(patches).toEqual([
      [
        "pv1 application/json-patch+json",
        [
          ...tests("pv1"),
          { op: "remove", path: "/spec/claimRef" },
          { op: "remove", path: "/metadata/annotations/pv.kubernetes.io~1bound-by-controller" },
        ],
      ],
      [
        "pv3 application/json-patch+json",
        [
          ...tests("pv3"),
          { op: "remove", path: "/spec/claimRef/uid" },
          { op: "remove", path: "/spec/claimRef/resourceVersion" },
        ],
      ],
    ]);
    expect(texts.slice(2)).toEqual([
      "PersistentVolume pv1 becomes available to any PVC that it fits, with the data of old/data, which was deleted",
      "PersistentVolume pv3 becomes available to any PVC that it fits, with the data of old/data, which was deleted",
    ]);
  });

  it.each([
    [
      "vnf-a",
      "pv2",
      'no PersistentVolume "pv2" of the stack is Released with the reclaim policy Retain; those that are: one of pv1, pv3',
    ],
    ["vnf-a", "pv9", 'no PersistentVolume "pv9" of the stack is Released'],
    ["vnf-c", "pv1", "vnf-c is not on a Kubernetes cluster"],
    ["vnf-x", "pv1", 'the stack has not created an instance "vnf-x"'],
  ])("are none of what else there is: %s %s", async (vnf, name, message) => {
    await expect(release(stack, vnf, [name], { verb: "release" })).rejects.toThrow(message);
    expect(patches).toEqual([]);
  });
});
