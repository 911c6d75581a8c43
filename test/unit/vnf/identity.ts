/** Tests that resources do not depend on the names of stack and project, which `pulumi stack rename` changes. */
import * as pulumi from "@pulumi/pulumi";
import { makeVnfs } from "../../../components/deploy/instance";
import { Cnf } from "../../../components/deploy/objects/cnf";
import { planStack } from "../../../components/plan/stack";
import { planRelease } from "../../../components/plan/workload/planned-release";
import { parseSettings } from "../../../components/settings/parse";
import { loadPackage } from "../../support/packages";
import { clusterTemplate, templateCluster } from "../../support/cluster-template";
import { clusterVnf, webCnf } from "../../support/configs";
import { recordResources, settle } from "../../support/mocks";
import { planned } from "../cnf/support";
import { kubeconfig } from "../fixtures";
import { adminKubeconfig, clusterOutputs } from "./outputs";
import { placeOf } from "../places";

const ADDON = { repository: "https://charts.example", version: "1.0.0", digest: "0".repeat(64) };
const KUBECONFIG = Buffer.from(adminKubeconfig()).toString("base64");

/** Objects of a CNF on a cluster of the stack: large CRDs, a controller with a clean-up, and a release. */
const OBJECTS = [
  {
    ...{ apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" },
    metadata: { name: "sites.example.com", annotations: { text: "large ".repeat(20_000) } },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "sites", kind: "Site" },
      versions: [],
    },
  },
  { apiVersion: "storage.k8s.io/v1", kind: "CSIDriver", metadata: { name: "cinder.csi.openstack.org" } },
];

function release() {
  const chart = { path: ".charts/0123456789abcdef/web", objects: [], hooks: [], definitions: [], random: [] };
  return planRelease("bound", {
    place: placeOf(),
    name: "web",
    namespace: "web",
    attributes: [],
    atomic: false,
    values: {},
    chart,
  });
}

/** Returns the inputs of all resources, by type and name. */
async function made(project: string, stack: string): Promise<object> {
  process.env["OS_AUTH_URL"] = "https://cloud.example/v3";
  const { settings } = parseSettings(
    {
      "vnf-a": clusterVnf(1),
      "vnf-b": webCnf("web"),
      elsewhere: webCnf("web", { vim: { kubeconfig: kubeconfig("b") } }),
      tenant: templateCluster({ vim: "vnf-a", credential: { roles: ["member"] } }),
    },
    { kube: { ...clusterTemplate(), addons: { "openstack-cloud-controller-manager": ADDON } } },
  );
  const recorded = recordResources(
    (resource) => {
      if (resource.name === "tenant-kubeconfig") return { data: { value: KUBECONFIG } };
      if (resource.type.includes("helm")) return { status: { revision: 1 } };
      return resource.type.startsWith("kubernetes:") ? { metadata: { uid: "u" } } : clusterOutputs(resource);
    },
    { project, stack },
  );
  const vnfs = makeVnfs(planStack(settings, { loadPackage, readProjectFile: () => "" }));
  const lifetime = vnfs["vnf-a"]?.cluster?.lifetime;
  const { plan } = planned(OBJECTS.map((object) => JSON.stringify(object)).join("\n---\n"), {
    instance: "bound",
  });
  new Cnf("bound", {
    ...{ plan: { ...plan, releases: [release()] }, lifetime, readyTimeout: "2m" },
    kubeconfig: pulumi.secret(kubeconfig("c")),
    identity: pulumi.output("site-1-5f0c2a9e"),
  });
  await settle();
  delete process.env["OS_AUTH_URL"];
  const all = recorded.filter(({ name }) => name !== "identity");
  return Object.fromEntries(all.map(({ type, name, inputs }) => [`${type} ${name}`, inputs]));
}

it("nothing that is made has the name of the stack or of the project in it", async () => {
  const before = await made("vnfm", "site-1");
  const types = Object.keys(before).join("\n");
  for (const kind of [
    "bound-definitions",
    "bound-cleanup",
    "helm.sh",
    "applicationCredential",
    "providers:kubernetes",
  ])
    expect(types).toContain(kind);
  expect(await made("network", "renamed")).toEqual(before);
});

it("the stack's identity is made once: the engine keeps the first, which begins with the name it had", async () => {
  const recorded = recordResources(() => ({}), { project: "vnfm", stack: "site-1" });
  const monitor = pulumi.runtime.getMonitor();
  if (monitor === undefined) throw new Error("nothing is recorded");
  const register = jest.spyOn(monitor, "registerResource");
  makeVnfs([]);
  await settle();
  expect(recorded).toEqual([
    {
      ...{ type: "pulumi:index:Stash", name: "identity" },
      inputs: { input: expect.stringMatching(/^site-1-[0-9a-f]{8}$/) as string },
    },
  ]);
  expect(register.mock.calls.map(([request]) => request.getIgnorechangesList())).toEqual([["input"]]);
});
