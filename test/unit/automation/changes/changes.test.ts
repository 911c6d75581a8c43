import type { StepEventMetadata } from "@pulumi/pulumi/automation";
import { previewOf, describePreview } from "../../../../automation/changes/changes";
import { SERVER, stepOf, type Step } from "../../../../automation/stack/steps";
import { COMMAND, objectOf, scriptStep, step, urn, vnf, VNF, vnfc } from "../steps";

const said = (...steps: ReturnType<typeof vnf>[]) => describePreview(previewOf(steps.flat()));

it("the preview says that nothing changes", () => {
  expect(said(vnf(), vnfc("same", "masterNode-1", "master"))).toEqual(["nothing changes"]);
});

it("the preview says who is added, and who stays", () => {
  expect(
    said(
      vnf(),
      vnfc("same", "masterNode-1", "master"),
      vnfc("same", "workerNode-1", "member"),
      vnfc("create", "workerNode-10", "member"),
      vnfc("create", "workerNode-2", "member"),
    ),
  ).toEqual([
    "vnf-a: workerNode-2 is added and joins the cluster",
    "vnf-a: workerNode-10 is added and joins the cluster",
    "vnf-a: masterNode-1, workerNode-1 stay",
    "nothing else changes",
  ]);
});

it("the preview takes a server that an earlier run failed to make for one that is added", () => {
  const unmade = { type: SERVER, old: { initErrors: ["unexpected state 'ERROR'"], outputs: {} } };
  const failed = vnfc("create", "workerNode-2", "member").flatMap((one): Step[] => {
    if (one.type !== SERVER) return [one];
    const again = { ...one, ...(stepOf(unmade as StepEventMetadata).unmade && { unmade: true as const }) };
    return ["delete-replaced", "replace", "create-replacement"].map((op) => ({ ...again, op }));
  });
  const { changes } = previewOf([...vnf(), ...vnfc("same", "workerNode-1", "member"), ...failed]);
  expect(changes).toEqual([
    expect.objectContaining({
      action: "create",
      subject: { vnf: "vnf-a", vnfc: "workerNode-2", kind: "vnfc", key: "" },
      text: "workerNode-2 is added and joins the cluster; an earlier run failed to create its server",
    }),
  ]);
});

it("the preview takes a server of which an update failed for one that is there", () => {
  const old = { initErrors: ["updating ..."], outputs: { created: "2026-11-21 09:00:00 +0000 UTC" } };
  const step = stepOf({ type: SERVER, old } as unknown as StepEventMetadata);
  expect([step.unmade, step.refused]).toEqual([undefined, true]);
});

it("the preview knows what the cloud has refused, where the state has it", () => {
  const refusedOf = (type: string, initErrors: string[]) =>
    stepOf({ type, old: { initErrors } } as unknown as StepEventMetadata).refused;
  const VOLUME = "openstack:blockstorage/volume:Volume";
  expect(refusedOf(VOLUME, ["updating ...: 413"])).toBe(true);
  expect(refusedOf(VOLUME, [])).toBeUndefined();
  expect(refusedOf(SERVER, ["creating ..."])).toBeUndefined();
  // what is applied again is compared with the cluster's own object
  expect(refusedOf("kubernetes:apps/v1:Deployment", ["timed out"])).toBeUndefined();
});

it("the preview says what the first nodes of a cluster are", () => {
  expect(
    said(vnf(), vnfc("create", "masterNode-1", "master"), vnfc("create", "workerNode-1", "member")),
  ).toEqual([
    "vnf-a: masterNode-1 is added and bootstraps the cluster",
    "vnf-a: workerNode-1 is added and joins the cluster",
    "nothing else changes",
  ]);
});

/** The step of a worker's labels and taints, as the engine reports its update. */
function labelsStep(...shown: readonly [before: object, after: object]): Step {
  const environment = (data: object) => ({
    VNFM_SCRIPT: "node-labels.sh 0123456789ab",
    VNFM_SHOWN: JSON.stringify(data),
  });
  const [old, next] = shown.map((data) => ({ inputs: { environment: environment(data) } }));
  const name = "vnf-a-workerNode-1";
  const { script, shown: read } = stepOf({ type: COMMAND, old, new: next } as unknown as StepEventMetadata);
  const parent = urn("vnfm:kubernetes:KubeadmCluster", "vnf-a");
  return step("update", COMMAND, `${name}-labels`, {
    parent,
    ...(script && { script }),
    ...(read && { shown: read }),
  });
}

