/** The edits that previews are proven with: known by their seed alone, and none that a run would refuse. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filesOf } from "../../../components/gather/project-files";
import { intentOf } from "../../../automation/stack/intent";
import type { Vnfs } from "../../../automation/stack/stack-config";
import { BASE, vnfcsOf, writeConfig } from "../../proof/config";
import { readCounterexample, writeCounterexample } from "../../proof/counterexample";
import { editsOf, KINDS, mayTouch, type Edit } from "../../proof/edits";
import { modelOf } from "../../proof/model";

const SEEDS = Array.from({ length: 10 }, (_, seed) => seed);

it("depend on the seed, and not on how many are wanted", () => {
  expect(editsOf(7, 20, BASE).slice(0, 5)).toEqual(editsOf(7, 5, BASE));
  expect(editsOf(8, 5, BASE)).not.toEqual(editsOf(7, 5, BASE));
});

it("have each kind among twenty, begin where the one before has ended, and leave an instance", () => {
  for (const seed of SEEDS) {
    const edits = editsOf(seed, 20, BASE);
    expect([...new Set(edits.map(({ kind }) => kind))].sort()).toEqual([...KINDS].sort());
    edits.forEach((edit, i) => {
      expect(edit.before).toBe(edits[i - 1]?.after ?? BASE);
      expect(Object.keys(edit.after)).not.toEqual([]);
    });
  }
});

it("make configs that are valid", () => {
  const folder = mkdtempSync(join(tmpdir(), "vnfm-edits-"));
  for (const { after } of editsOf(3, 8, BASE)) {
    const vnfs = writeConfig(folder, after) as Vnfs;
    const servers = [...intentOf({ vnfs, files: filesOf(folder) }).values()].map(({ plan }) => {
      return "servers" in plan ? plan.servers.map(({ key }) => key) : [];
    });
    expect(servers).toEqual(Object.keys(after).map((vnf) => vnfcsOf(after[vnf])));
  }
});

it("say what they may touch", () => {
  const heal: Edit = { number: 1, kind: "heal", vnf: "one", vnfc: "app-1", before: BASE, after: BASE };
  const of = (kind: "server" | "port", vnfc: string, vnf = "one") => ({ vnf, vnfc, kind, key: "" });
  expect(mayTouch(heal, of("server", "app-1"))).toBe(true);
  for (const other of [of("port", "app-1"), of("server", "app-2"), of("server", "app-1", "two")])
    expect(mayTouch(heal, other)).toBe(false);
  const smaller = { ...BASE, one: { ...BASE["one"]!, level: 0 } };
  const scaleIn: Edit = { number: 1, kind: "scale in", vnf: "one", before: BASE, after: smaller };
  expect(mayTouch(scaleIn, of("port", "app-2"))).toBe(true);
  expect(mayTouch(scaleIn, of("port", "app-1"))).toBe(false);
});

it("come back from the file of a counterexample", () => {
  const [edit] = editsOf(1, 1, BASE);
  const subject = { vnf: "one", kind: "keyPair", key: "" } as const;
  const model = modelOf([{ subject, identity: "k1", fields: { fingerprint: "a" } }]);
  const counterexample = { seed: 1, edit: edit!, preview: { changes: [] }, differences: [], tooWide: [] };
  const all = { ...counterexample, before: model, after: new Map() };
  expect(readCounterexample(writeCounterexample(all))).toEqual(all);
});
