import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { create } from "tar";
import { chartProblem } from "../../../components/gather/chart-metadata";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "vnfm-chart-"))));
afterEach(() => rmSync(folder, { recursive: true }));

type Files = Readonly<Record<string, string | Buffer>>;

/** Writes a chart. @returns the path of its folder */
function chart(files: Files, name = "web"): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(folder, name, dirname(path)), { recursive: true });
    writeFileSync(join(folder, name, path), content);
  }
  return join(folder, name);
}

/** Packs a chart as `helm package` does. @returns the path of its archive */
function archive(files: Files, name = "web"): string {
  chart(files, name);
  const file = join(folder, `${name}.tgz`);
  create({ gzip: true, sync: true, cwd: folder, file }, [name]);
  return file;
}

const DEPENDENCIES = "dependencies: [{name: redis, version: 1.0.0}, {name: common, version: 2.x.x}]\n";
const V2 = `apiVersion: v2\nname: web\n${DEPENDENCIES}`;
const packed = (name: string) => readFileSync(archive({ "Chart.yaml": `name: ${name}` }, name));

const PROBLEM = 'and has not them in its folder charts: "helm dependency build" puts them there';

describe.each([
  ["folder", chart],
  ["archive", archive],
])("a chart that is a %s", (_, make) => {
  test.each<[string, () => Files, string | undefined]>([
    ["no dependencies", () => ({ "Chart.yaml": "name: web" }), undefined],
    ["none of its dependencies", () => ({ "Chart.yaml": V2 }), `depends on redis, common, ${PROBLEM}`],
    [
      "one of them, as a folder of another name",
      () => ({ "Chart.yaml": V2, "charts/cache/Chart.yaml": "name: redis" }),
      `depends on common, ${PROBLEM.replace("them in", "it in")}`,
    ],
    [
      "all of them, one as an archive",
      () => ({
        "Chart.yaml": V2,
        "charts/redis-1.0.0.tgz": packed("redis"),
        "charts/common/Chart.yaml": "name: common\ntype: library",
      }),
      undefined,
    ],
    [
      "one that Helm passes over, and what is no chart",
      () => ({
        "Chart.yaml": V2,
        "charts/_redis/Chart.yaml": "name: redis",
        "charts/common.txt": "name: common",
      }),
      `depends on redis, common, ${PROBLEM}`,
    ],
    [
      "those of Helm 2, which are in a file of their own",
      () => ({ "Chart.yaml": "name: web", "requirements.yaml": DEPENDENCIES }),
      `depends on redis, common, ${PROBLEM}`,
    ],
    [
      "what makes it a library",
      () => ({ "Chart.yaml": "name: web\ntype: library" }),
      "is a library chart, which others use and nobody installs; name a chart that depends on it",
    ],
    ["a Chart.yaml that is no YAML, of which Helm tells", () => ({ "Chart.yaml": "name: [" }), undefined],
  ])("with %s", (_, files, problem) => {
    expect(chartProblem(make(files()))).toBe(problem);
  });
});

test("of what is no archive Helm tells", () => {
  expect(chartProblem(join(chart({ "x.tgz": "no archive" }), "x.tgz"))).toBeUndefined();
});