it("the preview says which labels and taints of a Node change, and not that it joins", () => {
  const before = { node_labels: "pool=core,a=b", node_taints: "" };
  const worker = vnfc("same", "workerNode-1", "member");
  const rejoins = worker.map((one) => (one.urn.endsWith("-join") ? { ...one, op: "update" } : one));
  const changed = (after: object, steps = worker) =>
    said(vnf(), steps, [labelsStep(before, { ...before, ...after })]).slice(0, -1);
  expect(changed({ node_labels: "pool=edge,a=b" })).toEqual([
    "vnf-a: workerNode-1: labels change: -pool=core, +pool=edge",
  ]);
  expect(changed({ node_labels: "pool=core", node_taints: "a=b:NoSchedule" }, rejoins)).toEqual([
    "vnf-a: workerNode-1: labels change: -a=b; taints change: +a=b:NoSchedule",
  ]);
  expect(changed({}, rejoins)).toEqual([
    "vnf-a: workerNode-1: is checked, and joins if it left",
    "vnf-a: workerNode-1: gets its labels and taints again",
  ]);
});

it("the preview says what a worker's leaving means", () => {
  expect(
    said(vnf(), vnfc("same", "masterNode-1", "master"), vnfc("delete", "workerNode-2", "member")),
  ).toEqual([
    "vnf-a: workerNode-2 is drained, leaves the cluster, its server is deleted",
    "vnf-a: masterNode-1 stays",
    "nothing else changes",
  ]);
});

it("the preview says what a replacement means", () => {
  expect(said(vnf(), vnfc("replace", "workerNode-1", "member"))).toEqual([
    "vnf-a: workerNode-1 is replaced: it is drained, leaves the cluster, its server is deleted, a new one is created and joins",
    "nothing else changes",
  ]);
});

it("the preview says what a master's leaving means where others stay", () => {
  const cluster = vnfc("same", "masterNode-1", "master");
  expect(said(vnf(), cluster, vnfc("delete", "masterNode-3", "member"))).toEqual([
    "vnf-a: masterNode-3 is drained, leaves the cluster, etcd member masterNode-3 leaves, its server is deleted",
    "vnf-a: masterNode-1 stays",
    "nothing else changes",
  ]);
  const controlPlane = cluster.filter(
    ({ urn }) => urn.includes("ControlPlane") || /-(init|access)$/.test(urn),
  );
  expect(said(vnf(), vnfc("replace", "masterNode-1", "member"), controlPlane)).toEqual([
    expect.stringContaining("masterNode-1 is replaced: it is drained, leaves the cluster, etcd member"),
    "nothing else changes",
  ]);
});

it("the preview drains nobody where the cluster goes as a whole", () => {
  expect(
    said(vnf(), vnfc("delete", "masterNode-1", "master"), vnfc("delete", "workerNode-1", "member")),
  ).toEqual([
    "vnf-a: masterNode-1: its cluster is lost, its server is deleted",
    "vnf-a: workerNode-1: its server is deleted",
    "nothing else changes",
  ]);
});

it("the preview says what becomes of servers that are no cluster", () => {
  expect(said(vnf(), vnfc("create", "app-1"), vnfc("delete", "app-2"), vnfc("replace", "app-3"))).toEqual([
    "vnf-a: app-1 is added",
    "vnf-a: app-2: its server is deleted",
    "vnf-a: app-3 is replaced: its server is deleted, a new one is created",
    "nothing else changes",
  ]);
});

it("the preview says what changes of a VNFC whose server stays", () => {
  const worker = vnfc("same", "workerNode-1", "member");
  const changed = worker.flatMap((one) => {
    if (one.urn.endsWith("-prepare")) return [{ ...one, op: "update", differs: ["stdin"] }];
    if (one.urn.endsWith("-server")) return [{ ...one, op: "update", differs: ["flavorName"] }];
    if (!one.urn.endsWith("-member")) return [one];
    return ["delete-replaced", "replace", "create-replacement"].map((op) => ({ ...one, op }));
  });
  expect(said(vnf(), changed)).toEqual([
    "vnf-a: workerNode-1: server is updated (flavorName)",
    "vnf-a: workerNode-1: is prepared again",
    "vnf-a: workerNode-1: is drained, leaves the cluster, and joins again",
    "nothing else changes",
  ]);
});

