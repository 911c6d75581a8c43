/** Values that a CNF has of the outputs of other instances. */
import { planOf } from "../../support/planned";
import {
  filled,
  withMarks,
  withMarksOfTexts,
  type Attribute,
} from "../../../components/kube/objects/attributes";
import { expectedOutputs } from "../../../components/plan/attributes";
import { workloads } from "../../../components/plan/model";
import { SettingsFault } from "../../../components/base/settings-fault";
import { PackageFault } from "../../../components/vnfd/model";
import { planned } from "../cnf/support";
import { connectionPoint, flavour, kubeconfig, vdu, vnfPackage } from "../fixtures";
import { placeOf } from "../places";
import { plannedCluster } from "./planned-cluster";

const FILES = {
  "config.yaml": "{apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {key: '${X}'}}",
  "service.yaml":
    "{apiVersion: v1, kind: Service, metadata: {name: s}, spec: {type: NodePort, ports: [{port: 80}]}}",
  "site.yaml": "{apiVersion: example.com/v1, kind: Site, metadata: {name: x}}",
  "definition.yaml":
    "{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: sites.example.com}, " +
    "spec: {group: example.com, scope: Namespaced, names: {kind: Site}}}",
};

const gatewayFlavour = flavour({
  vdus: { gw: vdu("gw", { initialInstances: 2 }) },
  connectionPoints: { cp: connectionPoint("cp", "gw") },
});

const gateway = { package: "gateway", extVirtualLinks: { cp: { network: "n", floatingNetwork: "public" } } };

const cnf = (files: readonly (keyof typeof FILES)[], get_attribute?: unknown) => ({
  package: "cnf",
  vim: { kubeconfig: kubeconfig("c") },
  additionalParams: {
    "lcm-kubernetes-def-files": files,
    ...(get_attribute !== undefined && { variables: { X: { get_attribute } } }),
  },
});

const plan = (vnfs: object) =>
  planOf(vnfs, {
    loadPackage: (location) =>
      vnfPackage(location, { simple: location === "gateway" ? gatewayFlavour : flavour() }, FILES),
  });

function faultsOf(vnfs: object): readonly string[] {
  try {
    plan(vnfs);
  } catch (error) {
    if (error instanceof SettingsFault) return error.faults;
    throw error;
  }
  return [];
}

const orderOf = (vnfs: object) => plan(vnfs).map((one) => [one.name, "after" in one ? one.after : []]);

test("an instance comes after those whose outputs it asks for, on whatever cluster these are", () => {
  const ADDRESS = ["gateway", "vnfcs", "gw-1", "addresses", "cp"];
  const PORT = ["back", "endpoints", "s", "ports", 0, "nodePort"];
  expect(
    orderOf({
      front: cnf(["config.yaml"], PORT),
      back: { ...cnf(["service.yaml", "config.yaml"], ADDRESS), vim: { kubeconfig: kubeconfig("other") } },
      gateway,
    }),
  ).toEqual([
    ["gateway", []],
    ["back", ["gateway"]],
    ["front", ["back"]],
  ]);
});

test("an instance with an attribute of another one on its cluster comes after that one", () => {
  // by itself the one with the definition comes first
  expect(
    orderOf({
      user: cnf(["site.yaml", "service.yaml"]),
      definition: cnf(["definition.yaml", "config.yaml"], ["user", "endpoints", 0, "name"]),
    }),
  ).toEqual([
    ["user", []],
    ["definition", ["user"]],
  ]);
});

const AT = "vnfm:vnfs.user.additionalParams.variables.X.get_attribute: ";

test.each<[readonly (string | number)[], string]>([
  [
    ["gatewy", "apiUrl"],
    'this stack has no instance "gatewy"; one of gateway, other, user; did you mean "gateway"?',
  ],
  [["gateway", "apiUrl"], 'the outputs of gateway have no "apiUrl"; one of vnfState, vnfcs'],
  [["gateway", "vnfcs", "gw-3"], 'the outputs of gateway at vnfcs have no "gw-3"; one of gw-1, gw-2'],
  [
    ["gateway", "vnfcs", "gw-1"],
    "the outputs of gateway at vnfcs, gw-1 are several values; continue the path with one of addresses, floatingIps, serverId",
  ],
  [["other", "endpoints", "t"], 'the outputs of other at endpoints have no "t"; one of s'],
  [["other", "endpoints", 1], "the outputs of other at endpoints have no 1; one of s"],
  [
    ["user", "vnfState"],
    "the instances wait for each other in a circle: user -> user; write one of the values itself",
  ],
  [["gateway"], "must be a list: the name of an instance, then the keys in its outputs"],
])("%j is refused", (path, message) => {
  const other = cnf(["service.yaml"]);
  expect(faultsOf({ gateway, other, user: cnf(["config.yaml"], path) })).toEqual([AT + message]);
});

