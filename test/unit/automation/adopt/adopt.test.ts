/** What is read of a cluster that others have made, and what is written of it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { identityOf, warningsAbout } from "../../../../automation/adopt";
import { declared } from "../../../../automation/adopt/declared";
import { MANIFESTS, packageFiles, vdusOf } from "../../../../automation/adopt/package-text";
import { readObjects } from "../../../../automation/adopt/read";
import { intentOf } from "../../../../automation/stack/intent";
import { inUse } from "../../../../components/kube/objects/checksum";
import { at, shown, type KubeObject } from "../../../../components/kube/objects/object";
import { kubeconfig } from "../../fixtures";
import { API, CLUSTER } from "./cluster";
import { inRepository } from "../in-repository";

const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

it("the adoption reads with a Cluster all that was declared of it, each once", async () => {
  const found = await readObjects(API, "tenant", ["Cluster/tenant"]);
  expect(found.map(({ object }) => shown(object))).toEqual([
    "Cluster tenant/tenant",
    "KubeadmControlPlane tenant/tenant",
    "OpenStackMachineTemplate tenant/masters",
    "OpenStackCluster tenant/tenant",
    "MachineDeployment tenant/workers",
  ]);
  expect(warningsAbout("tenant", found)).toEqual([
    "tenant: the objects shown as created exist on the cluster and stay as they are; from now on 'pulumi destroy' deletes them",
    "tenant: Secret files, clouds is used, but not adopted: keep it on the cluster as long as tenant",
  ]);
});

it("the adoption marks objects with the identity that the stack's state has", () => {
  const kept = (name: string, output: string) => ({
    urn: `urn:pulumi:renamed::vnfm::pulumi:index:Stash::${name}`,
    ...{ type: "pulumi:index:Stash", custom: true, outputs: { output } },
  });
  const resources = [kept("vnf-a-pv-immutable", "0a1b"), kept("identity", "site-1-5f0c2a9e")];
  expect(identityOf({ deployment: { resources } })).toBe("site-1-5f0c2a9e");
  expect(() => identityOf({ deployment: {} })).toThrow(
    "the stack has no identity yet, which marks adopted objects: run 'pulumi up' once",
  );
});

it.each([
  [["Clustr/tenant"], 'the cluster has no kind "Clustr"; did you mean "Cluster"?'],
  [["Cluster/other"], "the cluster has no Cluster tenant/other"],
  [["Service/web"], "the cluster has no Service tenant/web"],
  [
    ["Gateway/web"],
    '"Gateway" exists in several API groups: write Gateway.one.example or Gateway.other.example',
  ],
])("the adoption refuses %j", async (asked, message) => {
  await expect(readObjects(API, "tenant", asked)).rejects.toThrow(message);
});

it("the adoption refuses a Cluster that a ClusterClass makes", async () => {
  const get = async (path: string) => {
    const read = await API.get(path);
    return read === CLUSTER ? { ...CLUSTER, spec: { topology: { classRef: { name: "c" } } } } : read;
  };
  await expect(readObjects({ get }, "tenant", ["Cluster/tenant"])).rejects.toThrow(
    "Cluster tenant/tenant is created from a ClusterClass (spec.topology), whose controllers write its objects: it cannot",
  );
});

it("the adoption declares what people have set, and nothing that controllers or servers have", () => {
  expect(declared(CLUSTER as KubeObject)).toEqual({
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Cluster",
    metadata: { name: "tenant", namespace: "tenant" },
    spec: {
      clusterNetwork: { serviceDomain: "cluster.local" },
      controlPlaneRef: CLUSTER.spec.controlPlaneRef,
      infrastructureRef: CLUSTER.spec.infrastructureRef,
    },
  });
});

it("the adoption declares the fields of the manifest that kubectl has applied, with the values that are there", () => {
  const applied = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "web", namespace: "web", annotations: { a: "1" } },
    spec: { replicas: 1, template: { spec: { containers: [{ name: "c" }] } } },
  };
  const live = {
    ...applied,
    metadata: {
      ...{ name: "web", namespace: "web", uid: "u", generation: 3 },
      annotations: {
        a: "1",
        [LAST_APPLIED]: JSON.stringify(applied),
        "deployment.kubernetes.io/revision": "2",
      },
    },
    spec: {
      ...{ replicas: 4, progressDeadlineSeconds: 600 },
      template: {
        spec: { containers: [{ name: "c", imagePullPolicy: "Always" }], dnsPolicy: "ClusterFirst" },
      },
    },
    status: { replicas: 4 },
  };
  expect(declared(live)).toEqual({
    ...applied,
    spec: { replicas: 4, template: { spec: { containers: [{ name: "c", imagePullPolicy: "Always" }] } } },
  });
});

it("the adoption leaves replicas to an autoscaler, and an item of a list to the controller that has set it", () => {
  const live = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: {
      name: "web",
      managedFields: [
        {
          manager: "kubectl-create",
          fieldsV1: { "f:spec": { "f:x": {}, "f:list": { 'k:{"name":"a"}': { "f:v": {} } } } },
        },
        { manager: "autoscaler", subresource: "scale", fieldsV1: { "f:spec": { "f:replicas": {} } } },
        {
          manager: "operator",
          fieldsV1: {
            "f:status": {},
            "f:spec": {
              "f:x": {},
              "f:list": { 'k:{"name":"a"}': { "f:w": {} }, 'k:{"name":"b"}': { ".": {} } },
            },
          },
        },
      ],
    },
    spec: { replicas: 3, x: 1, list: [{ name: "a", v: 1, w: 2 }, { name: "b" }] },
  };
  expect(declared(live)["spec"]).toEqual({ x: 1, list: [{ name: "a", v: 1 }] });
});

it("the adoption leaves out the address that a cluster has given a Service", () => {
  const service = { apiVersion: "v1", kind: "Service", metadata: { name: "s" } };
  const spec = { clusterIP: "10.96.0.9", clusterIPs: ["10.96.0.9"], ports: [{ port: 80 }] };
  expect(declared({ ...service, spec })).toEqual({ ...service, spec: { ports: [{ port: 80 }] } });
});

describe("a package", () => {
  const folder = mkdtempSync(join(tmpdir(), "vnfm-adopt-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  /** What the program plans of a package of the objects. */
  function planned(name: string, objects: readonly KubeObject[]) {
    for (const [path, text] of Object.entries(packageFiles(name, objects))) {
      mkdirSync(dirname(join(folder, name, path)), { recursive: true });
      writeFileSync(join(folder, name, path), text);
    }
    const settings = {
      package: join(folder, name),
      vim: { kubeconfig: kubeconfig("site") },
      additionalParams: { namespace: name, "lcm-kubernetes-def-files": [MANIFESTS] },
    };
    const plan = intentOf(inRepository({ vnfs: { [name]: settings } })).get(name)?.plan;
    if (plan?.kind !== "cnf") throw new Error("it is no CNF");
    return plan;
  }

  it("leaves pods as they are until the configuration that they have started with is another one", () => {
    const metadata = { name: "web", namespace: "web" };
    const configMap = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { page: "one" } };
    const volumes = [{ name: "page", configMap: { name: "web" } }];
    const template = {
      metadata: { labels: { app: "web" } },
      spec: { volumes, containers: [{ name: "c", image: "web:1" }] },
    };
    const deployment = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata,
      spec: { replicas: 1, template },
    };
    const templateOf = (page: string) => {
      const adopted = inUse([configMap, deployment]);
      const changed = adopted.map((it) => (it.kind === "ConfigMap" ? { ...it, data: { page } } : it));
      const { objects } = planned("web", changed).cnf;
      return at(objects.find(({ object }) => object.kind === "Deployment")?.object, "spec", "template");
    };
    expect(templateOf("one")).toEqual(template);
    expect(at(templateOf("two"), "metadata", "annotations")).toEqual({
      "vnfm.io/configuration-checksum": expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    });
  });

  it("is one that the program plans as it was read", async () => {
    const found = await readObjects(API, "tenant", ["Cluster/tenant"]);
    const objects = found.map(({ object }) => declared(object));
    expect(vdusOf(objects).map(({ id }) => id)).toEqual(["tenant", "workers"]);
    const plan = planned("tenant", objects);
    expect(plan.cluster).toMatchObject({ name: "tenant", namespace: "tenant", kubernetesVersion: "v1.33.0" });
    const its = plan.cnf.objects.filter(({ retain }) => !retain).map(({ object }) => object);
    expect(its).toHaveLength(objects.length);
    expect(its).toEqual(expect.arrayContaining(objects));
    expect(plan.cnf.vnfcs).toMatchObject([{ replicas: 1 }, { replicas: 2 }]);
  });

  it("tells controllers of one name from each other", () => {
    const metadata = { name: "web" };
    const objects = ["Deployment", "StatefulSet"].map((kind) => ({ apiVersion: "apps/v1", kind, metadata }));
    expect(vdusOf(objects).map(({ id }) => id)).toEqual(["Deployment-web", "StatefulSet-web"]);
  });

  it("keeps texts that YAML 1.1 would read as something else", () => {
    const data = { a: "yes", b: "0644", c: "1:20", d: "2026-01-01", e: "a\nb\n", f: "", g: "null", h: "1e3" };
    const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" }, data };
    expect(() => packageFiles("c", [object])).not.toThrow();
  });
});
