/** Objects of others in definitions and Namespaces that go, by an API server that is a stand-in. */
import { execFile } from "node:child_process";
import { programArguments } from "../../../components/remote/program-command";
import { foreignObjects } from "../../../components/kube/client/foreign-objects";
import { KubeApi } from "../../../components/kube/client/kube-api";
import { standIn } from "../../support/stand-in";

const OWNER = "vnfm.io/owner";
const MINE = "site-1-5f0c2a9e/web";
const ADVICE =
  "Their owners should move or delete these objects first. If they can be deleted: restore the CNF's settings, set " +
  "protectForeignObjects of web to false, run 'pulumi up', and then repeat the change: see 'Objects of others' in " +
  "docs/terminate.md";

let answers: Record<string, unknown>;
let accepted: Set<string | undefined>;

const api = standIn(({ url = "", headers }, response) => {
  if (url.includes("limit=")) accepted.add(headers.accept);
  const answer = answers[url] ?? 404;
  response.writeHead(typeof answer === "number" ? answer : 200).end(JSON.stringify(answer));
});

const resource = (name: string, kind: string, verbs = ["get", "list"]) => ({
  ...{ name, kind, verbs, namespaced: true },
});
const group = (name: string, preferred: string, ...others: string[]) => ({
  name,
  preferredVersion: { version: preferred },
  versions: [...others, preferred].map((version) => ({ version })),
});
let uids = 0;
const object = (name: string, namespace: string, metadata: object = {}) => ({
  metadata: { name, namespace, uid: `uid-${(uids += 1)}`, ...metadata },
});
const mine = (owner = MINE) => ({ annotations: { [OWNER]: owner } });
const ownedBy = (...owners: [kind: string, name: string, uid: string][]) => ({
  ownerReferences: owners.map(([kind, name, uid]) => ({ apiVersion: "apps/v1", kind, name, uid })),
});
const WIDGETS = "/apis/example.com/v1/widgets?limit=500";

beforeEach(() => {
  accepted = new Set();
  answers = {
    "/apis": { groups: [group("apps", "v1"), group("example.com", "v1", "v1beta1")] },
    "/apis/example.com": group("example.com", "v1", "v1beta1"),
    "/apis/example.com/v1": {
      resources: [resource("widgets/status", "Widget"), resource("widgets", "Widget")],
    },
    "/apis/example.com/v1beta1": { resources: [resource("widgets", "Widget")] },
    "/apis/apps": group("apps", "v1"),
    "/apis/apps/v1": {
      resources: [resource("deployments", "Deployment"), resource("replicasets", "ReplicaSet")],
    },
    "/api/v1": {
      resources: [
        ...[resource("configmaps", "ConfigMap"), resource("secrets", "Secret"), resource("pods", "Pod")],
        ...[resource("bindings", "Binding", ["create"]), resource("events", "Event")],
        { ...resource("namespaces", "Namespace"), namespaced: false },
      ],
    },
    [WIDGETS]: { items: [] },
  };
});

const own = { annotation: OWNER, owners: [MINE], releases: ["web/shop"], named: [], settingsOf: "web" };
const address = () => api.url;
const access = () => ({ cluster: { server: address() }, user: { token: "t" } });

/** Finds objects of others in the definition of Widgets. */
const ofWidgets = (more: object = {}) =>
  foreignObjects(
    new KubeApi(access()),
    { definitions: ["widgets.example.com"], namespaces: [] },
    { ...own, ...more },
  );

/** Finds objects of others in the Namespace `web`. */
const ofNamespace = (more: object = {}) =>
  foreignObjects(new KubeApi(access()), { definitions: [], namespaces: ["web"] }, { ...own, ...more });

