/**
 * True if the objects of CNFs that the last run has waited for are ready now: which these are, and what their API says.
 */
import { awaitedObjects, objectFindings } from "../../../../automation/checks/objects";
import { StackState } from "../../../../automation/stack/stack-state";
import { standIn } from "../../../support/stand-in";

const LOCAL = "command:local:Command";
const VNF = "urn:pulumi:s::p::vnfm:index:Vnf::tenant";
const CNF = "urn:pulumi:s::p::vnfm:index:Vnf$vnfm:cnf:Cnf::tenant";
const CLUSTER = "/apis/cluster.x-k8s.io/v1beta2/namespaces/tenant/clusters/tenant";
const DEPLOYMENT = "/apis/apps/v1/namespaces/web/deployments/web";

let answers: Record<string, object>;

const api = standIn(({ url = "" }, response) => {
  const answer = answers[url];
  response.writeHead(answer === undefined ? 404 : 200).end(JSON.stringify(answer ?? { message: "no" }));
});

/** A state with a step of each of these data, the first with number 0. */
function state(...data: readonly unknown[]): StackState {
  const access = { cluster: { server: api.url }, user: { token: "s3cret" } };
  return new StackState({
    deployment: {
      resources: [
        { urn: VNF, type: "vnfm:index:Vnf", custom: false },
        { urn: CNF, type: "vnfm:cnf:Cnf", parent: VNF, custom: false },
        ...data.map((its, i) => ({
          urn: `urn:pulumi:s::p::vnfm:index:Vnf$vnfm:cnf:Cnf$${LOCAL}::tenant-step-${i}`,
          ...{ type: LOCAL, parent: CNF, custom: true },
          inputs: { stdin: typeof its === "string" ? its : JSON.stringify({ access, ...(its as object) }) },
        })),
      ],
    },
  });
}

const cluster = { name: "Cluster tenant/tenant", path: CLUSTER, until: "available" };
const release = { objects: [{ shown: "Deployment web/web", path: DEPLOYMENT, until: "ready" }] };

it("are those that a step waits for, alone or of a Helm release, not what is ready only once", () => {
  const found = awaitedObjects(
    state(
      cluster,
      { ...cluster, until: "initialized" },
      { name: "Job tenant/once", path: "/jobs/once", until: "complete" },
      release,
      { objects: [{ kind: "Deployment", name: "web", shown: "Deployment web/web" }] },
      "entries='x'\ncreate() {\n:\n}\n",
    ),
  );
  expect(found.map(({ name, vnf, step }) => [name, vnf, step])).toEqual([
    ["Cluster tenant/tenant", "tenant", "step-0"],
    ["Deployment web/web", "tenant", "step-3"],
  ]);
});

it("are those of the instance that is asked for", () => {
  expect(awaitedObjects(state(cluster), "other")).toEqual([]);
});

it("differ where they are not ready, with the words of their conditions, or gone", async () => {
  answers = {
    [CLUSTER]: {
      ...{ apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", metadata: { generation: 1 } },
      status: {
        observedGeneration: 1,
        conditions: [
          { type: "Available", status: "False", reason: "NotAvailable", message: "worker default is not" },
        ],
      },
    },
  };
  const findings = await objectFindings(awaitedObjects(state(cluster, release)));
  expect(findings.map(({ vnf, kind, text }) => [vnf, kind, text])).toEqual([
    [
      ...["tenant", "differs"],
      "Cluster tenant/tenant is not available: Available is False: NotAvailable: worker default is not",
    ],
    ["tenant", "differs", "Deployment web/web no longer exists"],
  ]);
});

it("have the reason of their pods", async () => {
  const owned = (kind: string, uid: string, owner: string, more: object) => ({
    ...{ kind, metadata: { name: uid, uid, ownerReferences: [{ uid: owner }] } },
    ...more,
  });
  const waiting = { reason: "ErrImagePull", message: "web:absent: not found" };
  const core = "/api/v1/namespaces/web";
  answers = {
    [DEPLOYMENT]: {
      ...{ apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "web", namespace: "web", uid: "d" } },
      spec: { replicas: 1 },
      status: { replicas: 1, updatedReplicas: 1, readyReplicas: 0 },
    },
    "/apis/apps/v1/namespaces/web/replicasets": { items: [owned("ReplicaSet", "rs", "d", {})] },
    [`${core}/pods`]: {
      items: [
        owned("Pod", "web-1", "rs", {
          spec: {},
          status: { containerStatuses: [{ name: "c", state: { waiting } }] },
        }),
      ],
    },
  };
  const [finding] = await objectFindings(awaitedObjects(state(release)));
  expect(finding?.text).toMatch(
    /^Deployment web\/web is not ready: .*; Pod web-1, container c: ErrImagePull: web:absent: not found$/,
  );
});

it("are nothing to say where they are ready", async () => {
  const conditions = [{ type: "Available", status: "True" }];
  answers = {
    [CLUSTER]: {
      ...{ apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", metadata: { generation: 1 } },
      status: { observedGeneration: 1, conditions },
    },
  };
  expect(await objectFindings(awaitedObjects(state(cluster)))).toEqual([]);
});

it("cannot be checked where the API does not answer: one finding for the instance", async () => {
  const access = { cluster: { server: "http://127.0.0.1:9" }, user: { token: "s3cret" } };
  const findings = await objectFindings(
    awaitedObjects(state({ ...cluster, access }, { ...release, access })),
  );
  expect(findings.map(({ kind, text }) => [kind, text])).toEqual([
    [
      "unchecked",
      expect.stringMatching(/^whether its objects are ready cannot be checked: .*127\.0\.0\.1:9/),
    ],
  ]);
});
