import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { create } from "tar";
import { limits } from "../../../components/base/limits";
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

const PROBLEM = 'and does not contain them in its folder charts: "helm dependency build" adds them';

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
      "is a library chart, which cannot be installed; use a chart that depends on it",
    ],
    ["a Chart.yaml that is no YAML, of which Helm tells", () => ({ "Chart.yaml": "name: [" }), undefined],
  ])("with %s", (_, files, problem) => {
    expect(chartProblem(make(files()))).toBe(problem);
  });
});

test("a file that is no archive is left for Helm to report", () => {
  expect(chartProblem(join(chart({ "x.tgz": "no archive" }), "x.tgz"))).toBeUndefined();
});

/** An archive of a chart of that name, as the content of a file. */
const packedOf = (name: string, files: Files = {}) =>
  readFileSync(archive({ "Chart.yaml": `name: ${name}`, ...files }, name));

const KIB = 1024;
const TOO_LARGE = "has more than 1048576 bytes when unpacked, including its dependencies, which is the limit";

describe("the budget of a chart's archives", () => {
  beforeEach(() => void jest.replaceProperty(limits, "chartInflatedBytes", 1024 * KIB));
  afterEach(() => jest.restoreAllMocks());

  test("is one for the chart and its subcharts, wherever they are", () => {
    const part = packedOf("part", { "values.yaml": Buffer.alloc(300 * KIB) });
    const web = (count: number) => ({
      "Chart.yaml": "name: web",
      ...Object.fromEntries(
        Array.from({ length: count }, (_, i) => [`charts/${i % 2 ? "" : "sub/charts/"}p${i}.tgz`, part]),
      ),
    });
    expect(chartProblem(archive(web(3), "few"))).toBeUndefined();
    expect(chartProblem(archive(web(4), "web"))).toBe(TOO_LARGE);
    expect(chartProblem(chart(web(4), "folder"))).toBe(TOO_LARGE);
  });

  test("counts nothing that Helm does not open", () => {
    const part = packedOf("part", { "values.yaml": Buffer.alloc(600 * KIB) });
    const files = ["charts/_a.tgz", "charts/.b.tgz", "files/c.tgz", "charts/_sub/charts/d.tgz"];
    const web = { "Chart.yaml": "name: web", ...Object.fromEntries(files.map((path) => [path, part])) };
    expect(chartProblem(archive(web))).toBeUndefined();
  });

  test("has an end where archives are in each other", () => {
    let inner = packedOf("c0");
    for (let i = 1; i < 12; i++) inner = packedOf(`c${i}`, { "charts/inner.tgz": inner });
    const path = archive({ "Chart.yaml": "name: web", "charts/inner.tgz": inner });
    expect(chartProblem(path)).toBe("contains archives of charts inside each other, more than 10 deep");
  });

  test("is not passed by content that is compressed twice, which Helm takes for no archive", () => {
    const library = () => readFileSync(archive({ "Chart.yaml": "name: web\ntype: library" }));
    const once = join(chart({ "once.tgz": library() }, "x"), "once.tgz");
    const twice = join(chart({ "twice.tgz": gzipSync(library()) }, "x"), "twice.tgz");
    expect([chartProblem(once), chartProblem(twice)]).toEqual([
      expect.stringContaining("is a library chart"),
      undefined,
    ]);
  });
});
