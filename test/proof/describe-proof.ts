import { announceSeed, SEED } from "../support/seed";
import type { TestStack } from "../support/stack";
import { faultsOf, writeCounterexample, type Counterexample } from "./counterexample";
import { differences } from "./differences";
import { editsOf, sayEdit, type Family } from "./edits";
import type { Model } from "./model";
import { plantedFaults } from "./planted";
import { begin, previewOf, prove } from "./run";

const SAID = process.env["PROOF_EDITS"];

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
  const count = SAID === undefined ? most : Number(SAID);
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
      const its = await prove(stack, family, SEED, edit, model);
      model = its.after;
      proven.push(its);
      const faults = faultsOf(its);
      const seconds = Math.round((Date.now() - begun) / 1000);
      const end = its.killed ? `, killed after ${its.killed.changes} changes of the state` : "";
      process.stderr.write(`${sayEdit(edit)}${end}: ${faults.length} differences, ${seconds} s\n`);
      for (const fault of faults) process.stderr.write(`  ${fault}\n`);
      if (faults.length > 0) wrong.push(sayEdit(edit), ...faults, writeCounterexample(its));
      // the next edit cannot start from a half-finished one
      if (its.failure !== undefined) break;
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
