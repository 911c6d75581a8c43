/**
 * The proof of previews: after each of many edits, drawn by chance, what `vnfm preview --json` has said is what differs in
 * Nova, Neutron and Cinder, and nothing else differs. The state is not asked. PROOF_EDITS says how many, VNFM_SEED which;
 * the file of a counterexample is for `npm run proof -- FILE`.
 */
import { writeCounterexample, type Counterexample } from "../../proof/counterexample";
import { differences, sayDifference } from "../../proof/differences";
import { editsOf, sayEdit } from "../../proof/edits";
import type { Model } from "../../proof/model";
import { plantedFaults } from "../../proof/planted";
import { begin, previewOf, prove } from "../../proof/run";
import { SERVERS } from "../../proof/servers";
import { announceSeed, SEED } from "../../support/seed";
import type { TestStack } from "../../support/stack";

const EDITS = Number(process.env["PROOF_EDITS"] ?? 20);

jest.setTimeout((5 + 2 * EDITS) * 60_000);

let stack: TestStack;
let model: Model;
const proven: Counterexample[] = [];

beforeAll(async () => {
  announceSeed();
  stack = await begin(SERVERS, SERVERS.base);
  model = await SERVERS.observe(stack);
});

afterAll(async () => {
  await stack?.remove();
});

it(`a preview says what then differs in the cloud, of ${EDITS} edits by chance`, async () => {
  const wrong: string[] = [];
  for (const edit of editsOf(SERVERS, SEED, EDITS)) {
    const begun = Date.now();
    const its = await prove(stack, SERVERS, SEED, edit, model);
    model = its.after;
    proven.push(its);
    const faults = [...its.differences.map(sayDifference), ...its.tooWide.map((one) => `too wide: ${one}`)];
    process.stderr.write(`${sayEdit(edit)}: ${faults.length} differences, ${Date.now() - begun} ms\n`);
    if (faults.length > 0) wrong.push(sayEdit(edit), ...faults, writeCounterexample(its));
  }
  expect(wrong).toEqual([]);
  expect((await previewOf(stack)).changes).toEqual([]);
});

it("a preview that leaves a part out, or names one more, does not agree with the cloud", () => {
  const faults = proven.flatMap(plantedFaults);
  expect(faults.length).toBeGreaterThan(EDITS);
  const missed = faults.filter(
    ({ preview, before, after }) => differences(preview, before, after).length === 0,
  );
  expect(missed.map(({ fault }) => fault)).toEqual([]);
});

it("a port that somebody changes while a run is under way is a difference", async () => {
  const [port] = [...model].filter(
    ([, { subject }]) => subject.kind === "port" && subject.vnfc !== undefined,
  );
  if (port === undefined) throw new Error("there is no port");
  const [subject, { identity }] = port;
  const set = (up: boolean) =>
    stack.cloud.put("network", `/v2.0/ports/${identity}`, { port: { admin_state_up: up } });
  await set(false);
  const found = differences({ changes: [] }, model, await SERVERS.observe(stack));
  await set(true);
  expect(found).toEqual([{ kind: "unannounced", subject, announced: [], effect: "changed", fields: ["up"] }]);
});
