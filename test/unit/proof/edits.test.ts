/** The edits that previews are proven with: known by their seed alone, and none that a run would refuse. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filesOf } from "../../../components/gather/project-files";
import { intentOf } from "../../../automation/stack/intent";
import type { Vnfs } from "../../../automation/stack/stack-config";
import { readCounterexample, writeCounterexample } from "../../proof/counterexample";
import { editsOf, type Edit } from "../../proof/edits";
import { modelOf } from "../../proof/model";
import { SERVERS, vnfcsOf, type Config } from "../../proof/servers";

const { base, rules } = SERVERS;
const SEEDS = Array.from({ length: 10 }, (_, seed) => seed);

it("depend on the seed, and not on how many are wanted", () => {
  expect(editsOf(SERVERS, 7, 20).slice(0, 5)).toEqual(editsOf(SERVERS, 7, 5));
  expect(editsOf(SERVERS, 8, 5)).not.toEqual(editsOf(SERVERS, 7, 5));
});

it("have each kind among twenty, begin where the one before has ended, and leave an instance", () => {
  for (const seed of SEEDS) {
    const edits = editsOf(SERVERS, seed, 20);
    expect([...new Set(edits.map(({ kind }) => kind))].sort()).toEqual(Object.keys(rules).sort());
    edits.forEach((edit, i) => {
      expect(edit.before).toBe(edits[i - 1]?.after ?? base);
      expect(Object.keys(edit.after)).not.toEqual([]);
    });
  }
});

it("make configs that are valid", () => {
  const folder = mkdtempSync(join(tmpdir(), "vnfm-edits-"));
  for (const { after } of editsOf(SERVERS, 3, 8)) {
    const vnfs = SERVERS.write(folder, after) as Vnfs;
    const servers = [...intentOf({ vnfs, files: filesOf(folder) }).values()].map(({ plan }) => {
      return "servers" in plan ? plan.servers.map(({ key }) => key) : [];
    });
    expect(servers).toEqual(Object.keys(after).map((vnf) => vnfcsOf(after[vnf])));
  }
});

it("say what they may touch", () => {
  const edit = (kind: string, target: string, after = base): Edit<Config> => {
    return { number: 1, kind, target, before: base, after };
  };
  const mayTouch = (its: Edit<Config>, kind: "server" | "port", vnfc: string, vnf = "one") =>
    rules[its.kind]?.mayTouch({ vnf, vnfc, kind, key: "" }, its);
  const heal = edit("heal", "one app-1");
  expect(mayTouch(heal, "server", "app-1")).toBe(true);
  expect(mayTouch(heal, "port", "app-1")).toBe(false);
  expect(mayTouch(heal, "server", "app-2")).toBe(false);
  expect(mayTouch(heal, "server", "app-1", "two")).toBe(false);
  const scaleIn = edit("scale in", "one", { ...base, one: { ...base["one"]!, level: 0 } });
  expect(mayTouch(scaleIn, "port", "app-2")).toBe(true);
  expect(mayTouch(scaleIn, "port", "app-1")).toBe(false);
});

it("come back from the file of a counterexample", () => {
  const [edit] = editsOf(SERVERS, 1, 1);
  const subject = { vnf: "one", kind: "keyPair", key: "" } as const;
  const model = modelOf([{ subject, identity: "k1", fields: { fingerprint: "a" } }]);
  const counterexample = {
    family: "servers",
    seed: 1,
    edit: edit!,
    preview: { changes: [] },
    differences: [],
    tooWide: [],
  };
  const all = { ...counterexample, before: model, after: new Map() };
  expect(readCounterexample(writeCounterexample(all))).toEqual(all);
});
