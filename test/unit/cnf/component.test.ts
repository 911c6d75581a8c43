import * as pulumi from "@pulumi/pulumi";
import { digest } from "../../../components/kube/objects/checksum";
import { Cnf } from "../../../components/deploy/objects/cnf";
import { planned } from "./support";

interface Registered {
  readonly type: string;
  readonly name: string;
  readonly inputs: unknown;
}

const registered: Registered[] = [];

beforeAll(() =>
  pulumi.runtime.setMocks({
    newResource: ({ type, name, inputs }) => {
      const plain = inputs as Record<string, unknown>;
      registered.push({ type, name, inputs: plain });
      const status = { loadBalancer: { ingress: [{ ip: "192.0.2.7" }] } };
      return {
        id: `${name}-id`,
        state: type === "kubernetes:core/v1:Service" ? { ...plain, status } : plain,
      };
    },
    call: () => ({}),
  }),
);

const KUBECONFIG = JSON.stringify({
  "current-context": "x",
  contexts: [{ name: "x", context: { cluster: "c" } }],
  clusters: [{ name: "c", cluster: { server: "https://192.0.2.1" } }],
});

const PLACE = {
  readyTimeout: "10m",
  kubeconfig: pulumi.output(KUBECONFIG),
  identity: pulumi.output("site-1-5f0c2a9e"),
};

const yaml = `
{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {type: LoadBalancer, ports: [{port: 80, nodePort: 30080}]}}
---
{apiVersion: v1, kind: Service, metadata: {name: inner}, spec: {ports: [{port: 80}]}}
---
{apiVersion: v1, kind: Secret, metadata: {name: key}, stringData: {password: hidden}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}, spec: {replicas: 1}}
---
{apiVersion: example.com/v1alpha1, kind: Site, metadata: {name: s}, spec: {size: 0644}}
---
{apiVersion: v1, kind: ServiceAccount, metadata: {name: default}}
`;

function valueOf<T>(output: pulumi.Output<T>): Promise<T> {
  return new Promise((resolve) => output.apply(resolve));
}

