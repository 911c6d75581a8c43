/**
 * A management cluster by vnfm's package of Cluster API, with cert-manager, on a kubeadm cluster. The package has
 * upstream's release files with their variables, certificates, webhooks and CRDs. The steps build on each other.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nameOfUrn } from "../../../automation/stack/steps";
import type { Cluster } from "../../support/cluster";
import { clusterVnf } from "../../support/configs";
import {
  certManagerCnf,
  filledPackage,
  labWithClusterApi,
  managementCnf,
} from "../../support/management-cluster";
import { TestStack } from "../../support/stack";

jest.setTimeout(30 * 60_000);

/** Limit of the CRDs' share of the state, in bytes: each step of each run writes the state. */
const DEFINITIONS = 50_000;

let stack: TestStack;
let kubernetes: Cluster;
let location: string;
let certManager: object;

const vnfs = (variables: object = {}) => ({
  "vnf-a": clusterVnf(1),
  "cert-manager": certManager,
  management: managementCnf(location, variables),
});

beforeAll(async () => {
  await labWithClusterApi();
  stack = await TestStack.create("cluster-api", {});
  location = await filledPackage(stack.folder);
  certManager = await certManagerCnf();
});

afterAll(async () => {
  kubernetes?.close();
  await stack?.remove();
});

interface Deployment {
  readonly metadata: { readonly name: string };
  readonly status: { readonly readyReplicas?: number };
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: readonly { args: string[] }[] } };
  };
}

const MANAGERS = [
  "capi-controller-manager",
  "capi-kubeadm-bootstrap-controller-manager",
  "capi-kubeadm-control-plane-controller-manager",
  "capo-controller-manager",
  "orc-controller-manager",
];
const managers = async () =>
  (await kubernetes.list<Deployment>("deployments", "-A")).filter(({ metadata }) =>
    MANAGERS.includes(metadata.name),
  );

it("vnfm makes VNF-A, cert-manager and the managers in one run", async () => {
  stack.configure(vnfs());
  await stack.mustUp();
  kubernetes = await stack.cluster("vnf-a");
  const ready = (await managers()).filter(({ status }) => status.readyReplicas === 1);
  expect(ready.map(({ metadata }) => metadata.name).sort()).toEqual(MANAGERS);
});

it("the package has the defaults of upstream's variables", async () => {
  const core = (await managers()).find(({ metadata }) => metadata.name === "capi-controller-manager");
  const args = core?.spec.template.spec.containers[0]?.args;
  expect(args).toContain("--diagnostics-address=:8443");
  expect(args?.join()).toContain("ClusterTopology=false");
});

it("the next run has nothing left to do afterwards", async () => {
  expect(await stack.changes()).toEqual([]);
});

it("the stack has little of the CRDs in the state", async () => {
  const { deployment } = JSON.parse(await stack.state()) as { deployment: { resources: { urn: string }[] } };
  const bytes = (name: RegExp) =>
    deployment.resources
      .filter(({ urn }) => name.test(nameOfUrn(urn)))
      .reduce((sum, resource) => sum + JSON.stringify(resource).length, 0);
  expect(bytes(/^management-customresourcedefinition-/)).toBe(0);
  expect(bytes(/^management-definitions/)).toBeLessThan(DEFINITIONS);
  process.stderr.write(`state: management ${bytes(/^management(-|$)/)}, all ${bytes(/./)} bytes\n`);
});

it("the management cluster has webhooks that refuse what Cluster API refuses", async () => {
  const cluster = {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Cluster",
    metadata: { name: "bad", namespace: "default" },
    spec: { clusterNetwork: { pods: { cidrBlocks: ["10.0.0.0/99"] } } },
  };
  const { status, stderr } = await kubernetes.tryKubectl(["apply", "-f", "-"], JSON.stringify(cluster));
  expect(status).not.toBe(0);
  expect(stderr).toContain("invalid CIDR address: 10.0.0.0/99");
});

it("the preview says which CRD changes, and changes it alone", async () => {
  const file = join(location, "Files/kubernetes/core-components.yaml");
  const text = readFileSync(file, "utf8");
  const [from, to] = ["    shortNames:\n    - cl\n", "    shortNames:\n    - cl\n    - clu\n"];
  expect(text).toContain(from);
  writeFileSync(file, text.replace(from, to));
  expect(await stack.changes()).toEqual(["update management-definitions"]);
  expect(await stack.must("preview", "--diff", "--stack", stack.name)).toMatch(
    /~ clusters\.cluster\.x-k8s\.io *: "[0-9a-f]{32}" => "[0-9a-f]{32}"/,
  );
  await stack.mustUp();
  await kubernetes.kubectl(["get", "clu", "-A"]);
  expect(await stack.changes()).toEqual([]);
});

it("the CNF takes a variable's value, which rolls the managers that have it", async () => {
  stack.configure(vnfs({ CLUSTER_TOPOLOGY: true }));
  const deployments = ["capi-kubeadm-control-plane-system/capi-kubeadm-control-plane", "capi-system/capi"];
  expect(await stack.changes()).toEqual(
    deployments.flatMap((name) => {
      const key = `update management-deployment-${name}-controller-manager`;
      return [key, `${key}-ready`];
    }),
  );
  await stack.mustUp();
  expect(await stack.changes()).toEqual([]);
});

it("Cluster API goes with all that it has brought, and leaves the others", async () => {
  stack.configure({ "vnf-a": clusterVnf(1), "cert-manager": certManager });
  await stack.mustUp();
  const left = (await kubernetes.kubectl(["get", "crds,namespaces", "-o", "name"])).split("\n");
  expect(left.filter((name) => /cluster\.x-k8s\.io|k-orc|capi|capo|orc-system/.test(name))).toEqual([]);
  expect(left.filter((name) => name.includes("cert-manager.io"))).toHaveLength(6);
});
