import {
  adopt,
  back,
  halfUpdated,
  hasResource,
  leaving,
  nameOf,
  reread,
  retained,
  reveal,
  undone,
  withRefusedReread,
  without,
  type ResourceState,
  type State,
} from "../../../../automation/stack/state";

const port = (changes: Partial<ResourceState> = {}): ResourceState => ({
  urn: "urn:pulumi:dev::vnfm::openstack:networking/port:Port::a",
  type: "openstack:networking/port:Port",
  custom: true,
  inputs: { name: "a-1f2e" },
  ...changes,
});

const state = (...resources: ResourceState[]): State => ({
  deployment: { resources, pending_operations: [{ type: "creating", resource: port() }] },
});

const network: ResourceState = { urn: "urn:pulumi:dev::vnfm::n::net", type: "n", custom: true, id: "net" };
const adopted = { ...port(), id: "new", outputs: { name: "a-1f2e", id: "new" } };
const made = [{ resource: port(), id: "new" }];

it("the recovery puts what was made behind what it depends on, to be read before the next update", () => {
  expect(adopt(state(network), made).deployment).toEqual({
    resources: [network, { ...adopted, refreshBeforeUpdate: true }],
    pending_operations: [],
  });
});

it("the recovery has what is secret of a server encrypted in the outputs too, as in the inputs", () => {
  const userData = {
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    ciphertext: "v1:x",
  };
  const resource = port({ inputs: { name: "a", userData } });
  const { resources } = adopt(state(), [{ resource, id: "new" }]).deployment;
  expect(resources).toEqual([expect.objectContaining({ outputs: { name: "a", userData, id: "new" } })]);
});

it("forgets what was not made", () => {
  expect(adopt(state(network), []).deployment).toEqual({ resources: [network], pending_operations: [] });
});

it("the recovery works on a state without resources", () => {
  expect(adopt({ deployment: {} }, []).deployment.resources).toEqual([]);
});

it("the recovery keeps what is in use, and marks a replacement that was cut off for deletion", () => {
  const inUse = port({ id: "old" });
  expect(adopt(state(inUse), made).deployment.resources).toEqual([inUse, { ...adopted, delete: true }]);
});

it("the recovery puts it in the place of one that was deleted to be replaced", () => {
  const deleted = port({ id: "old", pendingReplacement: true });
  expect(adopt(state(deleted), made).deployment.resources).toEqual([
    { ...adopted, refreshBeforeUpdate: true },
  ]);
});

it("the recovery puts it, and what it needs, before what needs it and was deleted with it", () => {
  const deleted = port({ id: "old", pendingReplacement: true });
  const provider = (id: string): ResourceState => ({
    urn: `urn:${id}`,
    type: "pulumi:providers:p",
    custom: true,
    id,
  });
  const user: ResourceState = { urn: "urn:user", type: "u", custom: true, pendingReplacement: true };
  const users = [
    { ...user, dependencies: [deleted.urn] },
    { ...user, urn: "urn:other", propertyDependencies: { connection: [deleted.urn] } },
    { ...user, urn: "urn:child", parent: deleted.urn },
  ];
  const resource = port({ provider: "urn:p::p", dependencies: [network.urn] });
  const { resources } = adopt(state(deleted, ...users, provider("q"), network, provider("p")), [
    { resource, id: "new" },
  ]).deployment;
  expect(resources?.map(({ id, urn }) => id ?? urn)).toEqual([
    ...["net", "p", "new"],
    ...["urn:user", "urn:other", "urn:child"],
    "q",
  ]);
});

it("the recovery adopts beside one that is about to be deleted", () => {
  const leftover = port({ id: "old", delete: true });
  expect(adopt(state(leftover), made).deployment.resources).toEqual([
    leftover,
    { ...adopted, refreshBeforeUpdate: true },
  ]);
});

it("the recovery adopts once what two cut-off creations found", () => {
  expect(adopt(state(), [...made, ...made]).deployment.resources).toEqual([
    { ...adopted, refreshBeforeUpdate: true },
  ]);
});

it("the recovery keeps whatever else the state has", () => {
  const whole = { version: 3, deployment: { resources: [], manifest: { magic: "m" } } };
  expect(adopt(whole, [])).toMatchObject(whole);
});

it("the state knows a resource by type and id", () => {
  const { type } = port();
  expect(hasResource(state(port({ id: "x" })), type, "x")).toBe(true);
  expect(hasResource(state(port({ id: "x" })), type, "y")).toBe(false);
  expect(hasResource(state(network), type, "net")).toBe(false);
});

it("the state reveals secrets, also one within another", () => {
  const secret = (value: unknown) => ({
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    plaintext: JSON.stringify(value),
  });
  expect(reveal(secret({ host: "h", key: secret("k"), ports: [secret(22), null] }))).toEqual({
    host: "h",
    key: "k",
    ports: [22, null],
  });
});

