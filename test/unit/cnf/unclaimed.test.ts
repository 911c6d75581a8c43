import { execFile } from "node:child_process";
import { programArguments } from "../../../components/remote/program-command";
import { standIn } from "../../support/stand-in";

const OWNER = "site-1-5f0c2a9e/vnf-b";
const PAGE = "/api/v1/namespaces/web/configmaps/page";
const SITE = "/apis/example.com/v1/sites/s";
const page = {
  ...{ apiVersion: "v1", kind: "ConfigMap", name: "page", namespace: "web" },
  shown: "ConfigMap web/page",
};
const site = { apiVersion: "example.com/v1", kind: "Site", name: "s", shown: "Site s" };
const ADVICE =
  "vnf-b would change objects of others, and delete them with the CNF. Remove the object from the manifests, give it another " +
  `namespace or name, delete it yourself, or let the CNF adopt it by the annotation vnfm.io/owner=${OWNER}: see ` +
  "'An object that exists already' in docs/deploy-a-cnf.md\n";

let answers: Record<string, object | number>;
let asked: string[];
/** How many questions get no answer yet. */
let unavailable: number;
/** What it has printed the time before. */
let before: string;

const api = standIn(({ url = "" }, response) => {
  asked.push(url);
  const answer = unavailable-- > 0 ? 503 : (answers[url] ?? 404);
  response.writeHead(typeof answer === "number" ? answer : 200).end(JSON.stringify(answer));
});
beforeEach(() => {
  asked = [];
  unavailable = 0;
  before = "";
  answers = {
    "/api/v1": { resources: [{ name: "configmaps", kind: "ConfigMap", namespaced: true }] },
    "/apis/example.com/v1": {
      resources: [
        { name: "sites/status", kind: "Site", namespaced: false },
        { name: "sites", kind: "Site", namespaced: false },
      ],
    },
  };
});

const madeBy = (...managers: string[]) => {
  const status = { manager: "kube-controller-manager", subresource: "status" };
  return { metadata: { managedFields: [status, ...managers.map((manager) => ({ manager }))] } };
};
/** Made by a stack, for one of its instances. */
const of = (owner: string) => ({
  metadata: { annotations: { "vnfm.io/owner": owner }, managedFields: [{ manager: "vnfm" }] },
});

/** What the script says, as the engine runs it; empty is that all of them may be made. */
function said(objects: readonly object[], access: object = {}, more: object = {}): Promise<string> {
  const its = { cluster: { server: api.url }, user: { token: "s3cret" }, ...access };
  return new Promise((resolve) => {
    const env = { ...process.env, PULUMI_COMMAND_STDOUT: before };
    const script = programArguments("deploy/objects/scripts/unclaimed");
    const child = execFile("node", script, { env }, (error, stdout, stderr) => {
      expect([error === null, stdout !== ""]).toEqual([stderr === "", stderr === ""]);
      before = stdout;
      resolve(stderr);
    });
    const owner = ["vnfm.io/owner", OWNER];
    child.stdin?.end(JSON.stringify({ access: its, vnf: "vnf-b", owner, objects, ...more }));
  });
}

test("objects that are not there may be made", async () => {
  expect(await said([page, site])).toBe("");
  expect(asked).toEqual(["/api/v1", PAGE, "/apis/example.com/v1", SITE]);
});

test("an object of a kind that the cluster does not know yet is free", async () => {
  delete answers["/apis/example.com/v1"];
  expect(await said([site])).toBe("");
});

test("an object that the owner has created partly, or takes over, is free", async () => {
  answers[PAGE] = of(OWNER);
  expect(await said([page])).toBe("");
});

test("one that stays may be anybody's but another CNF's, with which it would go", async () => {
  const namespace = { ...site, shown: "Namespace s", shared: true };
  for (const there of [madeBy("kubectl-create"), madeBy("vnfm"), of(OWNER)]) {
    before = "";
    answers[SITE] = there;
    expect(await said([namespace])).toBe("");
  }
  before = "";
  answers[SITE] = of("site-2-0b7d1e44/vnf-c");
  expect(await said([namespace])).toBe(
    `Namespace s already exists on the cluster, which belongs to the CNF site-2-0b7d1e44/vnf-c, created or changed by vnfm\n${ADVICE}`,
  );
});

test("one whose kind the cluster's Kubernetes has not is refused, with what to write where that is known", async () => {
  const removed = "policy/v1beta1 was removed in Kubernetes v1.25; use policy/v1, whose fields may differ";
  const budget = {
    apiVersion: "policy/v1beta1",
    kind: "PodDisruptionBudget",
    name: "b",
    shown: "PodDisruptionBudget b",
  };
  const job = {
    ...budget,
    apiVersion: "batch/v2alpha1",
    kind: "CronJob",
    shown: "CronJob j",
    ofKubernetes: true,
  };
  expect(await said([{ ...budget, ofKubernetes: true, removed }, job, site])).toBe(
    `PodDisruptionBudget b: ${removed}\n` +
      "CronJob j: the cluster has no CronJob of batch/v2alpha1; 'kubectl api-resources' lists what it has\n",
  );
});

