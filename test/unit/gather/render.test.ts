/** What is made of the answer of the Kubernetes plugin that renders charts. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { ChartRenderer, notRendered } from "../../../components/gather/charts";
import { wantedCharts, type WantedChart } from "../../../components/plan/wanted-charts";
import { parseSettings } from "../../../components/settings/parse";
import { loadPackage } from "../../support/packages";
import { textOf } from "../../../components/findings";
import { placeOf } from "../places";

const object = (kind: string, name: string, more: object = {}) => ({
  apiVersion: "v1",
  kind,
  metadata: { name, ...more },
});
const definition = { ...object("CustomResourceDefinition", "d"), apiVersion: "apiextensions.k8s.io/v1" };
const hook = object("Job", "hook", { annotations: { "helm.sh/hook": "post-install" } });

const project = process.cwd();
let folder: string;
let asked: Record<string, unknown>[];
let failure: string | undefined;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "vnfm-charts-"));
  [asked, failure] = [[], undefined];
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs as object }),
    call: ({ inputs }) => {
      if (failure !== undefined) throw new Error(failure);
      const options = JSON.parse((inputs as { jsonOpts: string }).jsonOpts) as Record<string, unknown>;
      asked.push(options);
      const password = { ...object("Secret", "made-up"), data: { password: String(asked.length) } };
      const list = { apiVersion: "v1", kind: "List", items: [object("ConfigMap", "a"), password, hook] };
      return { result: options["skip_crd_rendering"] === true ? [list, null] : [definition, list] };
    },
  });
  process.chdir(folder);
});

afterEach(() => {
  process.chdir(project);
  rmSync(folder, { recursive: true });
});

const { settings } = parseSettings({
  web: {
    package: resolve("vnf-packages/web-cnf"),
    vim: "vnf-a",
    additionalParams: {
      using_helm_install_param: [
        {
          helmreleasename: "web",
          helmchartfile_path: "Files/charts/web",
          secret_values: { password: "hidden" },
        },
      ],
    },
  },
});

const wanted = wantedCharts(settings, { loadPackage });

it("its objects are those of the release, without hooks; CRDs aside, and what is another one each time told", async () => {
  const charts = await new ChartRenderer().render(wanted);
  expect(charts.faultsOf("web").map(textOf)).toEqual([]);
  const rendered = charts.get("web", "web");
  expect(rendered?.path).toMatch(/^\.charts\/[0-9a-f]{16}\/web$/);
  expect(rendered?.objects.map(({ metadata }) => metadata.name)).toEqual(["a", "made-up"]);
  expect(rendered?.definitions).toEqual([definition]);
  expect(rendered?.random).toEqual(["/Secret//made-up"]);
  expect(asked[0]).toMatchObject({
    ...{ release_name: "web", namespace: "default", chart: "web", kube_version: "v1.34.0" },
    values: { password: "hidden" },
  });
});

it("it is rendered once, by one provider, however often it is asked for", async () => {
  const renderer = new ChartRenderer();
  const before = asked.length;
  const [one, other] = [await renderer.render(wanted), await renderer.render(wanted)];
  // with and without CRDs
  expect(asked.length - before).toBe(2);
  expect(other.get("web", "web")).toBe(one.get("web", "web"));
});

it("a chart that cannot be rendered is a fault of its instance", async () => {
  failure = "it is broken";
  const charts = await new ChartRenderer().render(wanted);
  expect(charts.get("web", "web")).toBeUndefined();
  expect(charts.faultsOf("web").map(textOf)).toEqual([
    expect.stringMatching(/using_helm_install_param\[0\]: the chart of web cannot be rendered: /),
  ]);
});

it.each([
  [false, ""],
  [
    true,
    "; that of the cluster is not known, and so a new one is taken: give it as kubernetes_version, of the CNF's additionalParams or of the cluster",
  ],
])(
  "a chart for other versions says how to give that of the cluster, where it is a guess: %s",
  (isAssumed, hint) => {
    const [{ request }] = wanted as [WantedChart];
    const error = new Error(
      "failed to create chart from template: chart requires kubeVersion: <1.33.0, not v1.34.0 hidden",
    );
    expect(notRendered(error, { request, isAssumed }).message).toBe(
      `${request.place.text}: the chart of web cannot be rendered: chart requires kubeVersion: <1.33.0, not v1.34.0 [secret]${hint}`,
    );
  },
);

it("faults are in the order of the charts, whichever is known first", async () => {
  failure = "it is broken";
  const [first] = wanted;
  const both = ["a", "b"].map((name) => ({
    ...first!,
    request: { ...first!.request, name, place: placeOf(name) },
  }));
  const charts = await new ChartRenderer().render(both);
  expect(charts.faultsOf("web").map(textOf)).toEqual([
    expect.stringMatching(/^a: the chart of a cannot be rendered: /),
    expect.stringMatching(/^b: the chart of b cannot be rendered: /),
  ]);
});
