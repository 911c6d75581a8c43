import { killedWhen, recover, stateOnDisk } from "../support/cut-off";
import { previewFaults } from "../support/preview-schema";
import { TestStack } from "../support/stack";
import type { Counterexample } from "./counterexample";
import { differences, type ProvenPreview } from "./differences";
import type { Edit, Family } from "./edits";
import { changesBeforeKill, differencesOfKilled, type Killed } from "./killed";
import { textOf, type Model } from "./model";

/** Creates a stack with a config of a family. */
export async function begin<Config>(family: Family<Config>, config: Config): Promise<TestStack> {
  const stack = await TestStack.create(`proof-${family.name}`, {});
  stack.configure(family.write(stack.folder, config));
  await stack.mustUp();
  return stack;
}

/**
 * Applies an edit as a pipeline does, with a preview and then the run, and compares the preview with the APIs. The runs
 * of some edits are killed, and completed by a second run.
 */
export async function prove<Config>(
  stack: TestStack,
  family: Family<Config>,
  seed: number,
  edit: Edit<Config>,
  before: Model,
): Promise<Counterexample> {
  stack.configure(family.write(stack.folder, edit.after));
  const rule = family.rules[edit.kind]!;
  const tooWide: string[] = [];
  const announced = async (): Promise<ProvenPreview> => {
    const preview = await previewOf(stack);
    const subjects = preview.changes.flatMap(({ parts }) => parts.map(({ subject }) => subject));
    tooWide.push(...subjects.filter((subject) => !rule.mayTouch(subject, edit)).map(textOf));
    const implied = family.implied?.(preview, edit) ?? [];
    return { changes: [...preview.changes, ...(implied.length === 0 ? [] : [{ parts: implied }])] };
  };
  const preview = await announced();
  const changes = changesBeforeKill(seed, edit.number, preview);
  const isKilled = changes !== undefined && (await killAfter(stack, changes));
  const killed: Killed | undefined = isKilled
    ? { changes, between: await family.observe(stack), preview: await announced() }
    : undefined;
  // this run does not preview again
  const { status, stdout, stderr } = await stack.up("--skip-preview");
  const after = await family.observe(stack);
  return {
    ...{ family: family.name, seed, edit, preview, before, after, tooWide },
    ...(killed && { killed }),
    differences: killed
      ? differencesOfKilled(preview, killed, before, after)
      : differences(preview, before, after),
    ...(status !== 0 && { failure: `pulumi up ended with ${status}:\n${stderr}${stdout}` }),
  };
}

/**
 * Starts the run, kills it after so many changes of the state, and runs `vnfm recover`.
 *
 * @returns false if the run ended before the kill
 * @throws Error if the run failed before the kill
 */
async function killAfter(stack: TestStack, changes: number): Promise<boolean> {
  let [last, seen] = [stateOnDisk(stack), 0];
  const moment = (): boolean => {
    const now = stateOnDisk(stack);
    if (now !== last) [last, seen] = [now, seen + 1];
    return seen >= changes;
  };
  const ended = await killedWhen(stack, stack.upCommand("--skip-preview"), moment, 0);
  if (ended === undefined) {
    await recover(stack);
    return true;
  }
  if (ended.status !== 0)
    throw new Error(`pulumi up ended with ${ended.status}:\n${ended.stderr}${ended.stdout}`);
  return false;
}

export async function previewOf(stack: TestStack): Promise<ProvenPreview> {
  const { status, stdout, stderr } = await stack.vnfm("preview", "--json");
  if (status !== 0) throw new Error(`vnfm preview ended with ${status}:\n${stderr}${stdout}`);
  const document: unknown = JSON.parse(stdout);
  const faults = previewFaults(document);
  if (faults.length > 0) throw new Error(`the preview is not of its schema:\n${faults.join("\n")}`);
  return document as ProvenPreview;
}
