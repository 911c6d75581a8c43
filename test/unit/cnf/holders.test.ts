/** Definitions and Namespaces of a CNF, and when a run takes them away from objects of others. */
import { Findings } from "../../../components/base/findings";
import type { FormerOutputs } from "../../../components/plan/former-outputs";
import { leavingHolders } from "../../../components/plan/leaving-objects";
import type { CnfInstancePlan, InstancePlan, Vim } from "../../../components/plan/model";
import { holdersOf } from "../../../components/plan/workload/holders";
import { foreignObjectsLost } from "../../../components/preflight/foreign-objects";
import { Secret } from "../../../components/base/secret";
import { planRelease } from "../../../components/plan/workload/planned-release";
import { placeOf } from "../places";
import { planned } from "./support";

const crd = (plural: string) =>
  `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: ${plural}.example.com},
  spec: {group: example.com, scope: Namespaced, names: {plural: ${plural}, kind: ${plural}}}}\n---\n`;
const namespace = "{apiVersion: v1, kind: Namespace, metadata: {name: web}}\n---\n";
const deployment = `{apiVersion: apps/v1, kind: Deployment, metadata: {name: d, namespace: web}, spec: {template: {spec: {
  containers: [{name: c, image: i}], volumes: [{name: v, secret: {secretName: webhook-cert}}]}}}}\n---\n`;

