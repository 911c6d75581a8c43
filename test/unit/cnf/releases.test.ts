import type { AdditionalParams, HelmInstallParam } from "../../../components/settings/model";
import { at, type KubeObject } from "../../../components/kube/objects/object";
import { hasSecret, setValue } from "../../../components/plan/workload/chart-values";
import { cnfGraph } from "../../../components/plan/workload/cnf-order";
import { undefinedKinds } from "../../../components/plan/workload/cnf-definitions";
import { madeBy, madeInRun, planCnf } from "../../../components/plan/workload/cnf";
import type { CnfPlan } from "../../../components/plan/workload/model";
import {
  requestReleases,
  type ReleaseRequest,
  type RenderedChart,
} from "../../../components/plan/workload/releases";
import { Secret } from "../../../components/base/secret";
import { flavourOf, packageOf } from "./support";
import { placeOf } from "../places";

const aspects = { size: { id: "size", maxScaleLevel: 2, deltas: { VDU1: [1, 1] } } };
const files = packageOf({ "Files/charts/web/Chart.yaml": "name: web", "Files/other.tgz": "x" });

function situation(params: AdditionalParams, counts: Record<string, number> = {}) {
  return {
    instance: "cnf",
    place: placeOf("vnfm:vnfs", "cnf"),
    settings: {
      package: "packages/cnf",
      readyTimeout: "10m",
      evacuate: false,
      placementPolicy: "strict" as const,
      protectVolumes: true,
      protectForeignObjects: true,
      keepBootVolumes: false,
      additionalParams: params,
    },
    flavour: flavourOf({ VDU1: "web" }, aspects),
    files,
    counts,
  };
}

const web = (more: Partial<HelmInstallParam> = {}): HelmInstallParam => ({
  helmreleasename: "web",
  exthelmchart: false,
  helmchartfile_path: "Files/charts/web",
  helmparameter: [],
  ...more,
});

function requested(params: AdditionalParams, counts?: Record<string, number>) {
  const asked = situation(params, counts);
  return { requests: requestReleases(asked), faults: asked.place.findings.texts };
}

const PARAM = "vnfm:vnfs.cnf.additionalParams.using_helm_install_param[0]";

