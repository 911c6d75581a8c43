/**
 * Creates, updates and deletes the CRDs of a CNF: `definitions.ts [delete]`. Standard input has the credentials, the
 * owner, and the hash of each CRD by its name; the texts come from handover.ts. It prints the applied CRDs;
 * PULUMI_COMMAND_STDOUT has the previous output: unchanged CRDs are skipped, and those that are missing now are
 * deleted.
 */
import { jsonData } from "../../../base/json";
import { Missing, untilDone } from "../../../base/until";
import { deletionOf } from "../../../kube/client/deletion";
import { ApiError, isPassing, KubeApi, type Access } from "../../../kube/client/kube-api";
import { objectAt, resourcesOf } from "../../../kube/client/read";
import { condition } from "../../../kube/client/status";
import { readInput, startProgram } from "../../../run/program";
import { takeOver } from "./handover";

const PATH = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const PAUSE_MS = 500;
const AT_A_TIME = 4;

/** An annotation of the CNF's CRDs, which all have the same annotations, as they have no resources in the state. */
type Annotation = readonly [key: string, value: string];
type Common = {
  access: Access;
  mine: [owner: Annotation, bundled: Annotation];
  manager: string;
  seconds: number;
};
type Input = Common & { hashes: Record<string, string> };

async function apply(
  { access, mine, manager, seconds, hashes }: Input,
  before: readonly string[],
): Promise<string[]> {
  const api = new KubeApi(access);
  const lines = Object.entries(hashes).map(([name, hash]) => `${hash} ${name}`);
  const changed = lines.filter((line) => !before.includes(line)).map(nameOf);
  const known = before.map(nameOf);
  await each(changed, async (name) => {
    const there = await metadataOf(api, name);
    if (there !== undefined && !known.includes(name)) refuseOwnResource(there, mine, name);
    const text = marked(takeOver(hashes[name] ?? ""), mine);
    await patiently(name, seconds, () => api.apply(`${PATH}/${name}`, text, manager));
  });
  await each(changed, (name) => patiently(name, seconds, () => unestablished(api, name)));
  const gone = known.filter((name) => !(name in hashes));
  await remove(api, gone, { mine, seconds });
  return lines;
}

/** Adds annotations to a CRD, as JSON. */
function marked(text: string, marks: readonly Annotation[]) {
  const definition = jsonData(text, "a definition") as any;
  const { metadata } = definition;
  metadata.annotations = { ...metadata.annotations, ...Object.fromEntries(marks) };
  return JSON.stringify(definition);
}

/**
 * Refuses a CRD that is still a resource of the stack: Pulumi would delete it afterwards, as the program no longer has
 * it.
 */
function refuseOwnResource(
  { annotations = {} }: any,
  [[key, owner], [bundled]]: [Annotation, Annotation],
  name: string,
) {
  if (annotations[key] !== owner || annotations[bundled] !== undefined) return;
  throw new Error(
    `${name} is a separate resource in the state, and would be deleted with all of its custom resources: remove it ` +
      "from the state with 'pulumi state delete', see 'Large CRDs' in docs/cnf-manifests.md",
  );
}

/** Describes the versions of a CRD that the API does not serve yet; undefined if it serves all. */
async function unestablished(api: KubeApi, name: string) {
  const definition = await objectAt(api, `${PATH}/${name}`);
  const { group, names, versions = [] } = definition.spec;
  for (const type of ["NamesAccepted", "Established"]) {
    const found = condition(definition, type);
    if (found?.status !== "True")
      return new Missing(`is not ${type}: ${found?.message ?? "no reason is given"}`);
  }
  for (const { name: version, served } of versions) {
    if (!served) continue;
    const resources = await resourcesOf(api, `${group}/${version}`);
    if (!resources.some((one) => one.name === names?.plural))
      return new Missing(`version ${version} is not served yet`);
  }
  return undefined;
}

/** Deletes the CRDs that still belong to the CNF, and waits until they are deleted. */
async function remove(
  api: KubeApi,
  names: readonly string[],
  { mine, seconds }: Pick<Common, "mine" | "seconds">,
) {
  await each(names, (name) =>
    patiently(name, seconds, async () => {
      const metadata = await metadataOf(api, name);
      const { annotations = {}, deletionTimestamp, uid } = metadata ?? {};
      if (metadata === undefined || !mine.every(([key, value]) => annotations[key] === value))
        return undefined;
      if (deletionTimestamp === undefined) await api.delete(`${PATH}/${name}`, uid);
      return new Missing(deletionOf({ metadata }) ?? "is being deleted");
    }),
  );
}

/** @returns undefined if there is no such CRD */
async function metadataOf(api: KubeApi, name: string): Promise<any> {
  try {
    return (await objectAt(api, `${PATH}/${name}`)).metadata;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

/** Repeats a step until it returns nothing missing, also after temporary errors. */
async function patiently(name: string, seconds: number, step: () => Promise<unknown>) {
  const answer = await untilDone(step, { seconds, pauseMs: PAUSE_MS, passes: isPassing }).catch((error) => {
    throw new Error(`${name}: ${error.message}`);
  });
  if (answer instanceof Missing) throw new Error(`${name}: after ${seconds} s: ${answer.text}`);
}

/** Runs a step for each name, a few at a time, and reports all errors. */
async function each(names: readonly string[], step: (name: string) => Promise<void>) {
  const rest = [...names];
  const faults: string[] = [];
  const worker = async () => {
    for (let name = rest.shift(); name !== undefined; name = rest.shift())
      await step(name).catch((error) => void faults.push(error.message));
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
  if (faults.length > 0) throw new Error(faults.sort().join("\n"));
}

function nameOf(line: string): string {
  return line.split(" ")[1] ?? "";
}

async function main() {
  const input = readInput<Input & { names: string[] }>();
  if (process.argv[2] === "delete") return remove(new KubeApi(input.access), input.names, input);
  const before = (process.env.PULUMI_COMMAND_STDOUT ?? "").split("\n").filter(Boolean);
  process.stdout.write((await apply(input, before)).join("\n"));
}

startProgram(main);
