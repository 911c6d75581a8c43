/** Charts of a project, next to Pulumi.yaml. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { placeChart } from "../../../components/gather/chart-files";
import { openProjectChart } from "../../../components/gather/project-chart";
import { filesOf } from "../../../components/gather/project-files";
import { requiredCharts } from "../../../components/plan/required-charts";
import { parseSettings } from "../../../components/settings/parse";

const before = process.cwd();
let project: string;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "vnfm-project-"));
  mkdirSync(join(project, "charts/mine/templates"), { recursive: true });
  writeFileSync(join(project, "charts/mine/Chart.yaml"), "apiVersion: v2\nname: mine\nversion: 1.0.0\n");
  writeFileSync(join(project, "charts/mine/templates/a.yaml"), "kind: ConfigMap\n");
  writeFileSync(join(project, "mine-1.0.0.tgz"), "an archive");
});

afterEach(() => {
  process.chdir(before);
  rmSync(project, { recursive: true });
});

/** Names of the files that a path gives. */
const listed = (path: string) => openProjectChart(path, project)?.list();

it("the chart has the files of a folder, and an archive alone", () => {
  expect(listed("charts/mine")).toEqual(["charts/mine/Chart.yaml", "charts/mine/templates/a.yaml"]);
  expect(openProjectChart("charts/mine", project)?.read("charts/mine/templates/a.yaml").toString()).toBe(
    "kind: ConfigMap\n",
  );
  expect(listed("mine-1.0.0.tgz")).toEqual(["mine-1.0.0.tgz"]);
  expect(openProjectChart("mine-1.0.0.tgz", project)?.read("mine-1.0.0.tgz").toString()).toBe("an archive");
});

it("the chart is none where there is no such folder, and not the whole project", () => {
  for (const path of ["charts/yours", "", ".", "charts/.."])
    expect([path, listed(path)]).toEqual([path, undefined]);
});

it("the chart has no file that a link leads to outside of the chart", () => {
  writeFileSync(join(project, "secret"), "hidden");
  symlinkSync("../../secret", join(project, "charts/mine/values.yaml"));
  const files = openProjectChart("charts/mine", project);
  expect(() => files?.read("charts/mine/values.yaml")).toThrow("is a link to a target outside the package");
});

/** The first chart that a stack config wants of a package, with this path. */
function wanted(package_: string, path: string) {
  const chart = { helmreleasename: "web", helmchartfile_path: path };
  const { settings } = parseSettings({
    web: { package: package_, vim: "vnf-a", additionalParams: { using_helm_install_param: [chart] } },
  });
  expect(settings.faults).toEqual([]);
  return requiredCharts(settings, filesOf(""))[0];
}

it("the chart is the chart of a release whose package has none of that path, by its content", async () => {
  process.chdir(project);
  const { request, files } = wanted("vnf-packages/helm-release", "charts/mine") ?? {};
  if (request === undefined) throw new Error("no chart is wanted");
  const placed = await placeChart(request, files);
  expect(placed).toMatch(/^\.charts\/[0-9a-f]{16}\/mine$/);
  expect(readFileSync(join(placed, "templates/a.yaml"), "utf8")).toBe("kind: ConfigMap\n");
});

it("the chart is not in the place of a chart of the package", () => {
  mkdirSync(join(project, "Files/charts/web"), { recursive: true });
  process.chdir(project);
  expect(wanted("vnf-packages/web-cnf", "Files/charts/web")?.files?.has("Files/charts/web/values.yaml")).toBe(
    true,
  );
});

it("the chart is missing where it is neither in the package nor next to Pulumi.yaml", () => {
  process.chdir(project);
  expect(wanted("vnf-packages/helm-release", "charts/yours")).toBeUndefined();
});
