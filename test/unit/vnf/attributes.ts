import { planOf } from "../../support/planned";
import * as pulumi from "@pulumi/pulumi";
import { attributeValues } from "../../../components/deploy/attributes";
import { makeVnfs, Vnf } from "../../../components/deploy/instance";
import { vnfOutputs } from "../../../components/deploy/outputs";
import { Fault } from "../../../components/base/fault";
import { expectedOutputs } from "../../../components/plan/attributes";
import { recordResources, settle, type RecordedResource } from "../../support/mocks";
import { connectionPoint, flavour, kubeconfig, vdu, vnfPackage } from "../fixtures";
import { clusterOutputs } from "./outputs";

const gatewayFlavour = flavour({
  vdus: { gw: vdu("gw", { initialInstances: 1, volumes: ["data"] }) },
  volumes: { data: { id: "data", sizeGiB: 20, image: undefined, volumeType: undefined } },
  connectionPoints: { cp: connectionPoint("cp", "gw") },
  virtualIps: { vip: { id: "vip", targets: ["cp"], vipFunction: "high_availability" } },
});

const NETWORK = "6d0e4f32-0000-4000-8000-000000000000";
const gateway = {
  package: "gateway",
  extVirtualLinks: {
    cp: { network: NETWORK, floatingNetwork: "public" },
    vip: { network: NETWORK, floatingNetwork: "public" },
  },
};

const MANIFESTS = {
  "front.yaml": `
apiVersion: v1
kind: ConfigMap
metadata: {name: config, annotations: {shown: "\${ADDRESS}"}}
data: {url: "http://\${ADDRESS}:\${PORT}", port: "\${PORT}"}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: volume}
spec: {nfs: {server: "\${ADDRESS}", path: /data}, capacity: {storage: 1Gi}, accessModes: [ReadWriteMany]}
---
apiVersion: example.com/v1
kind: Site
metadata: {name: site}
spec: {port: \${PORT}, address: \${ADDRESS}}
`,
  "back.yaml":
    "{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {type: NodePort, ports: [{port: 80}]}}",
};

const cnf = (file: string, variables?: object) => ({
  package: "cnf",
  vim: { kubeconfig: kubeconfig("c") },
  additionalParams: { "lcm-kubernetes-def-files": [file], ...(variables && { variables }) },
});

const ADDRESS = { get_attribute: ["gateway", "vnfcs", "gw-1", "addresses", "cp"] };
const PORT = { get_attribute: ["back", "endpoints", "s", "ports", 0, "nodePort"] };

function plan(vnfs: object) {
  return planOf(vnfs, {
    loadPackage: (location) =>
      vnfPackage(location, { simple: location === "gateway" ? gatewayFlavour : flavour() }, MANIFESTS),
  });
}

/** Returns the outputs of a created resource. */
function outputs(resource: RecordedResource): Record<string, unknown> {
  if (resource.type === "kubernetes:core/v1:Service")
    return { spec: { type: "NodePort", ports: [{ port: 80, protocol: "TCP", nodePort: 30123 }] } };
  if (resource.type === "openstack:networking/floatingIp:FloatingIp") return { address: "203.0.113.9" };
  return clusterOutputs(resource);
}

it("fills in values of other instances once they are known, numbers as numbers where they stand alone", async () => {
  const recorded = recordResources(outputs);
  makeVnfs(plan({ gateway, back: cnf("back.yaml"), front: cnf("front.yaml", { ADDRESS, PORT }) }));
  await settle();
  const inputs = (name: string) => recorded.find((one) => one.name === name)?.inputs;
  const address = `10.0.0.${"gateway-gw-1-cp".length}`;
  const config = inputs("front-configmap-default/config");
  const site = recorded.find(({ type }) => type === "kubernetes:example.com/v1:Site");
  expect(config?.["data"]).toEqual({ url: `http://${address}:30123`, port: "30123" });
  expect(config?.["metadata"]).toMatchObject({ annotations: { shown: address } });
  expect(site?.inputs["spec"]).toEqual({ port: 30123, address });
  expect(inputs("front-persistentvolume-volume")?.["spec"]).toMatchObject({ nfs: { server: address } });
  expect(JSON.stringify(recorded)).not.toContain("vnfm-attribute");
});

it("makes an instance after the whole of another that it has a value of", async () => {
  recordResources(outputs);
  const before: unknown[] = [];
  const made = makeVnfs(plan({ gateway, back: cnf("back.yaml") }));
  const record: pulumi.ResourceTransformation = ({ type, opts }) => {
    if (type === "vnfm:cnf:Cnf") before.push(opts.dependsOn);
    return undefined;
  };
  const [front] = plan({
    gateway,
    back: cnf("back.yaml"),
    front: cnf("front.yaml", { ADDRESS, PORT }),
  }).filter(({ name }) => name === "front");
  if (front === undefined) throw new Error("there is no plan");
  const identity = pulumi.output("site-1-5f0c2a9e");
  new Vnf({ plan: front, made, identity }, { transformations: [record] });
  await settle();
  expect(before).toEqual([[made["gateway"], made["back"]?.cnf]]);
});

it("ends the run where an instance has no such value once it is made", () => {
  // plain values: the error of an output would end the process
  const endpoints = [{ name: "s", ingress: [] }];
  const back = {
    nodes: {},
    virtualIps: {},
    cnf: { vnfcs: [], endpoints, immutableHashes: {} },
  } as unknown as Vnf;
  const setting = ["vnfm:vnfs", "front", "additionalParams", "variables", "X", "get_attribute"];
  const valueOf = (...path: (string | number)[]) =>
    attributeValues([{ mark: "m", instance: "back", path, setting }], { back });
  const AT = "vnfm:vnfs.front.additionalParams.variables.X.get_attribute: ";
  const later = "; if a controller of the cluster sets it later, pulumi up --refresh reads it";
  expect(() => valueOf("endpoints", "s", "ingress", 0)).toThrow(
    new Fault(`${AT}the outputs of back at endpoints, s, ingress have no 0; none is defined${later}`),
  );
  expect(() => valueOf("endpoints", "s")).toThrow(
    new Fault(
      `${AT}the outputs of back at endpoints, s are several values; continue the path with one of ingress, name`,
    ),
  );
});

it("the plan knows what the outputs of an instance have", async () => {
  recordResources(outputs);
  const plans = plan({ gateway, back: cnf("back.yaml") });
  const shown = new Promise((resolve) => void pulumi.output(vnfOutputs(makeVnfs(plans))).apply(resolve));
  await settle();
  const known = Object.fromEntries(plans.map((one) => [one.name, expectedOutputs(one)]));
  expect(keysOf(known)).toEqual(keysOf(await shown));
});

/** Lists the paths to values, except those inside a value that only the run knows. */
function keysOf(value: unknown, path = ""): string[] {
  if (Array.isArray(value) && value.length === 0) return [path];
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value)
    .flatMap(([key, inner]) => keysOf(inner, `${path}/${key}`))
    .sort();
}
