import { announceSeed, SEED } from "../support/seed";
import type { TestStack } from "../support/stack";
import { faultsOf, writeCounterexample, type Counterexample } from "./counterexample";
import { differences } from "./differences";
import { editsOf, editText, type Family } from "./edits";
import type { Model } from "./model";
import { plantedFaults } from "./planted";
import { begin, previewOf, prove } from "./run";

const EDITS = process.env["PROOF_EDITS"];

/**
 * Declares the tests that prove previews for a family of configs.
 *
 * @param most number of edits, unless PROOF_EDITS sets it
 * @returns the stack and its resources, for further tests
 */
export function describeProof<Config>(
  family: Family<Config>,
  most = 20,
): () => { stack: TestStack; model: Model } {
  const count = EDITS === undefined ? most : Number(EDITS);
  let stack: TestStack;
  let model: Model;
  const proven: Counterexample[] = [];

  jest.setTimeout((10 + 3 * count) * 60_000);

  beforeAll(async () => {
    announceSeed();
    stack = await begin(family, family.base);
    model = await family.observe(stack);
  });

  afterAll(async () => {
    await stack?.remove();
  });

  it(`a preview says what then differs, of ${count} edits by chance`, async () => {
    const wrong: string[] = [];
    for (const edit of editsOf(family, SEED, count)) {
      const begun = Date.now();
      const result = await prove(stack, family, SEED, edit, model);
      model = result.after;
      proven.push(result);
      const faults = faultsOf(result);
      const seconds = Math.round((Date.now() - begun) / 1000);
      const end = result.killed ? `, killed after ${result.killed.changes} changes of the state` : "";
      process.stderr.write(`${editText(edit)}${end}: ${faults.length} differences, ${seconds} s\n`);
      for (const fault of faults) process.stderr.write(`  ${fault}\n`);
      if (faults.length > 0) wrong.push(editText(edit), ...faults, writeCounterexample(result));
      // the next edit cannot start from a half-finished one
      if (result.failure !== undefined) break;
    }
    expect(wrong).toEqual([]);
    expect((await previewOf(stack)).changes).toEqual([]);
  });

  it("a preview that leaves a part out, or names one more, is not true of these edits", () => {
    const faults = proven.filter(({ killed }) => killed === undefined).flatMap(plantedFaults);
    expect(faults.length).toBeGreaterThan(count);
    const missed = faults.filter(
      ({ preview, before, after }) => differences(preview, before, after).length === 0,
    );
    expect(missed.map(({ fault }) => fault)).toEqual([]);
  });

  return () => ({ stack, model });
}
