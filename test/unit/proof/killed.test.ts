/** A run that is killed, recovered and run again: what its two previews are held to. */
import type { Part } from "../../../automation/changes/changes";
import type { Subject } from "../../../automation/changes/subject";
import { differenceText } from "../../proof/differences";
import { changesBeforeKill, differencesOfKilled } from "../../proof/killed";
import { modelOf, type Seen } from "../../proof/model";

const server = (vnfc: string): Subject => ({ vnf: "one", vnfc, kind: "server", key: "" });
const seen = (subject: Subject, identity: string, fields: Seen["fields"] = {}): Seen => {
  return { subject, identity, fields };
};
const preview = (...parts: Part[]) => ({ changes: [{ parts }] });
const create = (vnfc: string): Part => ({ action: "create", subject: server(vnfc) });
const [ONE, TWO, THREE] = ["app-1", "app-2", "app-3"].map((vnfc) => seen(server(vnfc), `id of ${vnfc}`));

const found = (first: Part[], second: Part[], ...models: [Seen[], Seen[], Seen[]]) => {
  const [before, between, after] = models.map(modelOf);
  const killed = { changes: 3, between: between!, preview: preview(...second) };
  return differencesOfKilled(preview(...first), killed, before!, after!).map(differenceText);
};

it("both previews agree where the kill came between the deletion of a server and its creation", () => {
  const port = { vnf: "one", vnfc: "app-2", kind: "port", key: "cp" } as const;
  const portOf = (fields: Seen["fields"]) => seen(port, "id of cp", fields);
  const heal: Part = { action: "replace", subject: server("app-2") };
  const attached = portOf({ server: "one app-2 server" });
  const healed = seen(server("app-2"), "another");
  const free = portOf({ server: "" });
  expect(found([heal], [heal], [TWO!, attached], [free], [healed, attached])).toEqual([]);
  // of another server it would be a difference
  const other = portOf({ server: "one app-1 server" });
  expect(found([heal], [heal], [TWO!, other], [free], [healed, other])).toEqual([
    "unannounced: one app-2 port cp: the preview says nothing; in the cloud: changed (server)",
    "unannounced: one app-2 port cp: the preview says nothing; in the cloud: changed (server)",
  ]);
});

it("agree where the first run has made a part, and the second the rest", () => {
  const both = [create("app-2"), create("app-3")];
  expect(found(both, [create("app-3")], [ONE!], [ONE!, TWO!], [ONE!, TWO!, THREE!])).toEqual([]);
});

it("agree where the second run makes anew what the first has half made", () => {
  const again: Part = { action: "replace", subject: server("app-2") };
  expect(found([create("app-2")], [again], [], [TWO!], [seen(server("app-2"), "another")])).toEqual([]);
});

it("differ where something else changes before the kill, or after it", () => {
  const other = seen(server("app-1"), "another");
  expect(found([create("app-2")], [create("app-2")], [ONE!], [other], [ONE!, TWO!])).toEqual([
    "unannounced: one app-1 server: the preview says nothing; in the cloud: replaced",
    "unannounced: one app-1 server: the preview says nothing; in the cloud: replaced",
  ]);
  expect(found([create("app-2")], [create("app-2")], [ONE!], [ONE!], [other, TWO!])).toEqual([
    "unannounced: one app-1 server: the preview says nothing; in the cloud: replaced",
    "unannounced: one app-1 server: the preview says nothing; in the cloud: replaced",
  ]);
});

it("differ where a thing is there twice, or is not there in the end", () => {
  const twice = [TWO!, seen(server("app-2"), "another")];
  expect(found([create("app-2")], [], [], twice, twice)).toEqual([
    "unannounced: one app-2 server #2: the preview says nothing; in the cloud: appeared",
  ]);
  expect(found([create("app-2")], [], [], [], [])).toEqual([
    "not kept: one app-2 server: the preview says create; in the cloud: same",
  ]);
});

it("agree where a thing and its successor are there at the kill, and the second run discards the one", () => {
  const replace: Part = { action: "replace", subject: server("app-2") };
  const discard: Part = { action: "discard", subject: server("app-2") };
  const next = seen(server("app-2"), "another");
  for (const between of [
    [TWO!, next],
    [next, TWO!],
  ]) {
    expect(found([replace], [discard], [TWO!], between, [next])).toEqual([]);
    expect(found([replace], [discard], [TWO!], between, between)).not.toEqual([]);
    expect(found([replace], [], [TWO!], between, [next])).not.toEqual([]);
  }
});

it("let a Node join meanwhile, which must be there in the end", () => {
  const name = "vnf-a-workernode-2";
  const subject: Subject = { kind: "object", key: name, object: { apiVersion: "v1", kind: "Node", name } };
  const node = seen(subject, "n1");
  const part: Part = { action: "create", subject };
  expect(found([part], [part], [], [node], [node])).toEqual([]);
  expect(found([part], [part], [], [], [])).toHaveLength(1);
});

it("let an object or metadata that was sent before the kill be sent a second time, and nothing else of a server", () => {
  const object = { apiVersion: "v1", kind: "Service", namespace: "web", name: "web" };
  const update: Part = { action: "update", subject: { kind: "object", key: "Service web/web", object } };
  const [old, now] = [1, 2].map((note) => seen(update.subject, "s1", { metadata: { note } }));
  const part: Part = { ...update, differs: ["metadata.note"] };
  expect(found([part], [part], [old!], [now!], [now!])).toEqual([]);
  expect(found([], [part], [old!], [now!], [now!])).not.toEqual([]);
  const ofServer = (field: string, property: string) => {
    const [former, next] = [1, 2].map((value) => seen(server("app-1"), "one", { [field]: value }));
    const change: Part = { action: "update", subject: server("app-1"), differs: [property] };
    return found([change], [change], [former!], [next!], [next!]);
  };
  expect(ofServer("metadata", "metadata.role")).toEqual([]);
  expect(ofServer("name", "name")).toHaveLength(1);
});

it("are killed every fifth time, after a number of changes that the seed gives", () => {
  const parts = preview(create("app-1"), create("app-2"));
  const moments = (seed: number) =>
    Array.from({ length: 10 }, (_, i) => changesBeforeKill(seed, i + 1, parts));
  expect(moments(7).map((one) => one !== undefined)).toEqual(
    Array.from({ length: 10 }, (_, i) => [4, 9].includes(i)),
  );
  expect(moments(7)).toEqual(moments(7));
  const drawn = Array.from({ length: 50 }, (_, seed) => changesBeforeKill(seed, 5, parts));
  expect([...new Set(drawn)].sort()).toEqual([1, 2, 3, 4]);
  expect(changesBeforeKill(7, 5, preview())).toBeUndefined();
});