test("instances that wait for each other are told with the way between them", () => {
  const wait = (vim: string, name: string) => ({
    ...cnf(["config.yaml"], [name, "vnfState"]),
    vim: { kubeconfig: kubeconfig(vim) },
  });
  expect(faultsOf({ a: wait("1", "b"), b: wait("2", "user"), user: wait("3", "a") })).toEqual([
    "vnfm:vnfs.a.additionalParams.variables.X.get_attribute: the instances wait for each other in a circle: " +
      "a -> b -> user -> a; write one of the values itself",
  ]);
});

test("the blocks of addresses of a cluster by a template are among its outputs", () => {
  const { plan } = plannedCluster({ network: { podCidr: "10.1.0.0/16", serviceCidr: "10.2.0.0/16" } });
  expect(expectedOutputs(plan)).toMatchObject({ podCidrs: ["10.1.0.0/16"], serviceCidrs: ["10.2.0.0/16"] });
  const values = { cidr: { get_attribute: ["tenant", "podCidrs", 0] } };
  const flannel = {
    ...{ repository: "https://charts.example", version: "0.27.0", digest: "0123456789abcdef".repeat(4) },
    values,
  };
  expect(() => plannedCluster({ addons: { flannel } })).not.toThrow();
});

test.each([
  "{apiVersion: v1, kind: ConfigMap, metadata: {name: '${X}'}}",
  "{apiVersion: v1, kind: ConfigMap, metadata: {name: a, labels: {b: 'x${X}'}}}",
])("%s is refused: what the plan has to know", (manifest) => {
  const variables = { X: { get_attribute: ["gateway", "vnfState"] } };
  const planIt = () => planned(manifest, { params: { variables } });
  expect(planIt).toThrow(PackageFault);
  expect(planIt).toThrow(
    "get_attribute is in metadata, which must be known before the update; write the value itself",
  );
});

test("the pods that use a ConfigMap with a value of another instance are replaced where that value changes", () => {
  const variables = { X: { get_attribute: ["gateway", "vnfState"] } };
  const found: Attribute[] = [];
  const { X: mark } = withMarks(variables, placeOf(), found);
  const pods = `apiVersion: apps/v1
kind: Deployment
metadata: {name: d}
spec: {template: {spec: {containers: [{name: c, image: i, envFrom: [{configMapRef: {name: c}}]}]}}}`;
  const { plan } = planned(`${FILES["config.yaml"]}\n---\n${pods}`, { params: { variables } });
  const deployment = plan.objects.find(({ object }) => object.kind === "Deployment")?.object;
  const text = String(mark).replace("vnfm-attribute-", "vnfm-text-of-attribute-");
  expect(JSON.stringify(deployment)).toMatch(
    new RegExp(`"vnfm.io/configuration-checksum":"[0-9a-f]{64} ${text}"`),
  );
});

test("a text keeps what stands behind the mark in it, whatever that is", () => {
  const { X: mark } = withMarks({ X: { get_attribute: ["gateway", "vnfState"] } }, placeOf(), []);
  const values = new Map([[String(mark), 80]]);
  for (const behind of ["-value", "0", "-"])
    expect(filled(`${String(mark)}${behind}`, values)).toBe(`80${behind}`);
  expect(filled(String(mark), values)).toBe(80);
  expect(filled(withMarksOfTexts(String(mark)), values)).toBe("80");
});

test("an addon of a cluster may have such values too", () => {
  const flannel = {
    ...{ repository: "https://charts.example", version: "0.27.0", digest: "0123456789abcdef".repeat(4) },
    values: { backend: { address: { get_attribute: ["vnf-a", "apiUrl"] } } },
  };
  const { plans } = plannedCluster({ addons: { flannel } });
  const addon = workloads(plans).find(({ name }) => name === "tenant-flannel");
  const [attribute, ...others] = addon?.cnf.attributes ?? [];
  expect(others).toEqual([]);
  expect(attribute).toMatchObject({ instance: "vnf-a", path: ["apiUrl"] });
  expect(addon?.cnf.releases[0]?.values).toMatchObject({ backend: { address: attribute?.mark } });
  expect(addon?.after).toEqual(["vnf-a"]);
});
