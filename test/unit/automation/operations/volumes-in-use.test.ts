import type { ScriptName } from "../../../../components/remote/scripts";
import { StackState } from "../../../../automation/stack/stack-state";
import type { Step } from "../../../../automation/stack/steps";
import { volumesInUse } from "../../../../automation/operations/volumes-in-use";
import { AnsweringHosts } from "../answering-hosts";
import { COMMAND, step, urn, vnf, VNF } from "../steps";

const SERVER = "vnfm:kubernetes:StorageServer";
const VOLUMES = "vnfm:kubernetes:PersistentVolumes";

const hosts = new AnsweringHosts();

/** What the scripts of the volumes answer, and that of the storage server, which cannot be asked that. */
const ANSWERS: Readonly<Record<string, string>> = {
  "vnf-a-pv-one-unused": "[ $1 = use ] && echo 'PersistentVolume one is in use by the PVC default/data'",
  "vnf-a-pv-two-unused": ":",
  "vnf-a-pv-three-unused": "exit 255",
  "vnf-a-storage": "exit 1",
};
const SCRIPTS: Readonly<Record<string, ScriptName>> = { "vnf-a-storage": "storage-server.sh" };
const scriptOf = (name: string): ScriptName => SCRIPTS[name] ?? "persistent-volume.sh";

/** The steps of an instance with a storage server and its volumes. */
const steps = (storage: string, ofVolumes: string): Step[] => [
  ...vnf(),
  step("same", SERVER, "vnf-a-storage_server-1", { parent: VNF }),
  step(storage, COMMAND, "vnf-a-storage", { parent: urn(SERVER, "vnf-a-storage_server-1") }),
  step("same", VOLUMES, "vnf-a-pv", { parent: VNF }),
  ...Object.keys(ANSWERS)
    .filter((name) => name.endsWith("-unused"))
    .map((name) => step(ofVolumes, COMMAND, name, { parent: urn(VOLUMES, "vnf-a-pv") })),
];

const state = () =>
  Promise.resolve(
    new StackState({
      deployment: {
        resources: steps("same", "same").map((one) => {
          const name = one.urn.split("::")[3] ?? "";
          const answer = ANSWERS[name];
          if (answer === undefined) return one;
          const environment = { VNFM_SCRIPT: `${scriptOf(name)} 0123456789ab` };
          return { ...one, inputs: { environment, stdin: hosts.answer(name, answer) } };
        }),
      },
    }),
  );

const TOLD = [
  "vnf-a: PersistentVolume one is in use by the PVC default/data",
  "vnf-a: vnfm cannot query whether a PVC uses it: pv-three-unused",
];

it.each([
  ["the storage server is replaced", "replace", "same"],
  ["it is deleted", "delete", "delete"],
  ["volumes are deleted", "same", "delete"],
])("the preview tells which PersistentVolumes claims hold where %s", async (_, storage, ofVolumes) => {
  expect(await volumesInUse(steps(storage, ofVolumes), state)).toEqual(TOLD);
});

it("the preview asks no cluster whose storage stays", async () => {
  const unread = () => Promise.reject<StackState>(new Error("the state is read"));
  expect(await volumesInUse(steps("update", "same"), unread)).toEqual([]);
});