test("one that is being deleted is waited for, and then may be made", async () => {
  answers[PAGE] = { metadata: { ...madeBy("helm").metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } };
  const result = said([page]);
  // once it was asked for, however long the command takes to begin
  const asking = setInterval(() => {
    if (!asked.includes(PAGE)) return;
    clearInterval(asking);
    delete answers[PAGE];
  }, 10);
  expect(await result).toBe("");
  expect(asked.filter((path) => path === PAGE)).toHaveLength(2);
});

test("objects of others are refused at once, with their creators if these are known", async () => {
  answers[PAGE] = madeBy("kubectl-create", "kubectl-create", "helm");
  answers[SITE] = of("site-1-5f0c2a9e/vnf-c");
  expect(await said([page, site])).toBe(
    "ConfigMap web/page already exists on the cluster, created or changed by kubectl-create, helm\n" +
      `Site s already exists on the cluster, which belongs to the CNF site-1-5f0c2a9e/vnf-c, created or changed by vnfm\n${ADVICE}`,
  );
});

test("objects that were free the time before belong to the owner, on the same cluster", async () => {
  await said([page]);
  answers[PAGE] = madeBy("helm");
  asked = [];
  expect(await said([page, site])).toBe("");
  expect(asked).toEqual(["/apis/example.com/v1", SITE]);
  const another = { server: api.url, "certificate-authority-data": "" };
  expect(await said([page, site], { cluster: another })).toContain(
    "ConfigMap web/page already exists on the cluster",
  );
});

test("an object without a namespace is looked for in that of the kubeconfig", async () => {
  const nowhere = { ...page, namespace: undefined };
  await said([nowhere], { namespace: "team" });
  await said([nowhere]);
  const names = asked.filter((path) => path.endsWith("/page"));
  expect(names).toEqual([PAGE.replace("web", "team"), PAGE.replace("web", "default")]);
});

test("an API that does not answer for a moment is asked again", async () => {
  unavailable = 1;
  answers[PAGE] = madeBy("helm");
  expect(await said([page])).toContain("created or changed by helm");
});

test("one that may not be read is left to the Kubernetes plugin", async () => {
  answers[PAGE] = 403;
  expect(await said([page])).toBe("");
});

test("an API that lets nobody in is told with the object that was asked for", async () => {
  answers["/api/v1"] = 401;
  expect(await said([page])).toBe(
    "ConfigMap web/page: the Kubernetes API rejects it with 401: no reason is given\n",
  );
});

describe("a definition that leaves the CNF", () => {
  const names = ["others.example.com", "sites.example.com"];
  const holding = (definitions: string[], isProtected = true) => {
    const own = {
      annotation: "vnfm.io/owner",
      owners: [OWNER],
      releases: [],
      named: [],
      settingsOf: "vnf-b",
    };
    return { isProtected, holding: { ...own, definitions, namespaces: [] } };
  };
  const REFUSED = "CustomResourceDefinition sites.example.com would also delete 1 object (1 Site) of others";
  beforeEach(() => {
    answers["/apis/example.com"] = { versions: [{ version: "v1" }] };
    answers["/apis/example.com/v1"] = {
      resources: [{ name: "sites", kind: "Site", namespaced: false, verbs: ["list"] }],
    };
    answers["/apis/example.com/v1/sites?limit=500"] = { items: [{ metadata: { name: "s", uid: "u" } }] };
  });

  it("is refused where others have custom resources of it, and stays refused", async () => {
    expect(await said([], {}, holding(names))).toBe("");
    expect(asked).toEqual([]);
    const had = before;
    expect(await said([], {}, holding(["others.example.com"]))).toContain(`${REFUSED}\n`);
    before = had;
    expect(await said([])).toContain("protectForeignObjects of vnf-b to false");
  });

  it("may go where nobody has one", async () => {
    answers["/apis/example.com/v1/sites?limit=500"] = { items: [] };
    await said([], {}, holding(names));
    expect(await said([page], {}, holding(["others.example.com"]))).toBe("");
  });

  it("may go where it was not protected the time before", async () => {
    await said([page], {}, holding(names, false));
    expect(await said([page], {}, holding([]))).toBe("");
  });

  it("is looked at where the protection ends with it", async () => {
    await said([], {}, holding(names));
    expect(await said([], {}, holding(["others.example.com"], false))).toContain(REFUSED);
  });
});