it("the preview names a port or volume that is replaced with the server, which keeps them otherwise", () => {
  const worker = vnfc("replace", "workerNode-1", "member");
  const ports = worker.map((one) => (one.type.endsWith(":Port") ? { ...one, op: "replace" } : one));
  expect(previewOf([...vnf(), ...ports].flat()).changes).toEqual([
    expect.objectContaining({
      subject: { vnf: "vnf-a", vnfc: "workerNode-1", kind: "vnfc", key: "" },
      text: expect.stringMatching(/^workerNode-1 is replaced/) as string,
    }),
    {
      action: "replace",
      text: "workerNode-1: port cp is replaced",
      isLoss: true,
      subject: { vnf: "vnf-a", vnfc: "workerNode-1", kind: "port", key: "cp" },
      parts: [
        { action: "replace", subject: { vnf: "vnf-a", vnfc: "workerNode-1", kind: "port", key: "cp" } },
      ],
    },
  ]);
});

it("the preview says which port is on another network, where its server is replaced for that", () => {
  const ops = ["create-replacement", "replace", "delete-replaced"];
  const server = vnfc("replace", "app-1").flatMap((one): Step[] =>
    one.type.endsWith(":Port")
      ? ops.map((op) => ({ ...one, op, differs: op === "delete-replaced" ? [] : ["networkId"] }))
      : [one],
  );
  expect(said(vnf(), server, vnfc("replace", "app-2"))).toEqual([
    "vnf-a: app-1 is replaced, because the network of its port cp changes: its server is deleted, a new one is created",
    "vnf-a: app-1: port cp is replaced",
    "vnf-a: app-2 is replaced: its server is deleted, a new one is created",
    "nothing else changes",
  ]);
});

it("the preview says which ports a running server gets and loses", () => {
  const node = urn("vnfm:openstack:Node", "vnf-a-app-1");
  const port = (op: string, name: string, changes: Partial<Step> = {}) =>
    step(op, "openstack:networking/port:Port", `vnf-a-app-1-${name}`, { parent: node, ...changes });
  const exchange = (op: string, networks: Readonly<Record<string, string>>) =>
    step(op, "command:local:Command", "vnf-a-app-1-ports", { parent: node, shown: [{}, networks] });
  const moved = ["create-replacement", "replace", "delete-replaced"].map((op) =>
    port(op, "cp2", { differs: op === "delete-replaced" ? [] : ["networkId"] }),
  );
  const server = vnfc("same", "app-1");
  const changes = [...moved, port("create", "cp3"), port("delete", "cp4")];
  expect(said(vnf(), server, [...changes, exchange("update", { cp2: "provider-2" })])).toEqual([
    "vnf-a: app-1: port cp2 moves to network provider-2; the server stays",
    "vnf-a: app-1: port cp3 is created and attached; the server stays",
    "vnf-a: app-1: port cp4 is detached and deleted; the server stays",
    "nothing else changes",
  ]);
  expect(said(vnf(), server, [exchange("create", {})])).toEqual([
    "vnf-a: app-1: its ports are compared with those of its server",
    "nothing else changes",
  ]);
  expect(
    said(vnf(), vnfc("replace", "app-1"), [...moved, exchange("update", { cp2: "provider-2" })]),
  ).toEqual([
    "vnf-a: app-1 is replaced: its server is deleted, a new one is created",
    "vnf-a: app-1: port cp2 is replaced",
    "nothing else changes",
  ]);
  expect(said(vnf(), vnfc("create", "app-1"), [exchange("create", {})])).toEqual([
    "vnf-a: app-1 is added",
    "nothing else changes",
  ]);
});

it("the preview names what goes for the sake of a replacement and is no longer in the config", () => {
  const [dropped] = objectOf("delete-replaced", "Deployment web/web").slice(-1);
  const steps = ["delete-replaced", "remove-pending-replace"].map((op) => ({ ...dropped, op }) as never);
  expect(previewOf([...objectOf("same", "Deployment web/web").slice(0, 2), ...steps]).changes).toEqual([
    expect.objectContaining({
      action: "delete",
      subject: { vnf: "vnf-b", kind: "object", key: "Deployment web/web" },
      text: "Deployment web/web is deleted",
    }),
  ]);
});

it("the preview names a volume that goes while its server is replaced", () => {
  const server = vnfc("replace", "storage-1");
  const volume = step("delete", "openstack:blockstorage/volume:Volume", "vnf-a-storage-1-data", {
    parent: urn("vnfm:openstack:Node", "vnf-a-storage-1"),
  });
  expect(said(vnf(), [...server, volume])).toEqual([
    "vnf-a: storage-1 is replaced: its server is deleted, a new one is created",
    "vnf-a: storage-1: volume data is deleted",
    "nothing else changes",
  ]);
});

