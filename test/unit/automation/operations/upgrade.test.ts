import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { editValue, type Vnfs } from "../../../../automation/stack/stack-config";
import { mastersMade, planUpgrade } from "../../../../automation/operations/upgrade";
import type { UpgradeRequest } from "../../../../automation/operations/upgrade-check";
import { changedClusterPackage } from "../../../support/cluster-package";
import { REPOSITORY } from "../../../support/command";
import { clusterVnf } from "../../../support/configs";
import { IMAGES, MASTERS, plan, PRESENT, runs, TO, TOKEN, vnfs, WORKERS } from "./upgrades";
import { inRepository } from "../in-repository";
import { vnfcsToGo } from "../subjects";

beforeAll(() => process.chdir(REPOSITORY));

const DECLARED = `kubernetes_version ${TO}, masterNode ${IMAGES.masterNode}, workerNode ${IMAGES.workerNode}`;

describe("the runs of an upgrade", () => {
  it("are the version, then masters one at a time, then workers", () => {
    expect(runs(vnfs())).toEqual([DECLARED, ...MASTERS, ...WORKERS]);
  });

  it("declare before anything is replaced", () => {
    const [first] = plan(vnfs());
    expect(first.edits.map(({ path, value }) => `${path.join(".")}=${String(value)}`)).toEqual([
      `additionalParams.k8s_cluster_installation_param.kubernetes_version=${TO}`,
      `images.masterNode=${IMAGES.masterNode}`,
      `images.workerNode=${IMAGES.workerNode}`,
    ]);
    expect(vnfcsToGo(first.allowance, [...MASTERS, ...WORKERS])).toEqual([]);
  });

  it("take workers in batches, with a surge before them and its end after them", () => {
    const [, , , , surge, batch, rest, end] = plan(vnfs(), { batch: 2, surge: 1 });
    expect(surge?.edits).toEqual([{ vnf: "v", path: ["surge", "worker_instance"], value: 1 }]);
    expect(batch?.edits).toEqual(
      ["workerNode-1", "workerNode-2"].map((key) => ({ vnf: "v", path: ["heal", key], value: TOKEN })),
    );
    expect(rest?.what).toBe("workerNode-3");
    expect(end?.edits).toEqual([{ vnf: "v", path: ["surge", "worker_instance"], value: 0 }]);
    // a surge may be smaller than one that was left
    for (const one of [surge, end]) {
      expect(one?.allowance.actions).toEqual(["delete"]);
      const gone = vnfcsToGo(one?.allowance, ["masterNode-1", "workerNode-3", "workerNode-4"]);
      expect(gone).toEqual(["workerNode-4"]);
    }
  });

  it("are the same for a sole master", () => {
    const simple = { v: clusterVnf(2, { kubernetes_version: PRESENT }) } as unknown as Vnfs;
    expect(runs(simple)).toEqual([DECLARED, "masterNode-1", "workerNode-1", "workerNode-2"]);
  });

  it("let go in each what it replaces, and nothing else", () => {
    const [, master] = plan(vnfs());
    expect(master?.allowance.actions).toEqual(["replace", "delete"]);
    expect(vnfcsToGo(master?.allowance, [...MASTERS, ...WORKERS])).toEqual(["masterNode-1"]);
  });

  it("are of the nodes of one VDU where only its image is given", () => {
    const images = { workerNode: "other" };
    const [declared, ...rest] = plan(vnfs(), { to: undefined as never, images });
    expect(declared.what).toBe("workerNode other");
    expect(rest.flatMap(({ edits }) => edits)).toEqual(
      WORKERS.map((key) => ({ vnf: "v", path: ["heal", key], value: "other" })),
    );
  });
});

