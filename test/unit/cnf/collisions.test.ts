import type { KubeObject } from "../../../components/kube/objects/object";
import type { CnfPlan } from "../../../components/plan/workload/model";
import { checkCollisions } from "../../../components/plan/workload/cnf-collisions";
import { planRelease } from "../../../components/plan/workload/planned-release";
import type { ChartHook } from "../../../components/plan/workload/releases";
import { planned } from "./support";
import { placeOf, recorded } from "../places";

const yaml = "{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}}";
const collisionsOf = (plans: readonly CnfPlan[]) => recorded((found) => checkCollisions(plans, found));
const plan = (instance: string, manifest: string, namespace?: string): CnfPlan =>
  planned(manifest, { instance, ...(namespace !== undefined && { params: { namespace } }) }).plan;

test("two CNFs of one package in namespaces of their own do not collide", () => {
  expect(collisionsOf([plan("a", yaml, "red"), plan("b", yaml, "blue")])).toEqual([]);
});

test("in one namespace they do", () => {
  expect(collisionsOf([plan("a", yaml), plan("b", yaml)])).toEqual([
    "vnfm:vnfs.b.additionalParams.namespace: Deployment default/web is also defined by a, on the same cluster; use a separate namespace for b",
  ]);
});

test("objects of the cluster collide whatever the namespace", () => {
  const role = "{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: r}}";
  expect(collisionsOf([plan("a", role, "red"), plan("b", role, "blue")])).toEqual([
    "vnfm:vnfs.b.additionalParams.namespace: ClusterRole r is also defined by a, on the same cluster; it belongs to no namespace, so a separate namespace does not help: remove it from one of the two",
  ]);
});

test("a namespace in the manifest is the reason of a collision in it", () => {
  const own = "{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: own}}";
  expect(collisionsOf([plan("a", own, "red"), plan("b", own, "blue")])).toEqual([
    "vnfm:vnfs.b.additionalParams.namespace: ConfigMap own/c is also defined by a, on the same cluster; its manifest sets the namespace; set namespace and override_namespace, or remove it from the manifest",
  ]);
});

test("two versions of one kind are one object", () => {
  const hpa = (version: string): string =>
    `{apiVersion: autoscaling/${version}, kind: HorizontalPodAutoscaler, metadata: {name: h}}`;
  expect(collisionsOf([plan("a", hpa("v1")), plan("b", hpa("v2"))])).toHaveLength(1);
});

test("labels of a namespace that is made for both must be the same where both give one", () => {
  const LEVEL = "pod-security.kubernetes.io/enforce";
  const labelled = (instance: string, labels: Readonly<Record<string, string>>) =>
    planned(yaml.replace("web", instance), {
      instance,
      params: { namespace: "red", namespace_labels: labels },
    }).plan;
  const first = labelled("a", { [LEVEL]: "restricted", team: "a" });
  expect(collisionsOf([first, labelled("b", { [LEVEL]: "baseline", owner: "b" })])).toEqual([
    `vnfm:vnfs.b.additionalParams.namespace_labels: ${LEVEL} is baseline for Namespace red, but a sets it to restricted; set both to the same, or use a separate namespace for b`,
  ]);
  expect(collisionsOf([first, labelled("b", { [LEVEL]: "restricted" })])).toEqual([]);
});

test("the namespace that is made for both is shared", () => {
  const other = yaml.replace("web", "db");
  expect(collisionsOf([plan("a", yaml, "red"), plan("b", other, "red")])).toEqual([]);
});

/** A CNF with a release of a chart. */
function chartPlan(instance: string, objects: KubeObject[], hooks: ChartHook[]): CnfPlan {
  const settings = {
    place: placeOf(),
    name: "r",
    namespace: "default",
    attributes: [],
    atomic: false,
    values: {},
  };
  const chart = { path: "c", objects, hooks, definitions: [], random: [] };
  return {
    ...plan(instance, "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + instance + "}}"),
    releases: [planRelease(instance, { ...settings, chart })],
  };
}

const web = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" } };
const hook = (object: KubeObject, event = "pre-install"): ChartHook => ({
  object,
  events: [event],
  random: false,
});

test("a hook is refused under the name of another CNF's object, which Helm would delete", () => {
  const taken =
    "a hook of a chart, is also defined by a, on the same cluster; use a separate namespace for b";
  expect(collisionsOf([plan("a", yaml), chartPlan("b", [], [hook(web)])])).toEqual([
    `vnfm:vnfs.b.additionalParams.namespace: Deployment default/web, ${taken}`,
  ]);
  expect(collisionsOf([chartPlan("a", [], [hook(web)]), chartPlan("b", [], [hook(web)])])).toHaveLength(1);
  expect(collisionsOf([chartPlan("a", [], [hook(web)]), plan("b", yaml)])).toHaveLength(1);
});

test.each<[string, CnfPlan[]]>([
  ["an object of its own chart", [chartPlan("a", [web], [hook(web)])]],
  ["another hook of its own chart", [chartPlan("a", [], [hook(web), hook(web, "pre-upgrade")])]],
  ["an object of another CNF where it is a test", [plan("a", yaml), chartPlan("b", [], [hook(web, "test")])]],
  [
    "a hook of another CNF where the cluster makes up the names",
    ["a", "b"].map((name) => chartPlan(name, [], [hook({ ...web, metadata: { generateName: "web-" } })])),
  ],
])("a hook may have the name of %s", (_, plans) => {
  expect(collisionsOf(plans)).toEqual([]);
});

test("an object that a CNF makes twice is of that CNF alone", () => {
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" } };
  const ofChart = chartPlan("a", [object], []);
  const ofManifest = plan("a", JSON.stringify(object));
  expect(collisionsOf([{ ...ofChart, objects: ofManifest.objects }])).toEqual([
    "vnfm:vnfs.a.additionalParams: ConfigMap default/c is created twice by this instance, by its charts or by a manifest and a chart; remove one of the two",
  ]);
});