it("the preview says what an earlier run has left, and not that it is replaced", () => {
  const credential = step("same", "openstack:identity/applicationCredential:ApplicationCredential", "vnf-a", {
    parent: VNF,
  });
  const server = vnfc("same", "workerNode-1", "member").flatMap((one) =>
    one.urn.endsWith("-server") ? [one, { ...one, op: "delete-replaced" }] : [one],
  );
  expect(said(vnf(), server, [credential, { ...credential, op: "delete-replaced" }])).toEqual([
    "vnf-a: workerNode-1: server is deleted: an earlier run replaced it",
    "vnf-a: application credential is deleted: an earlier run replaced it",
    "nothing else changes",
  ]);
});

it("the preview says what becomes of Kubernetes objects", () => {
  expect(
    said(
      objectOf("update", "Deployment web/web", { differs: ["spec.replicas"], replicas: [2, 4] }),
      objectOf("update", "ConfigMap web/page", { differs: ["data.index", "data.about"] }),
      objectOf("create", "Deployment web/cache"),
      objectOf("delete", "StatefulSet web/db"),
      ["unclaimed", "definitions", "definitions-end", "foreign-objects"].map((name) =>
        step("update", "command:local:Command", `vnf-b-${name}`, { parent: urn("vnfm:cnf:Cnf", "vnf-b") }),
      ),
    ),
  ).toEqual([
    "vnf-b: Deployment web/web is scaled from 2 to 4",
    "vnf-b: ConfigMap web/page is updated (data.about, data.index)",
    "vnf-b: Deployment web/cache is created",
    "vnf-b: StatefulSet web/db is deleted",
    "vnf-b: the cluster is searched first for existing objects of others",
    "vnf-b: CRDs are updated",
    "vnf-b: the script that deletes its CRDs is stored",
    "vnf-b: the script that protects objects of others is stored",
    "nothing else changes",
  ]);
});

it("the preview tells everything else by its name, and leaves out what the engine makes for itself", () => {
  const rule = "openstack:networking/secGroupRule:SecGroupRule";
  const group = urn("vnfm:openstack:ClusterSecurityGroups", "vnf-a");
  expect(
    said(
      vnf(),
      [step("same", "vnfm:openstack:ClusterSecurityGroups", "vnf-a", { parent: VNF })],
      [step("create", rule, "vnf-a-api-10.0.0.0/8", { parent: group })],
      [
        step("create", "openstack:identity/applicationCredential:ApplicationCredential", "vnf-a", {
          parent: VNF,
        }),
      ],
      ["key", "encryption-key", "masters-host-key", "credentials-receiver"].map((name) =>
        step("create", "command:local:Command", `vnf-a-${name}`, { parent: VNF }),
      ),
      [step("delete", "other:index/thing:Thing", "vnf-ab", { parent: VNF })],
      [step("create", "pulumi:providers:openstack", "default_5_5_1")],
      [step("replace", "pulumi:index:Stash", "vnf-a-pv-immutable", { parent: VNF })],
      [step("update", "other:index/thing:Thing", "of-no-vnf")],
    ),
  ).toEqual([
    "vnf-a: security group rule api-10.0.0.0/8 is created",
    "vnf-a: application credential is created",
    "vnf-a: SSH key is created",
    "vnf-a: encryption-key is created",
    "vnf-a: SSH host key of the masters is created",
    "vnf-a: credentials-receiver is created",
    "vnf-a: Thing vnf-ab is deleted",
    "Thing of-no-vnf is updated",
    "nothing else changes",
  ]);
});

it("the preview leaves out the steps for the program itself and the rules of a group, where their instance comes or goes", () => {
  const groups = urn("vnfm:openstack:ClusterSecurityGroups", "vnf-a");
  const cluster = urn("vnfm:kubernetes:KubeadmCluster", "vnf-a");
  const cnf = urn("vnfm:cnf:Cnf", "vnf-b");
  const COMMAND = "command:local:Command";
  const all = (op: string): Step[] => [
    step(op, COMMAND, "vnf-a-whole", { parent: VNF }),
    step(op, COMMAND, "vnf-a-evacuation", { parent: VNF }),
    step(op, COMMAND, "vnf-a-store-key", { parent: cluster }),
    step("same", "vnfm:openstack:ClusterSecurityGroups", "vnf-a", { parent: VNF }),
    step(op, "openstack:networking/secGroup:SecGroup", "vnf-a", { parent: groups }),
    ...["tcp-22", "tcp-6443"].map((name) =>
      step(op, "openstack:networking/secGroupRule:SecGroupRule", `vnf-a-${name}`, { parent: groups }),
    ),
    ...objectOf(op, "Deployment web/web"),
    step(op, COMMAND, "vnf-b-unclaimed", { parent: cnf }),
  ];
  expect(said(vnf(), all("create"))).toEqual([
    "vnf-a: security group is created",
    "vnf-b: Deployment web/web is created",
    "nothing else changes",
  ]);
  expect(said(vnf(), all("delete"))).toEqual([
    "vnf-a: security group is deleted",
    "vnf-b: Deployment web/web is deleted",
    "nothing else changes",
  ]);
  // by itself it is all that changes
  expect(said(vnf(), [step("create", COMMAND, "vnf-a-evacuation", { parent: VNF })])).toEqual([
    "vnf-a: evacuation is created",
    "nothing else changes",
  ]);
});

