/** Keys of a manifest that are names of other things too, as every object of JavaScript and of Pulumi's SDK has them. */
import * as pulumi from "@pulumi/pulumi";
import { Cnf } from "../../../components/deploy/objects/cnf";
import { readManifests } from "../../../components/kube/manifests/manifests";
import { faultLine, type Fault } from "../../../components/vnfd/model";
import { planned } from "./support";

const SIGNATURE = "4dabf18193072939515e22adb298388d";
const KEYS = [
  ...Object.getOwnPropertyNames(Object.prototype).filter((key) => !key.startsWith("__")),
  ...["then", "toJSON", "apply", "call", "length", "splice", "prototype", "getProvider", "id", "urn", "name"],
];
const OF_RESOURCES = ["id", "urn", "hasOwnProperty"];
const OF_PULUMI = ["__proto__", "__pulumiOutput", "__pulumiResource", "__pulumiAsset", SIGNATURE];

/** A manifest with the key in one of its places. */
const PLACES: Readonly<Record<string, (key: string, name: string) => string>> = {
  "a custom resource": (key, name) =>
    `{apiVersion: example.com/v1, kind: Site, metadata: {name: ${name}}, ${key}: {a: true}}`,
  "its spec": (key, name) =>
    `{apiVersion: example.com/v1, kind: Site, metadata: {name: ${name}}, spec: {${key}: {${key}: [{${key}: true}]}}}`,
  "the metadata of a Service": (key, name) =>
    `{apiVersion: v1, kind: Service, metadata: {name: ${name}, labels: {${key}: x}, annotations: {${key}: x}}, spec: {selector: {${key}: x}}}`,
  "the data of a Secret": (key, name) =>
    `{apiVersion: v1, kind: Secret, metadata: {name: ${name}}, stringData: {${key}: x}}`,
  "a Deployment": (key, name) =>
    `{apiVersion: apps/v1, kind: Deployment, metadata: {name: ${name}}, spec: {selector: {matchLabels: {${key}: x}}, template: {metadata: {labels: {${key}: x}}, spec: {volumes: [{${key}: {}}], containers: [{image: i, ${key}: {}}]}}}}`,
};

const quoted = (key: string) => JSON.stringify(key);

function faultsOf(manifest: string): string[] {
  const faults: Fault[] = [];
  readManifests({ read: () => Buffer.from(manifest) }, ["m.yaml"], faults);
  return faults.map(faultLine);
}

test("reach the engine as they are, wherever they stand", async () => {
  const made = new Map<string, unknown>();
  void pulumi.runtime.setMocks({
    newResource: ({ type, name, inputs }) => {
      if (type.startsWith("kubernetes:")) made.set(name, inputs);
      return { id: `${name}-id`, state: inputs as object };
    },
    call: () => ({}),
  });
  const manifests = Object.entries(PLACES).flatMap(([place, manifest], i) =>
    KEYS.flatMap((key, j) =>
      place === "a custom resource" && OF_RESOURCES.includes(key)
        ? []
        : [{ key, text: manifest(quoted(key), `o${i}-${j}`) }],
    ),
  );
  const { plan, faults } = planned(manifests.map(({ text }) => text).join("\n---\n"), { vdus: {} });
  expect(faults).toEqual([]);
  const kubeconfig = JSON.stringify({
    "current-context": "x",
    contexts: [{ name: "x", context: { cluster: "c" } }],
    clusters: [{ name: "c", cluster: { server: "https://192.0.2.1" } }],
  });
  const identity = pulumi.output("site-1-5f0c2a9e");
  new Cnf("cnf", { plan, identity, readyTimeout: "10m", kubeconfig: pulumi.output(kubeconfig) });
  await pulumi.runtime.disconnect();
  expect(made.size).toBe(manifests.length);
  const count = (value: unknown, key: string) => JSON.stringify(value).split(`${quoted(key)}:`).length;
  for (const { key: name, object } of plan.objects) {
    const lost = KEYS.filter((key) => count(made.get(name), key) !== count(object, key));
    expect([name, lost]).toEqual([name, []]);
  }
});

test.each(OF_RESOURCES)("the field %s of a whole object is refused, as the SDK uses it", (key) => {
  const manifest = PLACES["a custom resource"]?.(quoted(key), "s") ?? "";
  expect(faultsOf(manifest)).toEqual([
    `m.yaml:1: document 1, Site: has the key ${key}, which Pulumi reserves; remove it`,
  ]);
});

describe.each(Object.entries(PLACES))("in %s", (_, manifest) => {
  test.each(OF_PULUMI)("%s is refused", (key) => {
    const [fault = ""] = faultsOf(manifest(quoted(key), "s"));
    expect(fault).toContain(`has the key ${key}, which Pulumi reserves; remove it`);
  });
});
