/** CNFs whose releases are the charts of their package. */
import { workloads } from "../../../components/plan/model";
import { requiredCharts } from "../../../components/plan/required-charts";
import { parseSettings } from "../../../components/settings/parse";
import { planOf } from "../../support/planned";
import { flavour, kubeconfig, vdu, vnfPackage } from "../fixtures";

const WEB = { id: "Web_Mciop", path: "charts/web", vdus: ["web"] };
const DB = { id: "db", path: "charts/db", vdus: ["db"] };
const FILES = { "charts/web/Chart.yaml": "name: web", "charts/db/Chart.yaml": "name: db", "m.yaml": "" };

const cnf = (additionalParams?: object) => ({
  shop: { package: "p", vim: { kubeconfig: kubeconfig("a") }, ...(additionalParams && { additionalParams }) },
});

const packageWith = (...charts: readonly (typeof WEB)[]) => ({
  loadPackage: () => {
    const vdus = {
      web: vdu("web", { image: undefined }),
      db: vdu("db", { image: undefined, initialInstances: 2 }),
    };
    const scalingAspects = {
      db_aspect: { id: "db_aspect", maxLevel: 2, deltas: { db: [1, 1] }, initialLevel: undefined },
    };
    return vnfPackage(
      "p",
      { simple: flavour({ charts, vdus, scalingAspects: scalingAspects as never }) },
      FILES,
    );
  },
});

const releasesOf = (vnfs: object, sources: ReturnType<typeof packageWith>) =>
  workloads(planOf(vnfs, sources)).flatMap(({ cnf: { releases } }) =>
    releases.map(({ name, namespace, values }) => ({ name, namespace, values })),
  );

it("the instance is a CNF of the package's chart, under the name of the instance", () => {
  expect(releasesOf(cnf(), packageWith(WEB))).toEqual([{ name: "shop", namespace: "default", values: {} }]);
  const { settings } = parseSettings(cnf());
  expect(requiredCharts(settings, packageWith(WEB)).map(({ request }) => request.chart)).toEqual([
    { kind: "package", path: "charts/web" },
  ]);
});

it("the instance has a release for each chart, and gives each the instances of its own VDUs", () => {
  const params = { namespace: "shop", helm_replica_values: { db_aspect: "replicas" } };
  expect(releasesOf(cnf(params), packageWith(WEB, DB))).toEqual([
    { name: "shop-web-mciop", namespace: "shop", values: {} },
    { name: "shop-db", namespace: "shop", values: { replicas: 2 } },
  ]);
});

it("the instance leaves the package's charts where the settings name others", () => {
  const own = { helmreleasename: "own", exthelmchart: false, helmchartfile_path: "charts/db" };
  const releases = releasesOf(cnf({ using_helm_install_param: [own] }), packageWith(WEB));
  expect(releases.map(({ name }) => name)).toEqual(["own"]);
});
