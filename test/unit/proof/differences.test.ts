/** How a preview is held against the cloud, both ways. */
import type { Part } from "../../../automation/changes/changes";
import type { Subject } from "../../../automation/changes/subject";
import { differences, differenceText } from "../../proof/differences";
import { editsOf } from "../../proof/edits";
import { modelOf, type Seen } from "../../proof/model";
import { plantedFaults } from "../../proof/planted";
import { SERVERS } from "../../proof/servers";

const of = (kind: Subject["kind"], key = "", vnfc = "app-1"): Subject => {
  return { vnf: "one", ...(vnfc !== "" && { vnfc }), kind, key };
};
const SERVER = of("server");
const PORT = of("port", "app_CP");
const VOLUME = of("volume", "data");

const seen = (subject: Subject, identity: string, fields: Seen["fields"] = {}): Seen => {
  return { subject, identity, fields };
};
const part = (action: Part["action"], subject: Subject, ...differs: string[]): Part => {
  return { action, subject, ...(differs.length > 0 && { differs }) };
};
const found = (parts: readonly Part[], before: readonly Seen[], after: readonly Seen[]) =>
  differences({ changes: [{ parts }] }, modelOf(before), modelOf(after)).map(differenceText);

const BEFORE = [
  seen(SERVER, "s1", { metadata: {} }),
  seen(PORT, "p1", { groups: ["a"], tags: [], network: "n1" }),
  seen(VOLUME, "v1", { size: 1 }),
];

/** What there was, with other things in the place of some. */
const withOthers = (...others: readonly Seen[]): Seen[] =>
  BEFORE.map((one) => others.find(({ subject }) => subject === one.subject) ?? one);

it.each<[string, Part[], Seen[]]>([
  ["nothing", [], BEFORE],
  [
    "a VNFC more",
    [part("create", of("server", "", "app-2"))],
    [...BEFORE, seen(of("server", "", "app-2"), "s2")],
  ],
  ["a thing less", [part("delete", VOLUME)], BEFORE.slice(0, 2)],
  ["another server", [part("replace", SERVER)], withOthers(seen(SERVER, "s2", { metadata: {} }))],
  ["another value", [part("update", VOLUME, "size")], withOthers(seen(VOLUME, "v1", { size: 2 }))],
  [
    "another value in a list",
    [part("update", PORT, "securityGroupIds[0]")],
    withOthers(seen(PORT, "p1", { groups: ["b"], tags: [], network: "n1" })),
  ],
  [
    "a property that shows in no field of its own",
    [part("update", PORT, "description")],
    withOthers(seen(PORT, "p1", { groups: ["b"], tags: [], network: "n1" })),
  ],
  [
    "a script and a command, which no API of the cloud shows",
    [part("create", of("script", "join")), part("update", of("command", "key"))],
    BEFORE,
  ],
])("the proof finds none where the preview says what differs: %s", (_, parts, after) => {
  expect(found(parts, BEFORE, after)).toEqual([]);
});

it("the proof finds what differs and was not announced", () => {
  expect(
    found([], BEFORE, [
      seen(SERVER, "s2", { metadata: {} }),
      seen(PORT, "p1", { groups: ["a"], tags: ["red"], network: "n1" }),
      seen(of("network", "nodes", ""), "n2"),
    ]),
  ).toEqual([
    "unannounced: one app-1 port app_CP: the preview says nothing; in the cloud: changed (tags)",
    "unannounced: one app-1 server: the preview says nothing; in the cloud: replaced",
    "unannounced: one app-1 volume data: the preview says nothing; in the cloud: gone",
    "unannounced: one network nodes: the preview says nothing; in the cloud: appeared",
  ]);
});

it("the proof finds what was announced and does not differ", () => {
  expect(
    found(
      [
        part("update", PORT, "tags"),
        part("replace", SERVER),
        part("delete", VOLUME),
        part("create", of("floatingIp", "app_CP-floating")),
      ],
      BEFORE,
      BEFORE,
    ),
  ).toEqual([
    "not kept: one app-1 floatingIp app_CP-floating: the preview says create; in the cloud: same",
    "not kept: one app-1 port app_CP: the preview says update tags; in the cloud: same",
    "not kept: one app-1 server: the preview says replace; in the cloud: same",
    "not kept: one app-1 volume data: the preview says delete; in the cloud: same",
  ]);
});

it("the proof finds a port that is replaced where the preview says that it is updated", () => {
  expect(
    found([part("update", PORT, "networkId")], BEFORE, withOthers(seen(PORT, "p2", { network: "n2" }))),
  ).toEqual([
    "unannounced: one app-1 port app_CP: the preview says update networkId; in the cloud: replaced",
  ]);
});

