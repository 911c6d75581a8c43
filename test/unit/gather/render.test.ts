/** What is made of the answer of the Kubernetes plugin that renders charts. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { ChartRenderer, notRendered } from "../../../components/gather/charts";
import { KubernetesPlugin } from "../../../components/gather/kubernetes-plugin";
import { requiredCharts, type RequiredChart } from "../../../components/plan/required-charts";
import { parseSettings } from "../../../components/settings/parse";
import { loadPackage } from "../../support/packages";
import { textOf } from "../../../components/base/findings";
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
/** Documents that the chart makes beside those of `template`. */
let more: object[];
let started: jest.SpyInstance;
let ended: number;

/** Answers of the plugin. */
function template(options: object): Promise<unknown> {
  if (failure !== undefined) return Promise.reject(new Error(failure));
  asked.push(options as Record<string, unknown>);
  const password = { ...object("Secret", "made-up"), data: { password: String(asked.length) } };
  const list = { apiVersion: "v1", kind: "List", items: [object("ConfigMap", "a"), password] };
  const { skip_crd_rendering: withoutDefinitions } = options as { skip_crd_rendering: boolean };
  return Promise.resolve([...(withoutDefinitions ? [] : [definition]), list, null, hook, ...more]);
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vnfm-charts-"));
  [asked, failure, more, ended] = [[], undefined, [], 0];
  const plugin = { template, end: () => void ended++ } as unknown as KubernetesPlugin;
  started = jest.spyOn(KubernetesPlugin, "start").mockResolvedValue(plugin);
  process.chdir(folder);
});

afterEach(() => {
  process.chdir(project);
  rmSync(folder, { recursive: true });
  jest.restoreAllMocks();
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

const required = requiredCharts(settings, { loadPackage });

it("a chart has its objects, its hooks and CRDs aside, and tells which objects are others each time", async () => {
  const charts = await new ChartRenderer().render(required);
  expect(charts.faultsOf("web").map(textOf)).toEqual([]);
  const rendered = charts.get("web", "web");
  expect(rendered?.path).toMatch(/^\.charts\/[0-9a-f]{16}\/web$/);
  expect(rendered?.objects.map(({ metadata }) => metadata.name)).toEqual(["a", "made-up"]);
  expect(rendered?.hooks).toEqual([{ object: hook, events: ["post-install"], random: false }]);
  expect(rendered?.definitions).toEqual([definition]);
  expect(rendered?.random).toEqual(["/Secret//made-up"]);
  expect(asked[0]).toMatchObject({
    ...{ release_name: "web", namespace: "default", chart: "web", kube_version: "v1.34.0" },
    include_test_hook_resources: true,
    values: { password: "hidden" },
  });
});

it("a hook is what Helm takes for one: an annotation of a document, and not of an object in a list", async () => {
  const job = (name: string, events: string) =>
    object("Job", name, { annotations: { "helm.sh/hook": events } });
  const annotations = { "helm.sh/hook": "test" };
  more = [
    { apiVersion: "v1", kind: "List", items: [job("in-a-list", "pre-install")] },
    { apiVersion: "v1", kind: "List", metadata: { annotations }, items: [object("Job", "of-a-list")] },
    job("twice", "Pre-Install, post-upgrade"),
  ];
  const rendered = (await new ChartRenderer().render(required)).get("web", "web");
  expect(rendered?.objects.map(({ metadata }) => metadata.name)).toEqual(["a", "made-up", "in-a-list"]);
  expect(rendered?.hooks.map(({ object, events }) => [object.metadata.name, events])).toEqual([
    ["hook", ["post-install"]],
    ["of-a-list", ["test"]],
    ["twice", ["pre-install", "post-upgrade"]],
  ]);
});

it("a chart is rendered once, by one process that ends, however often it is asked for", async () => {
  const renderer = new ChartRenderer();
  const [one, other] = [await renderer.render(required), await renderer.render(required)];
  // with and without CRDs
  expect(asked).toHaveLength(2);
  expect(started).toHaveBeenCalledTimes(1);
  expect(ended).toBe(1);
  expect(other.get("web", "web")).toBe(one.get("web", "web"));
});

it("a chart that cannot be rendered is a fault of its instance", async () => {
  failure = "it is broken";
  const charts = await new ChartRenderer().render(required);
  expect(charts.get("web", "web")).toBeUndefined();
  expect(charts.faultsOf("web").map(textOf)).toEqual([
    `${required[0]?.request.place.text}: the chart of web cannot be rendered: it is broken`,
  ]);
});

/** Maps in each other. */
const deep = (depth: number): object =>
  Array.from({ length: depth }).reduce<object>((inner) => ({ inner }), {});

it.each<[string, object[], string]>([
  [
    "more objects than a CNF may have",
    Array(2000).fill(hook),
    "it creates 2004 objects; at most 2000 are allowed",
  ],
  ["maps in each other", [deep(250)], "it creates maps and lists nested more than 200 deep"],
  ["an object without metadata", [{ apiVersion: "v1", kind: "Pod" }], "it creates a Pod without metadata"],
  [
    "an object without apiVersion in a list",
    [{ kind: "List", items: [{ kind: "Pod", metadata: {} }] }],
    "it creates a Pod without apiVersion",
  ],
])("a chart that makes %s is a fault", async (_, documents, message) => {
  more = documents;
  const charts = await new ChartRenderer().render(required);
  expect(charts.faultsOf("web").map(textOf)).toEqual([
    `${required[0]?.request.place.text}: the chart of web cannot be rendered: ${message}`,
  ]);
});

it("a chart after one that fails has a process of its own", async () => {
  const [first] = required;
  const both = ["a", "b"].map((name) => ({
    ...first!,
    request: { ...first!.request, name, place: placeOf(name) },
  }));
  const rendered = jest.fn(template).mockRejectedValueOnce(new Error("it takes more than 30 s"));
  const plugin = { template: rendered, end: () => void ended++ } as unknown as KubernetesPlugin;
  started.mockResolvedValue(plugin);
  const charts = await new ChartRenderer().render(both);
  expect(charts.faultsOf("web").map(textOf)).toEqual([
    "a: the chart of a cannot be rendered: it takes more than 30 s",
  ]);
  expect(charts.get("web", "b")?.objects).toHaveLength(2);
  expect([started.mock.calls.length, ended]).toEqual([2, 2]);
});

it.each([
  [false, ""],
  [
    true,
    "; that of the cluster is not known, so a recent one is used: set it as kubernetes_version, in the CNF's additionalParams or for the cluster",
  ],
])(
  "a chart for other versions says how to give that of the cluster, where it is a guess: %s",
  (isAssumed, hint) => {
    const [{ request }] = required as [RequiredChart];
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
  const [first] = required;
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