describe("a release", () => {
  test("has values of the values file, of --set, of secrets and of replicas, each over those before", () => {
    const { requests, faults } = requested(
      {
        using_helm_install_param: [
          web({
            values: { replicaCount: 1, service: { type: "ClusterIP", port: 80 }, auth: { user: "u" } },
            helmparameter: [
              "service.type=NodePort",
              "labels.a\\.b/c=1.0",
              "debug=true",
              "extra=null",
              "n=08",
            ],
            secret_values: { "auth.password": new Secret("hidden") },
          }),
        ],
        helm_replica_values: { size: "replicaCount" },
      },
      { VDU1: 3 },
    );
    expect(faults).toEqual([]);
    const values = {
      replicaCount: 3,
      service: { type: "NodePort", port: 80 },
      auth: { user: "u", password: new Secret("hidden") },
      labels: { "a.b/c": "1.0" },
      debug: true,
      extra: null,
      n: "08",
    };
    const expected: Omit<ReleaseRequest, "place"> = {
      name: "web",
      namespace: "default",
      chart: { kind: "package", path: "Files/charts/web" },
      values,
      attributes: [],
      atomic: false,
    };
    const [{ place, ...request }] = requests as [ReleaseRequest];
    expect([place.text, request]).toEqual([PARAM, expected]);
    expect(JSON.stringify(requests)).not.toContain("hidden");
    expect(hasSecret(requests[0]?.values)).toBe(true);
  });

  test("may have a repository's chart, pinned by version and digest", () => {
    const digest = "0123456789abcdef".repeat(4);
    const chart = { helmchartname: "cm", exthelmrepo_url: "https://charts.example", version: "1.0.0" };
    const params = { helmreleasename: "cm", exthelmchart: "true" as const, helmparameter: [], ...chart };
    const { requests, faults } = requested({
      using_helm_install_param: [{ ...params, digest: `sha256:${digest}` }],
    });
    expect(faults).toEqual([]);
    expect(requests[0]?.chart).toEqual({
      kind: "repository",
      url: "https://charts.example",
      chart: "cm",
      version: "1.0.0",
      digest,
    });
  });

  test.each<[string, HelmInstallParam, string[]]>([
    [
      "no chart",
      { helmreleasename: "web", exthelmchart: false, helmparameter: [] },
      [`${PARAM}.helmchartfile_path: is required; or set exthelmchart, for a chart of a repository`],
    ],
    [
      "a chart that the package has not",
      web({ helmchartfile_path: "Files/charts/wed" }),
      [`${PARAM}.helmchartfile_path: Files/charts/wed is neither in the package nor next to Pulumi.yaml`],
    ],
    [
      "a repository's chart that is not pinned",
      {
        ...web({ exthelmchart: true, helmchartname: "cm", exthelmrepo_url: "https://charts.example" }),
      },
      [
        `${PARAM}.version: is required for a chart of a repository`,
        `${PARAM}.digest: is required for a chart of a repository`,
        `${PARAM}.helmchartfile_path: is for a chart that does not come from a repository; remove it or exthelmchart`,
      ],
    ],
    [
      "what --set does not read, and keys of lists for a secret",
      web({ helmparameter: ["a=b,c", "a..b=c"], secret_values: { "a[0]": new Secret("hidden") } }),
      [
        `${PARAM}.helmparameter[0]: key "c" has no value; a comma in a value is written "\\,"`,
        `${PARAM}.helmparameter[1]: key map "a" has no value`,
        `${PARAM}.secret_values["a[0]"]: "a[0]" has a list or several keys; write it under values`,
      ],
    ],
  ])("with %s is a fault", (_, param, expected) => {
    expect(requested({ using_helm_install_param: [param] }).faults).toEqual(expected);
  });

  test("is a fault with a name in use, with replicas of no aspect, and for a VDU of no release", () => {
    const { faults } = requested({
      using_helm_install_param: [web(), web()],
      helm_replica_values: { sice: "replicas" },
      vdu_mapping: { VDU1: { kind: "Deployment", name: "web", helmreleasename: "wep" } },
    });
    expect(faults).toEqual([
      'vnfm:vnfs.cnf.additionalParams.vdu_mapping.VDU1.helmreleasename: "wep" is not one of web; did you mean "web"?',
      'vnfm:vnfs.cnf.additionalParams.helm_replica_values.sice: is not a scaling aspect of the VNFD; one of size; did you mean "size"?',
      'vnfm:vnfs.cnf.additionalParams.using_helm_install_param[1].helmreleasename: "web" is that of another release; rename one of the two',
    ]);
  });
});

test("a value is set in maps, and in place of what is none", () => {
  expect(setValue({ a: { b: 1 }, c: "text" }, "a.d.e", 2)).toEqual({ a: { b: 1, d: { e: 2 } }, c: "text" });
  expect(setValue({ c: "text" }, "c.d", 2)).toEqual({ c: { d: 2 } });
});

const deployment = (replicas: number): KubeObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web" },
  spec: { replicas },
});
const definition: KubeObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "sites.example.com" },
  spec: { group: "example.com", names: { kind: "Site" }, scope: "Cluster" },
};
const chart = (objects: KubeObject[], more: Partial<RenderedChart> = {}): RenderedChart => ({
  path: ".charts/0123456789abcdef/web",
  objects,
  hooks: [],
  definitions: [],
  random: [],
  ...more,
});

function plannedChart(
  rendered: RenderedChart | undefined,
  params: AdditionalParams = {},
  counts: Record<string, number> = { VDU1: 3 },
): { plan: CnfPlan; faults: readonly string[] } {
  const context = situation({ using_helm_install_param: [web()], namespace: "site", ...params }, counts);
  const releases = requestReleases(context).map((request) => ({ ...request, chart: rendered }));
  return { plan: planCnf({ ...context, releases }), faults: context.place.findings.texts };
}

