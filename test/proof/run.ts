import { previewFaults } from "../support/preview-schema";
import { TestStack } from "../support/stack";
import type { Counterexample } from "./counterexample";
import { differences, type ProvenPreview } from "./differences";
import type { Edit, Family } from "./edits";
import { textOf, type Model } from "./model";

/** A stack with a config of a family. */
export async function begin<Config>(family: Family<Config>, config: Config): Promise<TestStack> {
  const stack = await TestStack.create(`proof-${family.name}`, {});
  stack.configure(family.write(stack.folder, config));
  await stack.mustUp();
  return stack;
}

/** Makes an edit as a pipeline does, with a preview and then the run, and holds the preview against the APIs. */
export async function prove<Config>(
  stack: TestStack,
  family: Family<Config>,
  seed: number,
  edit: Edit<Config>,
  before: Model,
): Promise<Counterexample> {
  stack.configure(family.write(stack.folder, edit.after));
  const preview = await previewOf(stack);
  // the run has no second one
  const { status, stdout, stderr } = await stack.up("--skip-preview");
  const after = await family.observe(stack);
  const subjects = preview.changes.flatMap(({ parts }) => parts.map(({ subject }) => subject));
  const rule = family.rules[edit.kind]!;
  const tooWide = subjects.filter((subject) => !rule.mayTouch(subject, edit)).map(textOf);
  return {
    ...{ family: family.name, seed, edit, preview, before, after, tooWide },
    differences: differences(preview, before, after),
    ...(status !== 0 && { failure: `pulumi up ended with ${status}:\n${stderr}${stdout}` }),
  };
}

export async function previewOf(stack: TestStack): Promise<ProvenPreview> {
  const { status, stdout, stderr } = await stack.vnfm("preview", "--json");
  if (status !== 0) throw new Error(`vnfm preview ended with ${status}:\n${stderr}${stdout}`);
  const document: unknown = JSON.parse(stdout);
  const faults = previewFaults(document);
  if (faults.length > 0) throw new Error(`the preview is not of its schema:\n${faults.join("\n")}`);
  return document as ProvenPreview;
}
