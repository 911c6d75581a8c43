/** The edits that previews are proven with: known by their seed alone, and none that a run would refuse. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filesOf } from "../../../components/gather/project-files";
import { intentOf } from "../../../automation/stack/intent";
import type { Part } from "../../../automation/changes/changes";
import type { PartKind } from "../../../automation/changes/kinds";
import type { Subject } from "../../../automation/changes/subject";
import type { Vnfs } from "../../../automation/stack/stack-config";
import { CLUSTER, workersOf } from "../../proof/cluster";
import { WEB_CNF } from "../../proof/cnf";
import { readCounterexample, writeCounterexample } from "../../proof/counterexample";
import { editsOf, type Edit, type Family } from "../../proof/edits";
import { modelOf } from "../../proof/model";
import { REPOSITORY } from "../../support/command";
import { inRepository } from "../automation/in-repository";
import { SERVERS, vnfcsOf, type Config } from "../../proof/servers";

const { base, rules } = SERVERS;
const SEEDS = Array.from({ length: 10 }, (_, seed) => seed);

it("depend on the seed, and not on how many are wanted", () => {
  expect(editsOf(SERVERS, 7, 20).slice(0, 5)).toEqual(editsOf(SERVERS, 7, 5));
  expect(editsOf(SERVERS, 8, 5)).not.toEqual(editsOf(SERVERS, 7, 5));
});

it.each<[string, Family<unknown>]>([
  ["servers", SERVERS],
  ["a cluster", CLUSTER],
  ["a CNF", WEB_CNF],
])("have each kind of %s among twenty", (_, family) => {
  for (const seed of SEEDS) {
    const kinds = new Set(editsOf(family, seed, 20).map(({ kind }) => kind));
    expect([...kinds].sort()).toEqual(Object.keys(family.rules).sort());
  }
});

it("begin where the one before has ended, and leave an instance", () => {
  for (const seed of SEEDS) {
    const edits = editsOf(SERVERS, seed, 20);
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

it("make clusters that are valid", () => {
  process.chdir(REPOSITORY);
  for (const { after } of editsOf(CLUSTER, 3, 8)) {
    const vnfs = CLUSTER.write("", after) as Vnfs;
    const [vnf] = [...intentOf(inRepository({ vnfs })).values()];
    expect(vnf?.vnfcs).toEqual(["masterNode-1", ...workersOf(after)]);
  }
});

it("announce the Nodes that come and go with servers, and the groups whose rules change", () => {
  const subject = (kind: PartKind, key: string, vnfc?: string): Subject => {
    return { vnf: "vnf-a", ...(vnfc !== undefined && { vnfc }), kind, key };
  };
  const parts: Part[] = [
    { action: "replace", subject: subject("server", "", "workerNode-1") },
    { action: "update", subject: subject("script", "labels", "workerNode-1") },
    { action: "update", subject: subject("script", "labels", "workerNode-2") },
    { action: "update", subject: subject("server", "", "workerNode-2") },
    { action: "create", subject: subject("securityGroupRule", "masters-tcp-6443") },
    { action: "delete", subject: subject("securityGroupRule", "masters-udp-1") },
    { action: "delete", subject: subject("securityGroupRule", "tcp-22") },
  ];
  const [edit] = editsOf(CLUSTER, 1, 1);
  const implied = CLUSTER.implied?.({ changes: [{ parts }] }, { ...edit!, kind: "label" }) ?? [];
  expect(
    implied.map(({ action, subject: { kind, key }, differs = [] }) => [action, kind, key, ...differs]),
  ).toEqual([
    ["replace", "object", "Node vnf-a-workernode-1"],
    ["update", "object", "Node vnf-a-workernode-2", "metadata"],
    ["update", "securityGroup", "masters", "rules"],
    ["update", "securityGroup", "", "rules"],
  ]);
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
  const subject = { vnf: "one", kind: "applicationCredential", key: "" } as const;
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
  const killed = { ...all, killed: { changes: 4, between: model, preview: { changes: [] } } };
  expect(readCounterexample(writeCounterexample(killed))).toEqual(killed);
});