describe("what a CNF has others' objects in", () => {
  test("are its definitions and the Namespaces of its manifests, with what its objects name there", () => {
    const statefulSet = `{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db, namespace: web}, spec: {serviceName: s,
      volumeClaimTemplates: [{metadata: {name: data}}], template: {spec: {containers: [{name: c, image: i}]}}}}\n---\n`;
    const role = `{apiVersion: rbac.authorization.k8s.io/v1, kind: Role, metadata: {name: r, namespace: web},
      rules: [{resources: [secrets], resourceNames: [serving-ca]}]}`;
    const { plan } = planned(crd("sites") + crd("areas") + namespace + deployment + statefulSet + role);
    expect(holdersOf(plan)).toEqual({
      definitions: ["areas.example.com", "sites.example.com"],
      namespaces: ["web"],
      releases: [],
      named: [
        "/ConfigMap/web/serving-ca",
        "/PersistentVolumeClaim/web/data-db-*",
        "/Secret/web/serving-ca",
        "/Secret/web/webhook-cert",
      ],
    });
  });

  test("are no Namespace that stays, and nothing in one of others", () => {
    const { plan } = planned(deployment, { params: { namespace: "web" } });
    expect(holdersOf(plan)).toEqual({ definitions: [], namespaces: [], releases: [], named: [] });
  });

  test("are those that Helm deletes with a chart", () => {
    const definition = (name: string, annotations = {}) => ({
      ...{ apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" },
      metadata: { name, annotations },
    });
    const release = planRelease("cnf", {
      ...{ place: placeOf(), name: "shop", namespace: "site", attributes: [], atomic: false, values: {} },
      chart: {
        path: ".charts/0/shop",
        objects: [definition("a.x"), definition("b.x", { "helm.sh/resource-policy": "keep" })],
        definitions: [definition("c.x")],
        hooks: [],
        random: [],
      },
    });
    const { plan } = planned("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}");
    expect(holdersOf({ ...plan, releases: [release] })).toMatchObject({
      definitions: ["a.x"],
      releases: ["site/shop"],
    });
  });
});

const ON: Vim = { kind: "vnf", vnf: "vnf-a" };
const CLUSTER = { name: "vnf-a", kind: "kubeadm" } as InstancePlan;
const cnf = (yaml: string, on: Vim = ON, instance = "web"): CnfInstancePlan => ({
  kind: "cnf",
  ...{ name: instance, on, warnings: [], after: [], cluster: undefined },
  ...{ readyTimeout: "10m", protectForeignObjects: true },
  cnf: planned(yaml, { instance }).plan,
});
const had = { definitions: ["areas.example.com", "sites.example.com"], namespaces: ["web"], named: ["n"] };
const former = (vim: object = ON): FormerOutputs => ({
  web: { protectedObjects: { vim: vim as typeof ON, owner: "site-1/web", settingsOf: "web", ...had } },
  shop: { releases: ["shop/shop"] },
  "vnf-a": {},
});
const ALL = crd("sites") + crd("areas") + namespace;

describe("what leaves", () => {
  test("is nothing where the plan has all of it, or the cluster goes too", () => {
    expect(leavingHolders([CLUSTER, cnf(ALL)], former())).toEqual([]);
    expect(leavingHolders([], former())).toEqual([]);
    expect(leavingHolders([CLUSTER], { web: {} })).toEqual([]);
  });

  test("is a definition that the manifests have no more", () => {
    const site = "{apiVersion: example.com/v1, kind: sites, metadata: {name: s, namespace: web}}";
    const other = cnf(site, ON, "shop");
    expect(leavingHolders([CLUSTER, cnf(crd("areas") + namespace), other], former())).toEqual([
      {
        ...{ instance: "web", settingsOf: "web", vim: ON },
        ...{ definitions: ["sites.example.com"], namespaces: [], named: ["n"] },
        owners: ["site-1/web", "site-1/shop", "site-1/vnf-a"],
        releases: ["shop/shop"],
        kept: [
          "/Namespace//web",
          "apiextensions.k8s.io/CustomResourceDefinition//areas.example.com",
          "example.com/sites/web/s",
        ],
      },
    ]);
  });

  test("is all of a CNF that is terminated, or that moves", () => {
    const kubeconfig = new Secret("text");
    for (const plans of [[CLUSTER], [CLUSTER, cnf(ALL, { kind: "kubeconfig", kubeconfig })]])
      expect(leavingHolders(plans, former())).toMatchObject([
        { definitions: had.definitions, namespaces: ["web"], vim: ON, kept: [] },
      ]);
  });

  test.each<[string, Vim, object]>([
    [
      "of another stack",
      { kind: "stack", stack: "s", vim_name: "v" },
      { kind: "stack", stack: "s", vim_name: "v" },
    ],
    ["of a kubeconfig", { kind: "kubeconfig", kubeconfig: new Secret("text") }, { kind: "kubeconfig" }],
  ])("is looked for on the cluster %s that the CNF is on", (_, on, vim) => {
    expect(leavingHolders([cnf(crd("areas") + namespace, on)], former(vim))).toMatchObject([
      { definitions: ["sites.example.com"], vim: on },
    ]);
    expect(leavingHolders([], former(vim))).toMatchObject([{ definitions: had.definitions, vim }]);
  });
});

test("a kubeconfig in place of a VIM of another stack is not taken for another cluster", () => {
  const stack: Vim = { kind: "stack", stack: "s", vim_name: "v" };
  const kubeconfig: Vim = { kind: "kubeconfig", kubeconfig: new Secret("text") };
  expect(leavingHolders([cnf(ALL, kubeconfig)], former(stack))).toEqual([]);
  expect(leavingHolders([cnf(ALL, stack)], former({ kind: "kubeconfig" }))).toEqual([]);
  expect(leavingHolders([cnf(ALL, { ...stack, vim_name: "w" })], former(stack))).toHaveLength(1);
});

describe("the question to the cluster", () => {
  const leaving = leavingHolders([CLUSTER], former());
  const ask = async (kubeconfig: string | undefined, found: readonly string[] | undefined) => {
    const faults = new Findings();
    const asked = {
      kubeconfig: () => Promise.resolve(kubeconfig),
      foreignObjects: () => Promise.resolve(found),
    };
    return { warnings: await foreignObjectsLost(leaving, asked, faults), faults: faults.texts };
  };

  test("ends in a fault of the instance where others have objects, and in nothing where they have none", async () => {
    expect(await ask("its kubeconfig", ["Namespace web takes 1 object", "Advice"])).toEqual({
      warnings: [],
      faults: ["vnfm:vnfs.web: Namespace web takes 1 object\n    Advice"],
    });
    expect(await ask("its kubeconfig", [])).toEqual({ warnings: [], faults: [] });
  });

  test.each([
    ["does not answer", "its kubeconfig"],
    ["is not known any more", undefined],
  ])("ends in a warning where the cluster %s", async (_, kubeconfig) => {
    expect(await ask(kubeconfig, undefined)).toEqual({
      faults: [],
      warnings: [
        "vnfm:vnfs.web: the run deletes areas.example.com, sites.example.com, web; whether others have objects there " +
          "is not known, because the cluster does not answer, or its kubeconfig was removed from the stack config. The update checks again " +
          "before it deletes them",
      ],
    });
  });
});