it("the preview says that an object stays which the provider does not delete", () => {
  expect(said(objectOf("delete", "Namespace web", { retained: true }))).toEqual([
    "vnf-b: Namespace web stays on the cluster",
    "nothing else changes",
  ]);
  expect(said(objectOf("create", "Namespace web", { retained: true }))).toEqual([
    "vnf-b: Namespace web is created, unless it exists",
    "nothing else changes",
  ]);
  const old = { retainOnDelete: true, inputs: { kind: "Namespace", metadata: { name: "web" } } };
  const event = { op: "delete", urn: "u", type: "kubernetes:core/v1:Namespace", old };
  expect(stepOf(event as unknown as StepEventMetadata)).toMatchObject({
    ...{ op: "delete", object: "Namespace web", retained: true },
  });
  const created = { ...event, op: "create", old: undefined, new: old };
  expect(stepOf(created as unknown as StepEventMetadata)).toMatchObject({ op: "create", retained: true });
});

it("the preview says which objects of a chart change with its release, and not each of a new release", () => {
  const parent = urn("vnfm:cnf:Cnf", "vnf-b");
  const hash = (op: string, object: string) =>
    step(op, "pulumi:index:Stash", `of ${object}`, { parent, object });
  const release = (op: string) => step(op, "kubernetes:helm.sh/v3:Release", "vnf-b-helm-db/db", { parent });
  const [instance, cnf] = objectOf("same", "ConfigMap c");
  const around = [instance, cnf].filter((one) => one !== undefined);
  const upgrade = [
    release("update"),
    hash("update", "StatefulSet db/db"),
    hash("create", "Secret db/db"),
    hash("same", "Service db/db"),
  ];
  expect(said(around, upgrade)).toEqual([
    "vnf-b: Release helm-db/db is updated",
    "vnf-b: StatefulSet db/db of the chart is updated",
    "vnf-b: Secret db/db of the chart is created",
    "nothing else changes",
  ]);
  expect(said(around, [release("create"), hash("create", "StatefulSet db/db")])).toEqual([
    "vnf-b: Release helm-db/db is created",
    "nothing else changes",
  ]);
  const inputs = { input: { object: "StatefulSet db/db", hash: "[secret]" } };
  const event = { op: "update", urn: "u", type: "pulumi:index:Stash", new: { inputs } };
  expect(stepOf(event as unknown as StepEventMetadata).object).toBe("StatefulSet db/db");
});

it("the preview says that a sole master which is replaced gets its control plane back", () => {
  const controlPlane = urn("vnfm:kubernetes:ControlPlane", "vnf-a-masterNode-1");
  const scripts = (["copy", "restore"] as const).map((end) =>
    scriptStep("replace", "vnf-a-masterNode-1", end, controlPlane),
  );
  const cluster = urn("vnfm:kubernetes:KubeadmCluster", "vnf-a");
  const origin = step("same", "vnfm:kubernetes:ControlPlane", "vnf-a-masterNode-1", { parent: cluster });
  expect(said(vnf(), vnfc("replace", "masterNode-1"), [origin, ...scripts])).toEqual([
    "vnf-a: masterNode-1 is replaced: a worker keeps its etcd and certificates, its server is deleted, a new one is created and gets them",
    "nothing else changes",
  ]);
});

it("the preview says what becomes of a cluster that is made anew as a whole", () => {
  expect(
    said(
      vnf(),
      [step("update", "command:local:Command", "vnf-a-evacuation", { parent: VNF })],
      [step("replace", "command:local:Command", "vnf-a-whole", { parent: VNF })],
      vnfc("replace", "masterNode-1", "master"),
      vnfc("replace", "workerNode-1", "member"),
      objectOf("replace", "Deployment web/web"),
    ),
  ).toEqual([
    "vnf-a: masterNode-1 is replaced: its cluster is lost, its server is deleted, a new one is created and bootstraps a new cluster",
    "vnf-a: workerNode-1 is replaced: its server is deleted, a new one is created and joins",
    "vnf-a: what is in use on the cluster is queried first",
    "vnf-a: all of its servers are deleted before a new one is created",
    "vnf-b: Deployment web/web is replaced",
    "nothing else changes",
  ]);
});
