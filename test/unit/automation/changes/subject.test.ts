/** What a change is about, as data: who reads a preview needs no word of it. */
import type { StepEventMetadata } from "@pulumi/pulumi/automation";
import { previewOf, type Change } from "../../../../automation/changes/changes";
import { stepOf, type Step } from "../../../../automation/stack/steps";
import { COMMAND, objectOf, step, urn, vnf, VNF, vnfc } from "../steps";

const changesOf = (...steps: readonly (readonly Step[])[]) => previewOf(steps.flat()).changes;

/** A part as a line. */
const lineOf = ({ action, subject, differs = [] }: Change["parts"][number]) =>
  [action, subject.vnf, subject.vnfc, subject.kind, subject.key, ...differs.map((one) => `~${one}`)]
    .filter(Boolean)
    .join(" ");

it("a subject is a VNFC with all resources that change with its server", () => {
  const worker = vnfc("replace", "workerNode-1", "member").map((one) =>
    one.type.endsWith(":Port") ? { ...one, op: "update", differs: ["tags", "securityGroupIds"] } : one,
  );
  const [change, ...others] = changesOf(vnf(), vnfc("same", "masterNode-1", "master"), worker);
  expect(others).toEqual([]);
  expect(change?.subject).toEqual({ vnf: "vnf-a", vnfc: "workerNode-1", kind: "vnfc", key: "" });
  expect(change?.parts.map(lineOf)).toEqual([
    "update vnf-a workerNode-1 port cp ~securityGroupIds ~tags",
    "replace vnf-a workerNode-1 script join",
    "replace vnf-a workerNode-1 script member",
    "replace vnf-a workerNode-1 script prepare",
    "replace vnf-a workerNode-1 script ready",
    "replace vnf-a workerNode-1 server",
  ]);
});

it("a subject has each resource in one change, also where a VNFC has several", () => {
  const volume = step("delete", "openstack:blockstorage/volume:Volume", "vnf-a-app-1-data", {
    parent: urn("vnfm:openstack:Node", "vnf-a-app-1"),
  });
  const changes = changesOf(vnf(), vnfc("replace", "app-1"), [volume]);
  expect(changes.map(({ subject: { kind, key }, parts }) => [kind, key, parts.map(lineOf)])).toEqual([
    ["vnfc", "", ["replace vnf-a app-1 server"]],
    ["volume", "data", ["delete vnf-a app-1 volume data"]],
  ]);
});

it("a subject has a kind and a name within its owner", () => {
  const node = urn("vnfm:openstack:Node", "vnf-a-app-1");
  const of = (type: string, name: string, parent = VNF) => step("update", type, name, { parent });
  const changes = changesOf(vnf(), vnfc("same", "app-1"), [
    of("openstack:networking/floatingIp:FloatingIp", "vnf-a-app-1-cp-floating", node),
    of("openstack:compute/volumeAttach:VolumeAttach", "vnf-a-app-1-data-attachment", node),
    of("openstack:identity/applicationCredential:ApplicationCredential", "vnf-a"),
    of("openstack:networking/network:Network", "vnf-a-nodes"),
    of("openstack:networking/routerInterface:RouterInterface", "vnf-a-nodes-router"),
    of("openstack:loadbalancer/monitor:Monitor", "vnf-a-api"),
    of("pulumi:providers:kubernetes", "vnf-a"),
    of(COMMAND, "vnf-a-key"),
    of("other:index/thing:Thing", "vnf-a-one"),
  ]);
  expect(changes.flatMap(({ parts }) => parts.map(lineOf))).toEqual([
    "update vnf-a app-1 floatingIp cp-floating",
    "update vnf-a app-1 volumeAttachment data-attachment",
    "update vnf-a applicationCredential",
    "update vnf-a network nodes",
    "update vnf-a routerInterface nodes-router",
    "update vnf-a healthMonitor api",
    "update vnf-a access",
    "update vnf-a command key",
    "update vnf-a resource Thing one",
  ]);
});

it("a subject stands for the rules of a security group, and the objects of a chart, that come with it", () => {
  const groups = urn("vnfm:openstack:ClusterSecurityGroups", "vnf-a");
  const cnf = urn("vnfm:cnf:Cnf", "vnf-b");
  const rule = (name: string) =>
    step("create", "openstack:networking/secGroupRule:SecGroupRule", name, { parent: groups });
  const group = (name: string) =>
    step("create", "openstack:networking/secGroup:SecGroup", name, { parent: groups });
  const [instance, component] = objectOf("same", "ConfigMap c");
  const changes = changesOf(
    vnf(),
    [step("same", "vnfm:openstack:ClusterSecurityGroups", "vnf-a", { parent: VNF })],
    [group("vnf-a"), rule("vnf-a-tcp-22"), group("vnf-a-masters"), rule("vnf-a-masters-tcp-6443")],
    [instance, component].filter((one) => one !== undefined),
    [
      step("create", "kubernetes:helm.sh/v3:Release", "vnf-b-db", { parent: cnf }),
      step("create", "pulumi:index:Stash", "of db", { parent: cnf, object: "StatefulSet db/db" }),
    ],
  );
  expect(changes.map(({ parts }) => parts.map(lineOf))).toEqual([
    ["create vnf-a securityGroup", "create vnf-a securityGroupRule tcp-22"],
    ["create vnf-a securityGroup masters", "create vnf-a securityGroupRule masters-tcp-6443"],
    ["create vnf-b object StatefulSet db/db", "create vnf-b release db"],
  ]);
});

it("a subject says of an object that is deleted from the state alone that it stays", () => {
  const [change] = changesOf(objectOf("delete", "Namespace web", { retained: true }));
  expect(change?.parts).toEqual([
    {
      action: "delete",
      subject: { vnf: "vnf-b", kind: "object", key: "Namespace web" },
      retained: true,
    },
  ]);
});

it("a subject has of a Kubernetes object what its API knows it by", () => {
  const inputs = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { namespace: "web", name: "frontend" },
  };
  const type = "kubernetes:apps/v1:Deployment";
  const event = { op: "create", urn: urn(type, "vnf-b-deployment-web/frontend"), type, new: { inputs } };
  const { object, reference } = stepOf(event as unknown as StepEventMetadata);
  const reported = objectOf("create", "Deployment web/frontend", { object, reference } as Partial<Step>);
  expect(changesOf(reported).map(({ subject }) => subject)).toEqual([
    {
      vnf: "vnf-b",
      kind: "object",
      key: "Deployment web/frontend",
      object: { apiVersion: "apps/v1", kind: "Deployment", namespace: "web", name: "frontend" },
    },
  ]);
});
