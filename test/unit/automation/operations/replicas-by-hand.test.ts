import { replicasByHand } from "../../../../automation/operations/replicas-by-hand";
import { StackState } from "../../../../automation/stack/stack-state";
import type { Step } from "../../../../automation/stack/steps";
import { step, urn, vnf } from "../steps";
import { standIn } from "../../../support/stand-in";

const CNF = "vnfm:cnf:Cnf";
const PATH = "/apis/apps/v1/namespaces/web/deployments/web";
const parent = urn(CNF, "vnf-b");

let replicas: number | undefined;

const api = standIn((request, response) => {
  const isThere = request.url === PATH && replicas !== undefined;
  response
    .writeHead(isThere ? 200 : 404)
    .end(JSON.stringify(isThere ? { metadata: {}, spec: { replicas } } : { message: "not found" }));
});

const provider = step("same", "pulumi:providers:kubernetes", "vnf-a", {
  parent: urn("vnfm:index:Vnf", "vnf-a"),
});

const steps = (op: string, ...numbers: [number, number] | []): Step[] => [
  ...vnf("vnf-b"),
  step("same", CNF, "vnf-b", { parent: urn("vnfm:index:Vnf", "vnf-b") }),
  {
    ...step(op, "kubernetes:apps/v1:Deployment", "vnf-b-deployment-web/web", { parent }),
    object: "Deployment web/web",
    reference: { apiVersion: "apps/v1", kind: "Deployment", namespace: "web", name: "web" },
    ...(numbers.length === 2 && { replicas: numbers }),
  },
];

/** The state of the stack, and of its cluster. */
function state(): Promise<StackState> {
  const kubeconfig = JSON.stringify({
    "current-context": "x",
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    clusters: [{ name: "c", cluster: { server: api.url } }],
    users: [{ name: "u", user: { token: "t" } }],
  });
  const resources = [
    ...vnf("vnf-a"),
    { ...provider, inputs: { kubeconfig } },
    ...steps("same").map((one) => ({ ...one, ...(one.object && { provider: `${provider.urn}::id` }) })),
  ];
  return Promise.resolve(new StackState({ deployment: { resources } }));
}

const unread = () => Promise.reject<StackState>(new Error("the state is read"));

test("the preview tells of replicas that somebody else has set, and which number comes back", async () => {
  replicas = 5;
  expect(await replicasByHand(steps("update", 3, 3), state)).toEqual([
    "vnf-b: Deployment web/web has 5 replicas, which were not set by this stack; it gets 3",
  ]);
});

test.each([
  ["the number is as the last run left it", 3, [3, 4]],
  ["it is what this run wants", 4, [3, 4]],
] as const)("the preview tells nothing where %s", async (_, its, [from, to]) => {
  replicas = its;
  expect(await replicasByHand(steps("update", from, to), state)).toEqual([]);
});

test.each([
  ["is not changed", steps("same", 3, 3)],
  ["declares no number", steps("update")],
])("the preview asks no cluster where a workload %s", async (_, its) => {
  expect(await replicasByHand(its, unread)).toEqual([]);
});

test("the preview tells what cannot be asked", async () => {
  replicas = undefined;
  expect(await replicasByHand(steps("update", 3, 3), state)).toEqual([
    "vnf-b: the present replicas of Deployment web/web cannot be queried: the Kubernetes API rejects it with 404: not found",
  ]);
});
