/** Variables that are encrypted in the stack config: what has them is secret in the state. */
import * as pulumi from "@pulumi/pulumi";
import { Cnf } from "../../../components/deploy/objects/cnf";
import { Secret } from "../../../components/base/secret";
import { PackageFault } from "../../../components/vnfd/model";
import { recordResources, settle } from "../../support/mocks";
import { kubeconfig } from "../fixtures";
import { planned } from "./support";

const variables = { PASSWORD: new Secret("1"), PORT: 80 };

const MANIFEST = `
{apiVersion: v1, kind: ConfigMap, metadata: {name: config}, data: {key: "p=\${PASSWORD}"}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: other}, data: {port: "\${PORT}"}}
---
{apiVersion: v1, kind: Secret, metadata: {name: secret}, type: Opaque, stringData: {key: "\${PASSWORD}"}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  revisionHistoryLimit: 2
  serviceName: db
  selector: {matchLabels: {a: b}}
  template:
    metadata: {labels: {a: b}}
    spec: {containers: [{name: c, image: i, env: [{name: PASSWORD, value: "\${PASSWORD}"}]}]}
---
apiVersion: v1
kind: Service
metadata: {name: web}
spec: {type: LoadBalancer, loadBalancerIP: "\${PASSWORD}", ports: [{port: 80}]}
`;

test("an object with one is secret as a whole, whatever the value is, and so is all that is made of it", async () => {
  const recorded = recordResources();
  const { plan } = planned(MANIFEST, { params: { variables } });
  const cnf = new Cnf("cnf", {
    plan,
    identity: pulumi.output("site-1-5f0c2a9e"),
    readyTimeout: "2m",
    kubeconfig: pulumi.secret(kubeconfig("c")),
  });
  let endpoints: unknown;
  cnf.endpoints.apply((known) => (endpoints = known));
  await settle();
  const inputs = Object.fromEntries(recorded.map(({ name, inputs }) => [name, inputs]));
  const secret = (value: unknown) =>
    expect.objectContaining({
      "4dabf18193072939515e22adb298388d": expect.anything() as unknown,
      value,
    }) as unknown;
  expect(inputs["cnf-configmap-default/config"]?.["data"]).toEqual(secret({ key: "p=1" }));
  expect(inputs["cnf-configmap-default/other"]?.["data"]).toEqual({ port: "80" });
  expect(inputs["cnf-secret-default/secret"]).toMatchObject({
    type: "Opaque",
    stringData: secret({ key: "1" }),
  });
  expect(inputs["cnf-statefulset-default/db"]?.["spec"]).toEqual(
    secret(expect.objectContaining({ serviceName: "db" })),
  );
  expect(inputs["cnf-statefulset-default/db-immutable"]?.["input"]).toEqual(
    secret(expect.stringMatching(/^[0-9a-f]{64}$/)),
  );
  expect(inputs["cnf-statefulset-default/db-revision-history"]?.["spec"]).toEqual(
    secret({ revisionHistoryLimit: 2 }),
  );
  expect(inputs["cnf-service-default/web"]?.["spec"]).toEqual(
    secret(expect.objectContaining({ loadBalancerIP: "1" })),
  );
  expect(endpoints).toEqual([]);
});

test("a number and a boolean arrive in a manifest as what they are", () => {
  const manifest =
    "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {port: ${PORT}, debug: ${DEBUG}, text: '${PORT}'}}";
  const { plan } = planned(manifest, {
    params: { variables: { PORT: new Secret(80), DEBUG: new Secret(true) } },
  });
  expect(plan.objects.map(({ object, secret }) => [object["data"], secret])).toEqual([
    [{ port: 80, debug: true, text: "80" }, true],
  ]);
});

const IN_PLAIN = (place: string) =>
  `an encrypted variable is in ${place}, which appears unencrypted in the state and in messages; set it without --secret`;

test.each([
  ["{apiVersion: v1, kind: ConfigMap, metadata: {name: '${PASSWORD}'}}", IN_PLAIN("metadata")],
  [
    "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: {b: 'x${PASSWORD}'}}}",
    IN_PLAIN("metadata"),
  ],
  ["{apiVersion: v1, kind: 'Config${PASSWORD}', metadata: {name: a}}", IN_PLAIN("kind")],
  [
    "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {'${PASSWORD}': b}}",
    IN_PLAIN("the key of a mapping"),
  ],
  [
    "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: a.b}, spec: {group: '${PASSWORD}'}}",
    "contains an encrypted variable, but definitions are never secret; set the variable without --secret",
  ],
])("%s is refused", (manifest, message) => {
  const plan = () => planned(manifest, { params: { variables } });
  expect(plan).toThrow(PackageFault);
  expect(plan).toThrow(message);
});

test("a number that cannot be kept is not shown", () => {
  const long = new Secret("123456789012345678901");
  const plan = () =>
    planned("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {b: ${PASSWORD}}}", {
      params: { variables: { PASSWORD: long } },
    });
  expect(plan).toThrow("the encrypted variable is not a number that can be kept exactly; quote it");
  expect(plan).not.toThrow(long.reveal());
});
