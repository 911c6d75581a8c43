import { TestStack } from "../support/stack";
import { NAMES, writeConfig, type Config } from "./config";
import type { Counterexample } from "./counterexample";
import { differences, type ProvenPreview } from "./differences";
import { mayTouch, type Edit } from "./edits";
import { textOf, type Model } from "./model";
import { observe } from "./observe";

/** A stack with the config that the edits begin with. */
export async function begin(base: Config): Promise<TestStack> {
  const stack = await TestStack.create("proof", {});
  stack.configure(writeConfig(stack.folder, base));
  await stack.mustUp();
  return stack;
}

export const look = (stack: TestStack): Promise<Model> => observe(stack.cloud, NAMES);

/** Makes an edit as a pipeline does, with a preview and then the run, and holds the preview against the cloud. */
export async function prove(
  stack: TestStack,
  seed: number,
  edit: Edit,
  before: Model,
): Promise<Counterexample> {
  stack.configure(writeConfig(stack.folder, edit.after));
  const preview = await previewOf(stack);
  await stack.mustUp();
  const after = await look(stack);
  const subjects = preview.changes.flatMap(({ parts }) => parts.map(({ subject }) => subject));
  const tooWide = subjects.filter((subject) => !mayTouch(edit, subject)).map(textOf);
  return { seed, edit, preview, before, after, differences: differences(preview, before, after), tooWide };
}

export async function previewOf(stack: TestStack): Promise<ProvenPreview> {
  const { status, stdout, stderr } = await stack.vnfm("preview", "--json");
  if (status !== 0) throw new Error(`vnfm preview ended with ${status}:\n${stderr}${stdout}`);
  return JSON.parse(stdout) as ProvenPreview;
}