describe("custom resources of a definition", () => {
  test("are told with their number, kind and namespaces", async () => {
    answers[WIDGETS] = { items: [object("a", "team-b"), object("b", "team-a"), object("c", "team-b")] };
    expect(await ofWidgets()).toEqual([
      "CustomResourceDefinition widgets.example.com would also delete 3 objects (1 Widget in namespace team-a, 2 Widget in namespace team-b) of others",
      ADVICE,
    ]);
    expect([...accepted]).toEqual([
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1, application/json",
    ]);
  });

  test("are counted on all pages of the list", async () => {
    answers[WIDGETS] = { metadata: { continue: "a b" }, items: [object("a", "x")] };
    answers[`${WIDGETS}&continue=a%20b`] = { items: [{ metadata: { name: "b", uid: "u" } }] };
    expect(await ofWidgets()).toEqual([
      "CustomResourceDefinition widgets.example.com would also delete 2 objects (1 Widget, 1 Widget in namespace x) of others",
      ADVICE,
    ]);
  });

  test("are no objects of others if they belong to the CNF or its releases, or are being deleted", async () => {
    const annotations = { "meta.helm.sh/release-namespace": "web", "meta.helm.sh/release-name": "shop" };
    const deletionTimestamp = "2026-01-01T00:00:00Z";
    answers[WIDGETS] = {
      items: [
        object("a", "x", mine()),
        object("b", "x", { annotations }),
        object("c", "x", { deletionTimestamp }),
      ],
    };
    expect(await ofWidgets()).toEqual([]);
    expect(await ofWidgets({ owners: ["site-1-5f0c2a9e/other"], releases: ["web/shop-2"] })).toHaveLength(2);
  });

  test("are objects of others if they belong to the CNF and are to stay", async () => {
    answers[WIDGETS] = { items: [object("a", "x", mine())] };
    expect(await ofWidgets({ kept: ["example.com/Widget/x/a"] })).toHaveLength(2);
  });

  test("are read in another version where one cannot be converted", async () => {
    answers[WIDGETS] = 500;
    answers["/apis/example.com/v1beta1/widgets?limit=500"] = { items: [object("a", "x")] };
    expect(await ofWidgets()).toHaveLength(2);
  });

  test("are none in an empty list, as the API writes it", async () => {
    answers[WIDGETS] = { kind: "PartialObjectMetadataList", apiVersion: "meta.k8s.io/v1", items: null };
    expect(await ofWidgets()).toEqual([]);
  });

  test("are none where the definition is gone", async () => {
    answers["/apis/example.com"] = 404;
    expect(await ofWidgets()).toEqual([]);
  });

  test.each([
    ["refuses the list", 403, /rejects it with 403/],
    ["answers with no list", { kind: "Status" }, /without a list of items/],
    ["answers with something else", { kind: "Status", items: null }, /without a list of items/],
    ["lists no object", { items: [null] }, /something other than objects in its list of items/],
    [
      "lists an object without metadata",
      { items: [{ metadata: "x" }] },
      /something other than objects in its list of items/,
    ],
  ])("are an error where the API %s", async (_, answer, error) => {
    answers[WIDGETS] = answer;
    answers["/apis/example.com/v1beta1/widgets?limit=500"] = answer;
    await expect(ofWidgets()).rejects.toThrow(error);
  });
});

describe("objects with owners", () => {
  const DEPLOYMENT = "/apis/apps/v1/namespaces/x/deployments/d";
  const SET = "/apis/apps/v1/namespaces/x/replicasets/r";

  test.each([
    ["the CNF's, are the CNF's", mine(), []],
    ["another's, are another's", mine("site-2-0b7d1e44/web"), [expect.any(String), ADVICE]],
  ])("belong to the owner's owner, %s", async (_, metadata, found) => {
    answers[WIDGETS] = { items: [object("a", "x", ownedBy(["ReplicaSet", "r", "uid-r"]))] };
    answers[SET] = object("r", "x", { uid: "uid-r", ...ownedBy(["Deployment", "d", "uid-d"]) });
    answers[DEPLOYMENT] = object("d", "x", { uid: "uid-d", ...metadata });
    expect(await ofWidgets()).toEqual(found);
  });

  test("are others' where one of their owners is, is gone, or owns itself", async () => {
    const items = [object("a", "x", ownedBy(["Deployment", "d", "uid-d"], ["ReplicaSet", "r", "uid-r"]))];
    answers[WIDGETS] = { items };
    answers[DEPLOYMENT] = object("d", "x", { uid: "uid-d", ...mine() });
    expect(await ofWidgets()).toHaveLength(2);
    answers[SET] = object("r", "x", { uid: "another", ...mine() });
    expect(await ofWidgets()).toHaveLength(2);
    answers[SET] = object("r", "x", { uid: "uid-r", ...ownedBy(["ReplicaSet", "r", "uid-r"]) });
    expect(await ofWidgets()).toHaveLength(2);
    answers[SET] = object("r", "x", { uid: "uid-r", ...mine() });
    expect(await ofWidgets()).toEqual([]);
  });
});

