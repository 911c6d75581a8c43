/** The resources of a Helm release. */
import * as pulumi from "@pulumi/pulumi";
import { Cnf } from "../../../components/deploy/objects/cnf";
import type { KubeObject } from "../../../components/kube/objects/object";
import { withMarks, type Attribute } from "../../../components/kube/objects/attributes";
import { digest } from "../../../components/kube/objects/checksum";
import type { AttributeValues } from "../../../components/deploy/objects/fill";
import { planRelease } from "../../../components/plan/workload/planned-release";
import type { ChartHook } from "../../../components/plan/workload/releases";
import { Secret } from "../../../components/base/secret";
import { recordResources, settle } from "../../support/mocks";
import { kubeconfig } from "../fixtures";
import { planned } from "./support";
import { placeOf } from "../places";

const web: KubeObject = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web" } };
const kept: KubeObject = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "kept", annotations: { "helm.sh/resource-policy": "keep" } },
};
const service: KubeObject = {
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "web" },
  spec: { type: "NodePort" },
};

const release = (values: object, random: string[] = [], hooks: ChartHook[] = []) =>
  planRelease("cnf", {
    ...{
      place: placeOf(),
      name: "web",
      namespace: "site",
      attributes: [],
      atomic: false,
      values: values as Record<string, unknown>,
    },
    chart: {
      ...{ path: ".charts/0123456789abcdef/web", objects: [web, kept, service], definitions: [], random },
      hooks,
    },
  });

async function registered(planRelease: ReturnType<typeof release>, attributes: AttributeValues = new Map()) {
  const recorded = recordResources(({ type }) => (type.includes("helm") ? { status: { revision: 2 } } : {}));
  const { plan } = planned("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}");
  const identity = pulumi.output("site-1-5f0c2a9e");
  const args = { identity, readyTimeout: "2m", kubeconfig: pulumi.secret(kubeconfig("c")), attributes };
  new Cnf("cnf", { ...args, plan: { ...plan, releases: [planRelease] } });
  await settle();
  return Object.fromEntries(recorded.map(({ name, inputs }) => [name, inputs]));
}

const key = "cnf-helm-site/web";
const data = (command: unknown) => {
  const { value } = (command as { stdin: { value: string } }).stdin;
  return JSON.parse(value) as { objects: { shown: string }[] };
};

const DIGEST = expect.stringMatching(/^[0-9a-f]{64}$/) as unknown;

test("a release is one resource, with a hash of each object, and waits before and after it", async () => {
  const resources = await registered(release({ replicaCount: 2 }));
  expect(
    Object.keys(resources)
      .filter((name) => name.startsWith(key))
      .sort(),
  ).toEqual([
    key,
    `${key}-deployment-site/web`,
    `${key}-end`,
    `${key}-ready`,
    `${key}-secret-site/kept`,
    `${key}-service-site/web`,
    `${key}-service-site/web-made`,
  ]);
  expect(resources[key]).toMatchObject({
    name: "web",
    namespace: "site",
    chart: ".charts/0123456789abcdef/web",
    values: { replicaCount: 2 },
    skipAwait: true,
    timeout: 120,
  });
  expect(data(resources[`${key}-ready`])).toMatchObject({
    objects: [{ shown: "Deployment site/web", until: "ready" }],
    revision: 2,
  });
  const gone = data(resources[`${key}-end`]).objects.map(({ shown }) => shown);
  expect(gone).toEqual(["Deployment site/web", "Service site/web"]);
});

test("secret values are secrets of the state, and so are hashes of what they may be in", async () => {
  const resources = await registered(release({ auth: { password: new Secret("hidden") } }));
  const secret = (value: unknown) => expect.objectContaining({ value }) as unknown;
  expect(resources[key]?.["values"]).toEqual(secret({ auth: { password: "hidden" } }));
  const typed = await registered(release({ port: new Secret(80), debug: [new Secret(false)] }));
  expect(typed[key]?.["values"]).toEqual(secret({ port: 80, debug: [false] }));
  const hash = resources[`${key}-deployment-site/web`]?.["input"];
  // the mock's whole input is secret where the hash in it is
  expect(hash).toEqual(secret({ object: "Deployment site/web", hash: DIGEST }));
});

test("an object that is another one each time has no hash", async () => {
  const resources = await registered(release({}, ["/Secret//kept"]));
  expect(Object.keys(resources)).not.toContain(`${key}-secret-site/kept`);
});

test("values of other instances reach Helm as they are, and the hashes of the objects that have them", async () => {
  const found: Attribute[] = [];
  const values = withMarks({ port: { get_attribute: ["back", "port"] } }, placeOf(), found);
  const [{ mark } = { mark: "" }] = found;
  const planned = release(values);
  const object = (hostname: string) => ({ ...web, spec: { hostname } });
  const objects = planned.objects.map((one) =>
    one.object.kind === "Deployment" ? { ...one, object: object(`h-${mark}`) } : one,
  );
  const resources = await registered({ ...planned, objects }, new Map([[mark, pulumi.output(30080)]]));
  expect(resources[key]?.["values"]).toEqual({ port: 30080 });
  expect(resources[`${key}-deployment-site/web`]?.["input"]).toEqual({
    object: "Deployment web",
    hash: digest(object("h-30080")),
  });
});

const hook = (kind: string, name: string, image: string, more: Partial<ChartHook> = {}): ChartHook => ({
  object: { apiVersion: kind === "Pod" ? "v1" : "batch/v1", kind, metadata: { name }, spec: { image } },
  ...{ events: ["pre-install"], random: false },
  ...more,
});

test("hooks have hashes, one for all of a name, and nothing waits for them or for their end", async () => {
  const hooks = [
    hook("Job", "migrate", "a"),
    hook("Job", "migrate", "b", { events: ["pre-upgrade"] }),
    hook("Job", "made-up", "a", { random: true }),
    hook("Pod", "check", "a", { events: ["test"] }),
  ];
  const resources = await registered(release({}, [], hooks));
  const ofHooks = Object.keys(resources).filter((name) => name.includes("-hook-"));
  expect(ofHooks.sort()).toEqual([`${key}-hook-job-site/migrate`, `${key}-hook-pod-site/check`]);
  const objects = hooks.slice(0, 2).map(({ object }) => ({
    ...object,
    metadata: { ...object.metadata, namespace: "site" },
  }));
  expect(resources[`${key}-hook-job-site/migrate`]?.["input"]).toEqual({
    object: "Job site/migrate",
    hash: digest(objects),
  });
  for (const step of ["ready", "end"])
    expect(JSON.stringify(data(resources[`${key}-${step}`]))).not.toMatch(/migrate|made-up|check/);
});

test("a hash of a hook that is a Secret is a secret", async () => {
  const object: KubeObject = { apiVersion: "v1", kind: "Secret", metadata: { name: "token" } };
  const resources = await registered(release({}, [], [hook("Secret", "token", "", { object })]));
  expect(resources[`${key}-hook-secret-site/token`]?.["input"]).toEqual(
    expect.objectContaining({ value: { object: "Secret site/token", hash: DIGEST } }),
  );
});
