/** What the state has of CRDs that are large together. */
import * as pulumi from "@pulumi/pulumi";
import { Cnf } from "../../../components/deploy/objects/cnf";
import { kubeconfig } from "../fixtures";
import { planned } from "./support";

const registered: Record<string, Record<string, unknown>> = {};

beforeAll(() =>
  pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => {
      registered[name] = inputs as Record<string, unknown>;
      return { id: `${name}-id`, state: inputs as Record<string, unknown> };
    },
    call: () => ({}),
  }),
);

const TEXT = "what stands in the schema; ".repeat(4000);
const crd = (plural: string, description: string) =>
  JSON.stringify({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.example.com` },
    spec: {
      ...{ group: "example.com", scope: "Namespaced", names: { plural, kind: "Site" } },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { description } } }],
    },
  });
const site = '{"apiVersion": "example.com/v1", "kind": "Site", "metadata": {"name": "s"}}';

test("the state has their names and hashes, once for all of them", async () => {
  const { plan } = planned([crd("sites", TEXT), crd("others", ""), site].join("\n---\n"));
  const cnf = new Cnf("cnf", {
    plan,
    identity: pulumi.output("site-1-5f0c2a9e"),
    readyTimeout: "10m",
    kubeconfig: pulumi.secret(kubeconfig("c")),
    lifetime: undefined,
  });
  await Promise.all(
    Object.values(cnf.resources).map((resource) => new Promise((done) => resource.urn.apply(done))),
  );
  await pulumi.runtime.disconnect();
  expect(Object.keys(cnf.resources)).toEqual(["cnf-site.example.com-default/s"]);
  expect(Object.keys(registered).sort()).toEqual([
    "cnf",
    "cnf-definitions",
    "cnf-definitions-end",
    "cnf-foreign-objects",
    "cnf-site.example.com-default/s",
    "cnf-site.example.com-default/s-ready",
    "cnf-unclaimed",
  ]);
  expect(JSON.stringify(registered)).not.toContain("what stands in the schema");
  const hash = expect.stringMatching(/^[0-9a-f]{32}$/) as string;
  const script = `exec node -e 'require("vnfm/run")' deploy/objects/scripts/definitions`;
  expect(registered["cnf-definitions"]).toMatchObject({
    create: script,
    environment: { "sites.example.com": hash, "others.example.com": hash },
  });
  expect(registered["cnf-definitions"]).not.toHaveProperty("delete");
  expect(registered["cnf-definitions-end"]).toMatchObject({ delete: `${script} delete` });
  expect(registered["cnf-definitions-end"]).not.toHaveProperty("create");
  const guard = registered["cnf-foreign-objects"];
  expect(guard).toMatchObject({
    delete: `exec node -e 'require("vnfm/run")' deploy/objects/scripts/foreign-objects delete`,
  });
  expect(guard).not.toHaveProperty("create");
});