describe("a new package", () => {
  const folder = mkdtempSync(join(tmpdir(), "vnfm-package-"));
  const location = join(folder, "package");
  const request = { package: location, images: {}, batch: 1, surge: 0 };
  const OLD = "debian-12-kube-v1.33.0";
  const made = new Map([...MASTERS, ...WORKERS].map((key) => [key, OLD]));
  const planOf = (from: Vnfs, more: Partial<UpgradeRequest> = {}, images = made) =>
    planUpgrade(
      inRepository({ vnfs: from }),
      "v",
      { ...request, ...more },
      new Set([...MASTERS, ...WORKERS]),
      images,
    );

  // the workers' VDU is the last one that names an image
  beforeAll(() =>
    changedClusterPackage(location, "ha", (definition) =>
      definition.replace(new RegExp(`${OLD}(?![^]*${OLD})`), "next"),
    ),
  );
  afterAll(() => rmSync(folder, { recursive: true }));

  it("is declared, and the nodes that get another image by it are replaced", () => {
    const [first, ...rest] = planOf(vnfs());
    expect([first.what, first.edits]).toEqual([
      `package ${location}`,
      [{ vnf: "v", path: ["package"], value: location }],
    ]);
    expect(rest.flatMap(({ edits }) => edits)).toEqual(
      WORKERS.map((key) => ({ vnf: "v", path: ["heal", key], value: "next" })),
    );
  });

  it("brings the images of a new version", () => {
    expect(() => planOf(vnfs(), { to: TO })).toThrow(`the image of masterNode (${OLD}) stays the same`);
    const [first, ...rest] = planOf(vnfs(), { to: TO, images: { masterNode: "new" } });
    expect(first.what).toBe(`package ${location}, kubernetes_version ${TO}, masterNode new`);
    expect(rest.flatMap(({ edits }) => edits.map(({ path, value }) => [path.at(-1), value]))).toEqual([
      ...MASTERS.map((key) => [key, `${TO} new`]),
      ...WORKERS.map((key) => [key, `${TO} next`]),
    ]);
  });

  it("goes on with the nodes that have not its image yet", () => {
    const from = vnfs({ package: location, heal: { "workerNode-1": "next", "workerNode-2": "next" } });
    // the first one's successor may have been made and not joined; the second one's was not made
    const images = new Map([...made, ["workerNode-1", "next"]]);
    images.delete("workerNode-2");
    const [first, ...rest] = planOf(from, {}, images);
    expect(first.what).toBe("the rest of an earlier run");
    expect(vnfcsToGo(first.allowance, [...MASTERS, ...WORKERS])).toEqual(["workerNode-1", "workerNode-2"]);
    expect(rest.map(({ what }) => what)).toEqual(["workerNode-3"]);
  });

  it("lets no node go that had its image before, as something else of it may be new", () => {
    const from = vnfs({ heal: Object.fromEntries(WORKERS.map((key) => [key, "next"])) });
    const images = new Map([...made, ...WORKERS.map((key) => [key, "next"] as const)]);
    const [first, ...rest] = planOf(from, {}, images);
    expect(first.what).toBe(`package ${location}`);
    expect(vnfcsToGo(first.allowance, [...MASTERS, ...WORKERS])).toEqual([]);
    expect(rest).toEqual([]);
  });

  it("replaces no node that the stack config names the image of, and says so", () => {
    const [first, ...rest] = planOf(vnfs({ images: { workerNode: OLD } }));
    expect([first.what, rest]).toEqual([`package ${location}`, []]);
    expect(first.warnings).toEqual([
      `v: images.workerNode of the stack config stays ${OLD}; for the image of the package: --image workerNode=next`,
    ]);
    expect(planOf(vnfs())[0].warnings).toEqual([]);
  });

  it("may take the place of one that is gone", () => {
    expect(planOf(vnfs({ package: "no-such-folder" }))[0].what).toBe(`package ${location}`);
  });

  it("leaves what it adds to a later scale where the version changes", () => {
    const four = vnfs({ scale: { master_instance: 0, worker_instance: 3 } });
    expect(() => planOf(four, { to: TO, images: { masterNode: "new" } })).toThrow(
      "workerNode-4 is not in the cluster: run 'pulumi up', or heal it, first; nodes that the new package adds",
    );
  });

  it("must be one", () => {
    expect(() => planOf(vnfs(), { package: "no-such-folder" })).toThrow(
      "VNF package no-such-folder is not valid:\n  there is no such folder or zip",
    );
  });
});

describe("an upgrade that failed", () => {
  /** The stack config once the first runs have been begun. */
  const after = (count: number, request: Partial<UpgradeRequest> = {}): Vnfs =>
    editValue(
      inRepository({ vnfs: vnfs() }),
      plan(vnfs(), request)
        .slice(0, count)
        .flatMap(({ edits }) => edits),
    ).vnfs;

  it("goes on with what is left, and may finish what had begun", () => {
    const [first, ...rest] = plan(after(3));
    expect(first.what).toBe("the rest of an earlier run");
    expect(vnfcsToGo(first.allowance, [...MASTERS, ...WORKERS])).toEqual(["masterNode-1", "masterNode-2"]);
    expect(rest.map(({ what }) => what)).toEqual(["masterNode-3", ...WORKERS]);
  });

  it.each([
    ["the masters that are left", 3, [...MASTERS, ...WORKERS], ["masterNode-3"]],
    [
      "before them the one whose run failed",
      3,
      ["masterNode-1", "masterNode-3"],
      ["masterNode-2", "masterNode-3"],
    ],
    ["none, where workers alone are left", 4, [...MASTERS, ...WORKERS], []],
  ])("still makes %s", (_, done, members, made) => {
    expect(mastersMade(plan(after(done), {}, members), MASTERS, new Set(members))).toEqual(made);
  });

  it("ends a surge that was left, and does not replace its workers", () => {
    const request = { batch: 2, surge: 1 };
    expect(runs(after(6, request), request)).toEqual([
      "the rest of an earlier run",
      "a surge of 1",
      "workerNode-3",
      "the end of the surge",
    ]);
    expect(runs(after(7, request), request)).toEqual(["the rest of an earlier run", "the end of the surge"]);
    expect(runs(after(8, request), request)).toEqual(["the rest of an earlier run"]);
  });

  it("replaces a node that did not come back at once when another image is given", () => {
    const images = { ...IMAGES, masterNode: "mended" };
    const [first, ...rest] = plan(
      after(2),
      { images },
      [...MASTERS, ...WORKERS].filter((key) => key !== "masterNode-1"),
    );
    expect(first.edits).toEqual([
      { vnf: "v", path: ["images", "masterNode"], value: "mended" },
      { vnf: "v", path: ["heal", "masterNode-1"], value: `${TO} mended` },
    ]);
    expect(vnfcsToGo(first.allowance, MASTERS)).toEqual(["masterNode-1"]);
    expect(rest.map(({ what }) => what)).toEqual(["masterNode-2", "masterNode-3", ...WORKERS]);
  });
});