describe("the component", () => {
  const { plan } = planned(yaml, { vdus: { VDU1: "web" }, counts: { VDU1: 2 } });

  test("makes one resource for each object, of any kind, its content as planned", async () => {
    const cnf = new Cnf("cnf", { plan, ...PLACE });
    await Promise.all(Object.values(cnf.resources).map(({ urn }) => valueOf(urn)));
    const endpoints = await valueOf(cnf.endpoints);
    await pulumi.runtime.disconnect();
    const secret = "4dabf18193072939515e22adb298388d";
    const sentinel = (value: unknown): unknown => ({ [secret]: "1b47061264138c4ac30d75fd1eb44270", value });
    const own = {
      "pulumi.com/patchFieldManager": "vnfm",
      "pulumi.com/patchForce": "true",
      "vnfm.io/owner": "site-1-5f0c2a9e/cnf",
    };
    expect(
      registered.filter(({ type }) => type !== "vnfm:cnf:Cnf").sort((a, b) => (a.name < b.name ? -1 : 1)),
    ).toEqual([
      {
        type: "kubernetes:apps/v1:Deployment",
        name: "cnf-deployment-default/web",
        inputs: {
          apiVersion: "apps/v1",
          kind: "Deployment",
          metadata: {
            name: "web",
            namespace: "default",
            annotations: { ...own, "pulumi.com/waitFor": "jsonpath={.metadata.uid}" },
          },
          spec: { replicas: 2 },
        },
      },
      {
        type: "command:local:Command",
        name: "cnf-deployment-default/web-ready",
        inputs: {
          create: `exec node -e 'require("vnfm/run")' deploy/objects/scripts/await-ready`,
          stdin: sentinel(
            JSON.stringify({
              access: { cluster: { server: "https://192.0.2.1" }, user: {} },
              path: "/apis/apps/v1/namespaces/default/deployments/web",
              name: "Deployment default/web",
              until: "ready",
              seconds: 600,
            }),
          ),
          logging: "stderr",
          addPreviousOutputInEnv: true,
        },
      },
      {
        type: "kubernetes:core/v1:Secret",
        name: "cnf-secret-default/key",
        inputs: {
          apiVersion: "v1",
          kind: "Secret",
          metadata: { name: "key", namespace: "default", annotations: own },
          stringData: sentinel({ password: "hidden" }),
        },
      },
      {
        type: "kubernetes:core/v1:Service",
        name: "cnf-service-default/inner",
        inputs: {
          apiVersion: "v1",
          kind: "Service",
          metadata: {
            name: "inner",
            namespace: "default",
            annotations: { ...own, "pulumi.com/skipAwait": "true" },
          },
          spec: { ports: [{ port: 80 }] },
        },
      },
      {
        type: "kubernetes:core/v1:Service",
        name: "cnf-service-default/web",
        inputs: {
          apiVersion: "v1",
          kind: "Service",
          metadata: {
            name: "web",
            namespace: "default",
            annotations: { ...own, "pulumi.com/waitFor": "jsonpath={.metadata.uid}" },
          },
          spec: { type: "LoadBalancer", ports: [{ port: 80, nodePort: 30080 }] },
        },
      },
      {
        type: "kubernetes:core/v1:ServiceAccount",
        name: "cnf-serviceaccount-default/default",
        inputs: {
          apiVersion: "v1",
          kind: "ServiceAccount",
          metadata: { name: "default", namespace: "default", annotations: own },
        },
      },
      {
        type: "kubernetes:example.com/v1alpha1:Site",
        name: "cnf-site.example.com-s",
        inputs: {
          apiVersion: "example.com/v1alpha1",
          kind: "Site",
          metadata: { name: "s", annotations: own },
          spec: { size: 420 },
        },
      },
      {
        type: "command:local:Command",
        name: "cnf-site.example.com-s-ready",
        inputs: {
          create: `exec node -e 'require("vnfm/run")' deploy/objects/scripts/await-ready`,
          stdin: sentinel(
            JSON.stringify({
              access: { cluster: { server: "https://192.0.2.1" }, user: {} },
              custom: { apiVersion: "example.com/v1alpha1", kind: "Site", name: "s" },
              name: "Site s",
              until: "ready",
              seconds: 600,
            }),
          ),
          logging: "stderr",
          addPreviousOutputInEnv: true,
        },
      },
      {
        type: "command:local:Command",
        name: "cnf-unclaimed",
        inputs: {
          create: `exec node -e 'require("vnfm/run")' deploy/objects/scripts/unclaimed`,
          stdin: sentinel(
            JSON.stringify({
              access: { cluster: { server: "https://192.0.2.1" }, user: {} },
              vnf: "cnf",
              owner: ["vnfm.io/owner", "site-1-5f0c2a9e/cnf"],
              objects: [
                {
                  ...{ apiVersion: "apps/v1", kind: "Deployment", name: "web", namespace: "default" },
                  shown: "Deployment default/web",
                  shared: false,
                  ofKubernetes: true,
                },
                ...["Secret default/key", "Service default/inner", "Service default/web"].map((shown) => {
                  const [kind = "", namespace = "", name = ""] = shown.split(/[ /]/);
                  return {
                    apiVersion: "v1",
                    kind,
                    name,
                    namespace,
                    shown,
                    shared: false,
                    ofKubernetes: true,
                  };
                }),
                {
                  apiVersion: "example.com/v1alpha1",
                  kind: "Site",
                  name: "s",
                  shown: "Site s",
                  shared: false,
                  ofKubernetes: false,
                },
              ],
            }),
          ),
          logging: "none",
          addPreviousOutputInEnv: true,
        },
      },
    ]);
    expect(cnf.vnfcs).toEqual([
      { vdu: "VDU1", kind: "Deployment", namespace: "default", name: "web", replicas: 2 },
    ]);
    expect(cnf.objects).toContain("Site s");
    expect(endpoints).toEqual([
      {
        name: "web",
        namespace: "default",
        type: "LoadBalancer",
        ports: [{ port: 80, nodePort: 30080, protocol: "TCP" }],
        ingress: ["192.0.2.7"],
      },
    ]);
    expect(await pulumi.isSecret(cnf.endpoints)).toBe(false);
  });

  test("replaces an object, deleted first, where what nobody may change of it is another", async () => {
    const first = registered.length;
    const { plan: stateful } = planned(`
{apiVersion: apps/v1, kind: StatefulSet, metadata: {name: db}, spec: {serviceName: db, revisionHistoryLimit: 3}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: web}}
`);
    const options: Record<string, pulumi.CustomResourceOptions> = {};
    const record: pulumi.ResourceTransformation = ({ name, opts }) => {
      options[name] = opts;
      return undefined;
    };
    const args = { plan: stateful, ...PLACE };
    new Cnf("cnf", args, { transformations: [record] });
    await pulumi.runtime.disconnect();
    const made = registered.slice(first);
    expect(made.filter(({ type }) => type === "pulumi:index:Stash")).toEqual([
      {
        type: "pulumi:index:Stash",
        name: "cnf-statefulset-default/db-immutable",
        inputs: { input: digest({ serviceName: "db" }) },
      },
    ]);
    expect(options["cnf-statefulset-default/db-immutable"]).toMatchObject({
      replaceOnChanges: ["input"],
      deleteBeforeReplace: true,
    });
    expect(options["cnf-statefulset-default/db"]).toMatchObject({
      ignoreChanges: ["spec.revisionHistoryLimit"],
      deleteBeforeReplace: true,
    });
    expect(options["cnf-deployment-default/web"]).not.toHaveProperty("deleteBeforeReplace");
    expect(made.find(({ type }) => type === "kubernetes:apps/v1:StatefulSetPatch")).toEqual({
      type: "kubernetes:apps/v1:StatefulSetPatch",
      name: "cnf-statefulset-default/db-revision-history",
      inputs: {
        apiVersion: "apps/v1",
        kind: "StatefulSet",
        metadata: {
          name: "db",
          namespace: "default",
          annotations: {
            "pulumi.com/patchForce": "true",
            "pulumi.com/waitFor": "jsonpath={.metadata.uid}",
          },
        },
        spec: { revisionHistoryLimit: 3 },
      },
    });
  });

  test("waits for what must be ready, not for what need only be made", async () => {
    const { plan: operator } = planned(`
{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: c},
  spec: {group: example.com, scope: Namespaced, names: {kind: Site}}}
---
{apiVersion: example.com/v1, kind: Site, metadata: {name: s}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: w}}
---
{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: h},
  spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: w}}}
`);
    const before: Record<string, unknown[]> = {};
    const args = { plan: operator, ...PLACE };
    const record: pulumi.ResourceTransformation = ({ name, opts }) => {
      before[name] = [opts.dependsOn].flat();
      return undefined;
    };
    const { resources } = new Cnf("cnf", args, { transformations: [record] });
    await pulumi.runtime.disconnect();
    const deployment = resources["cnf-deployment-default/w"];
    const names = (key: string) => before[key]?.map((one) => (one as { __name: string }).__name);
    expect(names("cnf-customresourcedefinition-c")).toEqual(["cnf-unclaimed"]);
    expect(names("cnf-deployment-default/w")).toEqual(["cnf-customresourcedefinition-c"]);
    expect(before["cnf-site.example.com-default/s"]).toContain(deployment);
    expect(before["cnf-horizontalpodautoscaler-default/h"]).toHaveLength(1);
    expect(before["cnf-horizontalpodautoscaler-default/h"]).not.toContain(deployment);
  });
});