describe("the objects of a chart", () => {
  test("are planned in the release's namespace, waited for as those of manifests, and may be VDUs", () => {
    const secret: KubeObject = { apiVersion: "v1", kind: "Secret", metadata: { name: "made-up" } };
    const site: KubeObject = { apiVersion: "example.com/v1", kind: "Site", metadata: { name: "s" } };
    const { plan, faults } = plannedChart(
      chart([deployment(3), secret, site], { definitions: [definition], random: ["/Secret//made-up"] }),
    );
    expect(faults).toEqual([]);
    expect(plan.objects.map(({ key }) => key)).toEqual(["cnf-namespace-site"]);
    const [release] = plan.releases;
    expect(release?.key).toBe("cnf-helm-site/web");
    const shown = release?.objects.map(({ key, awaited, random, object }) => [
      key,
      object.metadata.namespace,
      awaited,
      random,
    ]);
    expect(shown).toEqual([
      ["cnf-helm-site/web-deployment-site/web", "site", "ready", false],
      ["cnf-helm-site/web-secret-site/made-up", "site", undefined, true],
      ["cnf-helm-site/web-site.example.com-s", undefined, "ready", false],
    ]);
    expect(plan.vnfcs).toEqual([
      { vdu: "VDU1", kind: "Deployment", namespace: "site", name: "web", replicas: 3 },
    ]);
    expect(at(release?.objects[0]?.object, "spec", "replicas")).toBe(3);
  });

  test("are no VDUs and no parts of the release where they are hooks, which are planned in its namespace", () => {
    const migrate: KubeObject = { apiVersion: "batch/v1", kind: "Job", metadata: { name: "migrate" } };
    const hooks = [
      { object: migrate, events: ["pre-install"], random: false },
      { object: migrate, events: ["test"], random: true },
      { object: { ...deployment(1), metadata: { name: "check" } }, events: ["test"], random: false },
    ];
    const { plan, faults } = plannedChart(chart([deployment(3)], { hooks }));
    expect(faults).toEqual([]);
    expect(plan.vnfcs.map(({ name }) => name)).toEqual(["web"]);
    expect(madeBy(plan).map(({ object }) => object.metadata.name)).toEqual(["site", "web"]);
    const [release] = plan.releases;
    expect(release?.hooks.map(({ objects, ...hook }) => [hook, objects.length])).toEqual([
      [{ key: "cnf-helm-site/web-hook-job-site/migrate", isTest: false, random: true }, 2],
      [{ key: "cnf-helm-site/web-hook-deployment-site/check", isTest: true, random: false }, 1],
    ]);
    expect(madeInRun(plan).map(({ metadata }) => metadata.name)).toEqual([
      "site",
      "web",
      "migrate",
      "migrate",
    ]);
  });

  test("come after the CNF that defines a kind of their hooks", () => {
    const site: KubeObject = { apiVersion: "example.com/v1", kind: "Site", metadata: { name: "s" } };
    const brings = plannedChart(chart([deployment(3)], { definitions: [definition] })).plan;
    const hooks = [{ object: site, events: ["post-install"], random: false }];
    const needs = plannedChart(chart([], { hooks }), { vdu_mapping: { VDU1: "none" } }).plan;
    expect(cnfGraph([{ ...needs, instance: "a" }, brings]).get("a")).toEqual(new Set(["cnf"]));
    expect(undefinedKinds(needs, [])).toEqual([{ apiVersion: "example.com/v1", kind: "Site" }]);
  });

  test("must have the replicas of their VDU", () => {
    expect(plannedChart(chart([deployment(2)])).faults).toEqual([
      "vnfm:vnfs.cnf.additionalParams.helm_replica_values.size: Deployment site/web of the chart has 2 replicas, but VDU VDU1 should have 3; set the value of the chart that determines its replicas",
    ]);
  });

  test("are no faults where the chart is not known", () => {
    expect(plannedChart(undefined).faults).toEqual([]);
  });

  test("come before the CNFs whose objects need their definitions", () => {
    const { plan } = plannedChart(chart([deployment(3)], { definitions: [definition] }));
    const site: KubeObject = { apiVersion: "example.com/v1", kind: "Site", metadata: { name: "s" } };
    const other = plannedChart(chart([site]), { vdu_mapping: { VDU1: "none" } }).plan;
    expect(cnfGraph([{ ...other, instance: "a" }, plan]).get("a")).toEqual(new Set(["cnf"]));
  });
});