it("calls a resource by its name in the program", () => {
  expect(nameOf(port())).toBe("a");
});

describe("a replacement that was cut off", () => {
  const command = (name: string, changes: Partial<ResourceState> = {}): ResourceState => ({
    urn: `urn:pulumi:dev::vnfm::command:local:Command::${name}`,
    type: "command:local:Command",
    custom: true,
    inputs: { create: "true", delete: "true" },
    ...changes,
  });
  const copy = command("copy", { pendingReplacement: true });
  const restore = command("restore", {
    inputs: { create: "true" },
    pendingReplacement: true,
    dependencies: [copy.urn, network.urn],
    propertyDependencies: { stdin: [copy.urn], connection: [network.urn] },
  });

  it("has undone the commands that have something to undo, and deleted Kubernetes objects", () => {
    const deleted = port({ pendingReplacement: true });
    const object = { ...deleted, type: "kubernetes:apps/v1:Deployment" };
    const left = { ...object, pendingReplacement: false };
    expect(undone(state(network, copy, restore, command("other"), deleted, object, left))).toEqual([
      copy,
      object,
    ]);
  });

  it("has left alone what was to stay in the cloud, which is in use again", () => {
    const one = port({ pendingReplacement: true, retainOnDelete: true });
    const deleted = port({ pendingReplacement: true });
    const used = port({ retainOnDelete: true });
    const cutOff = state(one, deleted, used);
    expect(retained(cutOff)).toEqual([one]);
    expect(back(cutOff, [one]).deployment.resources).toEqual([
      { ...one, pendingReplacement: false },
      deleted,
      used,
    ]);
  });

  it("is forgotten with all that names it", () => {
    expect(without(state(network, copy, restore), [copy]).deployment.resources).toEqual([
      network,
      {
        ...restore,
        dependencies: [network.urn],
        propertyDependencies: { stdin: [], connection: [network.urn] },
      },
    ]);
  });
});

describe("a deletion that was cut off", () => {
  const cutOff = (resource: ResourceState, ...resources: ResourceState[]): State => ({
    deployment: { resources, pending_operations: [{ type: "deleting", resource }] },
  });
  const one = port({ id: "a" });

  it("is of a resource that may be there still, or not", () => {
    expect(leaving(cutOff(one, network, one))).toEqual([one]);
    expect(leaving(state(one))).toEqual([]);
  });

  it.each<[what: string, resource: ResourceState]>([
    ["a leftover of a replacement", { ...one, delete: true }],
    ["what was deleted to be replaced", { ...one, pendingReplacement: true }],
    ["the resource that another has replaced", { ...one, id: "b" }],
  ])("is not asked for where it is of %s", (_, resource) => {
    expect(leaving(cutOff(one, resource))).toEqual([]);
  });

  it("has the resource read by the next update", () => {
    expect(reread(state(network, one), [one]).deployment.resources).toEqual([
      network,
      { ...one, refreshBeforeUpdate: true },
    ]);
  });
});

describe("an update that was cut off", () => {
  const cutOff = (...all: ResourceState[]): State => ({
    deployment: {
      resources: all,
      pending_operations: all.map((resource) => ({ type: "updating", resource })),
    },
  });
  const volume = port({
    urn: "urn:pulumi:dev::vnfm::v::v",
    type: "openstack:blockstorage/volume:Volume",
    id: "v",
  });

  it("is one that the cloud may have done", () => {
    expect(halfUpdated(cutOff(volume, port({ id: "p" })))).toEqual([volume, port({ id: "p" })]);
  });

  it("is to be read too where the cloud has refused it, which the state does not show", () => {
    const refused = { ...volume, initErrors: ["updating ...: 413"] };
    expect(halfUpdated({ deployment: { resources: [refused] } })).toEqual([refused]);
  });

  it("is marked in the state of a preview, unless a run was cut off, whose traces an import would drop", () => {
    const refused = { ...volume, initErrors: ["updating ...: 413"] };
    expect(withRefusedReread({ deployment: { resources: [refused, port()] } }, "dev")).toEqual({
      deployment: { resources: [{ ...refused, refreshBeforeUpdate: true }, port()] },
    });
    expect(() => withRefusedReread(cutOff(refused), "org/vnfm/dev")).toThrow(
      "a run of stack org/vnfm/dev was interrupted: run 'vnfm recover' first",
    );
  });

  it("is done again where a cluster or a script takes it twice, and where the resource is to be deleted", () => {
    const command = port({ type: "command:local:Command", id: "c" });
    const object = port({ type: "kubernetes:core/v1:ConfigMap", id: "o" });
    expect(halfUpdated(cutOff(command, object, { ...volume, delete: true }))).toEqual([]);
    expect(halfUpdated({ deployment: { resources: [volume] } })).toEqual([]);
  });
});