describe("a Namespace", () => {
  const lists = (namespaced: Record<string, object[]>) => {
    const paths = [
      "/api/v1/namespaces/web/configmaps",
      "/api/v1/namespaces/web/secrets",
      "/api/v1/namespaces/web/pods",
    ];
    const groups = ["apps/v1/namespaces/web/deployments", "apps/v1/namespaces/web/replicasets"];
    for (const path of [
      ...paths,
      ...groups.map((one) => `/apis/${one}`),
      "/apis/example.com/v1/namespaces/web/widgets",
    ])
      answers[`${path}?limit=500`] = { items: namespaced[path.split("/").at(-1) ?? ""] ?? [] };
  };

  test("is told with what others have in it, of any kind", async () => {
    lists({ configmaps: [object("theirs", "web")], widgets: [object("w", "web")] });
    expect(await ofNamespace()).toEqual([
      "Namespace web would also delete 2 objects (1 ConfigMap in namespace web, 1 Widget in namespace web) of others",
      ADVICE,
    ]);
  });

  test("may go with what each has, what Helm keeps, and what the CNF's objects name", async () => {
    const pod = object("p", "web", ownedBy(["Deployment", "d", "uid-d"]));
    answers["/apis/apps/v1/namespaces/web/deployments/d"] = object("d", "web", { uid: "uid-d", ...mine() });
    lists({
      configmaps: [object("kube-root-ca.crt", "web")],
      pods: [pod],
      secrets: [
        object("sh.helm.release.v1.shop.v1", "web", { labels: { owner: "helm", name: "shop" } }),
        object("webhook-cert", "web"),
        object("data-db-0", "web"),
        object("token", "web", { annotations: { "kubernetes.io/service-account.name": "default" } }),
      ],
    });
    const named = ["/Secret/web/webhook-cert", "/Secret/web/data-db-*"];
    expect(await ofNamespace({ named })).toEqual([]);
    expect(await ofNamespace({ named: ["/Secret/web/webhook", "/Secret/other/data-db-*"] })).toEqual([
      "Namespace web would also delete 2 objects (2 Secret in namespace web) of others",
      ADVICE,
    ]);
  });

  test("has no objects of others if it does not exist", async () => {
    expect(await ofNamespace()).toEqual([]);
  });
});

describe("the step before the end of a CNF", () => {
  const run = (env: Record<string, string> = {}, its: object = access()): Promise<[boolean, string]> =>
    new Promise((resolve) => {
      const script = [...programArguments("deploy/objects/scripts/foreign-objects"), "delete"];
      const child = execFile("node", script, { env: { ...process.env, ...env } }, (error, _, stderr) =>
        resolve([error === null, stderr]),
      );
      const data = { ...own, definitions: ["widgets.example.com"], namespaces: [] };
      child.stdin?.end(JSON.stringify({ access: its, ...data }));
    });

  test("fails where others have custom resources", async () => {
    answers[WIDGETS] = { items: [object("a", "team-a")] };
    expect(await run()).toEqual([
      false,
      `CustomResourceDefinition widgets.example.com would also delete 1 object (1 Widget in namespace team-a) of others\n${ADVICE}\n`,
    ]);
    answers[WIDGETS] = { items: [] };
    expect(await run()).toEqual([true, ""]);
  });

  test("passes where the cluster is said to be gone", async () => {
    const gone = { cluster: { server: "http://127.0.0.1:1" }, user: { token: "t" } };
    expect(await run({ PULUMI_K8S_DELETE_UNREACHABLE: "true" }, gone)).toEqual([true, ""]);
  });
});
