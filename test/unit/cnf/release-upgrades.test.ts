import type { KubeObject } from "../../../components/kube/objects/object";
import type { InstancePlan } from "../../../components/plan/model";
import { planRelease } from "../../../components/plan/workload/planned-release";
import { refusedUpgrades } from "../../../components/plan/release-upgrades";
import { immutableHashes } from "../../../components/plan/workload/immutable-hashes";
import { Secret } from "../../../components/base/secret";
import { placeOf } from "../places";
import { planned } from "./support";

const release = (objects: readonly KubeObject[], values = {}, random: readonly string[] = []) =>
  planRelease("cnf", {
    ...{ place: placeOf(), name: "web", namespace: "shop", attributes: [], atomic: false, values },
    chart: { path: "c", objects, hooks: [], definitions: [], random },
  });

/** A StatefulSet whose claim templates have the version of the chart, as a label. */
const statefulSet = (version: string, image = "i"): KubeObject => ({
  apiVersion: "apps/v1",
  kind: "StatefulSet",
  metadata: { name: "db" },
  spec: {
    serviceName: "db",
    template: { spec: { containers: [{ name: "c", image }] } },
    volumeClaimTemplates: [{ metadata: { name: "data", labels: { "helm.sh/chart": `db-${version}` } } }],
  },
});
const object = (kind: string, apiVersion: string, spec: object): KubeObject => ({
  ...{ apiVersion, kind, spec },
  metadata: { name: "a" },
});

function warningsOf(before: readonly KubeObject[], now: readonly KubeObject[]): string[] {
  const cnf = {
    ...planned("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}").plan,
    releases: [release(now)],
  };
  const plan = { kind: "cnf", name: "cnf", cnf } as unknown as InstancePlan;
  return refusedUpgrades([plan], { cnf: { immutableHashes: immutableHashes([release(before)]) } });
}

const PLACE = "vnfm:vnfs.cnf";
const REFUSED =
  "that cannot be changed in Kubernetes, so the upgrade will be rejected; keep the former chart or values, or delete the object before the update";

test("an upgrade that changes the claim templates of a StatefulSet is warned of, with the way out", () => {
  expect(warningsOf([statefulSet("1.0.0")], [statefulSet("1.1.0")])).toEqual([
    `${PLACE}: the chart of shop/web changes fields of StatefulSet shop/db ${REFUSED}: 'kubectl delete statefulset db --namespace shop --cascade=orphan', which keeps its pods and PVCs`,
  ]);
});

test.each<[string, KubeObject, KubeObject, string]>([
  [
    "the selector of a Deployment",
    object("Deployment", "apps/v1", { selector: { matchLabels: { v: "1" } } }),
    object("Deployment", "apps/v1", { selector: { matchLabels: { v: "2" } } }),
    "Deployment shop/a",
  ],
  [
    "the pods of a Job",
    object("Job", "batch/v1", { template: { spec: { containers: [{ name: "c", image: "a" }] } } }),
    object("Job", "batch/v1", { template: { spec: { containers: [{ name: "c", image: "b" }] } } }),
    "Job shop/a",
  ],
])("an upgrade that changes %s is warned of", (_, before, now, shown) => {
  expect(warningsOf([before], [now])).toEqual([
    expect.stringContaining(`the chart of shop/web changes fields of ${shown} ${REFUSED}: 'kubectl delete `),
  ]);
});

test("an upgrade of what may change, a new object and one that goes are not warned of", () => {
  expect(warningsOf([statefulSet("1", "i:1")], [statefulSet("1", "i:2")])).toEqual([]);
  expect(warningsOf([], [statefulSet("1")])).toEqual([]);
  expect(warningsOf([statefulSet("1")], [])).toEqual([]);
});

test("an object with a secret, or that differs with each rendering, has no hash", () => {
  expect(immutableHashes([release([statefulSet("hunter2")], { password: new Secret("hunter2") })])).toEqual(
    {},
  );
  expect(immutableHashes([release([statefulSet("1")], {}, ["apps/StatefulSet//db"])])).toEqual({});
  expect(Object.keys(immutableHashes([release([statefulSet("1")])]))).toEqual([
    "cnf-helm-shop/web-statefulset-shop/db",
  ]);
});
