import type { PulumiStack } from "../../../../automation/stack/pulumi";
import type { Step } from "../../../../automation/stack/steps";
import { volumesInUse } from "../../../../automation/operations/volumes-in-use";
import { step, urn, vnf, VNF } from "../steps";

const LOCAL = "command:local:Command";
const SERVER = "vnfm:kubernetes:StorageServer";
const VOLUMES = "vnfm:kubernetes:PersistentVolumes";

/** A script that answers here, instead of on a master. */
const script = (use: string) => `uid=x\ncheck() {\n:\n}\n\nuse() {\n${use}\n}\n"$1"\n`;
const SCRIPTS: Readonly<Record<string, string>> = {
  "vnf-a-pv-one-unused": script("echo 'PersistentVolume one is in use by the claim default/data'"),
  "vnf-a-pv-two-unused": script(":"),
  "vnf-a-pv-three-unused": script("exit 255"),
  "vnf-a-storage": "uid=x\ncheck() {\n:\n}\nexit 1",
};

/** The steps of an instance with a storage server and its volumes. */
const steps = (storage: string, ofVolumes: string): Step[] => [
  ...vnf(),
  step("same", SERVER, "vnf-a-storage_server-1", { parent: VNF }),
  step(storage, LOCAL, "vnf-a-storage", { parent: urn(SERVER, "vnf-a-storage_server-1") }),
  step("same", VOLUMES, "vnf-a-pv", { parent: VNF }),
  ...Object.keys(SCRIPTS)
    .filter((name) => name.endsWith("-unused"))
    .map((name) => step(ofVolumes, LOCAL, name, { parent: urn(VOLUMES, "vnf-a-pv") })),
];

const stack = {
  exportPlain: () =>
    Promise.resolve({
      deployment: {
        resources: steps("same", "same").map((one) => {
          const stdin = SCRIPTS[one.urn.split("::")[3] ?? ""];
          return { ...one, ...(stdin !== undefined && { inputs: { stdin } }) };
        }),
      },
    }),
} as unknown as PulumiStack;

const TOLD = [
  "vnf-a: PersistentVolume one is in use by the claim default/data",
  "vnf-a: whether a claim holds it cannot be asked: pv-three-unused",
];

it.each([
  ["the storage server is replaced", "replace", "same"],
  ["it is deleted", "delete", "delete"],
  ["volumes are deleted", "same", "delete"],
])("tells which PersistentVolumes claims hold where %s", async (_, storage, ofVolumes) => {
  expect(await volumesInUse(stack, steps(storage, ofVolumes))).toEqual(TOLD);
});

it("asks no cluster whose storage stays", async () => {
  expect(await volumesInUse({} as PulumiStack, steps("update", "same"))).toEqual([]);
});
