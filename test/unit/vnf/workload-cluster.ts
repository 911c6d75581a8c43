import { planOf } from "../../support/planned";
import * as pulumi from "@pulumi/pulumi";
import { parse, stringify } from "yaml";
import { makeVnfs } from "../../../components/deploy/instance";
import { clusterOutputs as outputsOf } from "../../../components/deploy/outputs";
import { tenantKubeconfig } from "../../../components/deploy/workload-cluster";
import { recordResources, settle } from "../../support/mocks";
import { flavour, kubeconfig, vnfPackage } from "../fixtures";
import { adminKubeconfig } from "./outputs";

const clusters = (...names: string[]) =>
  names
    .map((name) => stringify({ apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", metadata: { name } }))
    .join("---\n");
const PACKAGES: Readonly<Record<string, string>> = {
  one: clusters("tenant"),
  two: clusters("a", "b"),
  app: "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}}",
};
const cnf = (its: string, vim: unknown) => ({
  package: its,
  vim,
  additionalParams: { "lcm-kubernetes-def-files": ["m.yaml"] },
});
const plansWith = (vnfs: object) =>
  planOf(vnfs, {
    loadPackage: (name) => vnfPackage(name, { simple: flavour({}) }, { "m.yaml": PACKAGES[name] ?? "" }),
  });
const management = { kubeconfig: kubeconfig("management") };

describe("a CNF with a Cluster of Cluster API", () => {
  it("is a VIM: what is on it has its kubeconfig, comes after its API and goes with it", async () => {
    const admin = adminKubeconfig();
    // other keys of the Secret are not used
    const written = parse(admin) as { users: object[] };
    written.users.push({ name: "other", user: { exec: { command: "sh" } } });
    const value = Buffer.from(stringify(written)).toString("base64");
    const recorded = recordResources(({ name }) =>
      name === "tenant-kubeconfig" ? { data: { value } } : { metadata: { uid: "uid" } },
    );
    const made = makeVnfs(plansWith({ app: cnf("app", "tenant"), tenant: cnf("one", management) }));
    const { kubeconfigs } = outputsOf(made);
    const known = new Promise((resolve) => kubeconfigs.apply(resolve));
    await settle();
    expect(await known).toEqual({ tenant: admin });
    const names = recorded.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        "tenant-api",
        "tenant-kubeconfig",
        "tenant-cluster",
        "tenant-access-serviceaccount",
      ]),
    );
    const provider = recorded.find(({ name }) => name === "tenant-cluster");
    expect(provider?.inputs["kubeconfig"]).toMatchObject({ value: admin });
  });

  it("ends the run where its kubeconfig could do more than reach it", () => {
    const value = adminKubeconfig().replace("token: tenant-token", "exec: { command: sh }");
    expect(() => tenantKubeconfig({ value }, "vnfm:vnfs.tenant: its kubeconfig")).toThrow(
      new pulumi.RunError(
        "vnfm:vnfs.tenant: its kubeconfig: user.exec: is not allowed in a kubeconfig of others; " +
          "allowed: token, client-certificate-data, client-key-data",
      ),
    );
  });

  it("with several of them is none, and says so", () => {
    const [plan] = plansWith({ tenants: cnf("two", management) });
    expect(plan?.warnings).toEqual([
      "vnfm:vnfs.tenants: Cluster a and Cluster b are created, and none can be a target cluster: use one instance for each",
    ]);
    expect(() => plansWith({ tenants: cnf("two", management), app: cnf("app", "tenants") })).toThrow(
      'vnfm:vnfs.app.vim: "tenants" is not a cluster',
    );
  });

  it("cannot be on a cluster that is on it", () => {
    expect(() => plansWith({ a: cnf("one", "b"), b: cnf("one", "a") })).toThrow(
      "vnfm:vnfs.a.vim: the clusters run on each other in a circle: a -> b -> a; the first one needs a VIM that exists without them",
    );
  });
});