it("the proof finds a property that the preview leaves out, and one that did not change", () => {
  const after = withOthers(seen(PORT, "p1", { groups: ["b"], tags: ["red"], network: "n1" }));
  expect(found([part("update", PORT, "tags")], BEFORE, after)).toEqual([
    "unannounced: one app-1 port app_CP: the preview says update tags; in the cloud: changed (groups)",
  ]);
  expect(found([part("update", PORT, "tags", "securityGroupIds", "adminStateUp")], BEFORE, after)).toEqual([
    "not kept: one app-1 port app_CP: the preview says update tags securityGroupIds adminStateUp; in the cloud: changed (adminStateUp)",
  ]);
});

it("the proof takes a second thing of a subject for one that nobody announced", () => {
  expect(found([], BEFORE, [...BEFORE, seen(VOLUME, "v2", { size: 1 })])).toEqual([
    "unannounced: one app-1 volume data #2: the preview says nothing; in the cloud: appeared",
  ]);
});

it("holds what comes with another thing to nothing but that it goes with it", () => {
  const network = seen(of("network", "nodes", ""), "n1");
  const dhcp = { ...seen({ kind: "port", key: "dhcp" }, "d1"), derivedFrom: "one network nodes" };
  const gone = part("delete", network.subject);
  expect(found([], [network], [network, dhcp])).toEqual([]);
  expect(found([gone], [network, dhcp], [])).toEqual([]);
  expect(found([], [dhcp], [dhcp])).toEqual([]);
  expect(found([gone], [network, dhcp], [dhcp])).toEqual([
    "unannounced: - port dhcp: the preview says nothing; in the cloud: same (is without its owner)",
  ]);
});

describe("of Kubernetes objects", () => {
  const ofApi = { apiVersion: "apps/v1", kind: "Deployment", namespace: "web", name: "web" };
  const subject: Subject = { kind: "object", key: "Deployment web/web", object: ofApi };
  // a preview knows the CNF, the API does not
  const named: Subject = { vnf: "web", ...subject };
  const before = [seen(subject, "u1", { spec: { replicas: 1 }, metadata: { labels: {} } })];
  const after = [seen(subject, "u1", { spec: { replicas: 2 }, metadata: { labels: {} } })];

  it("are compared by what the API knows them by, and by their own fields", () => {
    expect(found([part("update", named, "spec.replicas")], before, after)).toEqual([]);
    expect(found([part("update", named, "metadata.labels.a")], before, after)).toEqual([
      "unannounced: object Deployment.apps web/web: the preview says update metadata.labels.a; in the cloud: changed (spec)",
      "not kept: object Deployment.apps web/web: the preview says update metadata.labels.a; in the cloud: changed (metadata)",
    ]);
  });

  it("are to stay where a preview says that the state alone loses them", () => {
    const retained: Part = { action: "delete", subject: named, retained: true };
    expect(found([retained], before, before)).toEqual([]);
    expect(found([retained], before, [])).toEqual([
      "unannounced: object Deployment.apps web/web: the preview says delete; in the cloud: gone",
    ]);
  });

  it("are there in the end where a preview says that they are created unless they are there", () => {
    const retained: Part = { action: "create", subject: named, retained: true };
    expect(found([retained], before, before)).toEqual([]);
    expect(found([retained], [], before)).toEqual([]);
    expect(found([retained], before, [])).toHaveLength(1);
  });
});

it("the proof finds each fault that is planted into a preview", () => {
  const parts = [part("update", PORT, "tags"), part("replace", SERVER), part("create", of("script", "join"))];
  const after = [
    seen(SERVER, "s2", { metadata: {} }),
    seen(PORT, "p1", { groups: ["a"], tags: ["red"], network: "n1" }),
    seen(VOLUME, "v1", { size: 1 }),
  ];
  const [edit] = editsOf(SERVERS, 1, 1);
  const proven = {
    ...{
      family: "servers",
      seed: 1,
      edit: edit!,
      preview: { changes: [{ parts }] },
      differences: [],
      tooWide: [],
    },
    ...{ before: modelOf(BEFORE), after: modelOf(after) },
  };
  expect(differences(proven.preview, proven.before, proven.after)).toEqual([]);
  const planted = plantedFaults(proven);
  expect(planted.map(({ fault }) => fault)).toEqual([
    "without one app-1 port app_CP",
    "without one app-1 server",
    "another action of one app-1 port app_CP",
    "another action of one app-1 server",
    "update of one app-1 volume data, which stays",
    "replace of one app-1 volume data, which stays",
    "delete of one app-1 volume data, which stays",
  ]);
  for (const { preview } of planted)
    expect(differences(preview, proven.before, proven.after)).not.toEqual([]);
});
