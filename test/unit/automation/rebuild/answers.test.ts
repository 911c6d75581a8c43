/** Answers to the engine in place of a plugin, which only checks and reads. */
import { createHash } from "node:crypto";
import { Metadata } from "@grpc/grpc-js";
import {
  CheckRequest,
  CheckResponse,
  CreateRequest,
  CreateResponse,
  ErrorResourceInitFailed,
  ReadRequest,
  ReadResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { Status } from "@pulumi/pulumi/proto/status_pb";
import { Any } from "google-protobuf/google/protobuf/any_pb";
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb";
import { commandAnswers } from "../../../../automation/rebuild/command-answers";
import { Inventory } from "../../../../automation/rebuild/inventory";
import { kubernetesAnswers } from "../../../../automation/rebuild/kubernetes-answers";
import { openStackAnswers } from "../../../../automation/rebuild/openstack-answers";
import type { Answers } from "../../../../automation/rebuild/plugin-front";
import { MAKE_KEY } from "../../../../components/remote/ssh-keys";
import { SECRET, type ResourceState } from "../../../../automation/stack/state";

const urn = (type: string, name: string) => `urn:pulumi:dev::vnfm::vnfm:index:Vnf$${type}::${name}`;
const SERVER = urn("openstack:compute/instance:Instance", "node");
const PORT = urn("openstack:networking/port:Port", "port");
const OBJECT = urn("kubernetes:core/v1:ConfigMap", "page");
const CREDENTIAL = urn("openstack:identity/applicationCredential:ApplicationCredential", "tenant");
const RELEASE = urn("kubernetes:helm.sh/v3:Release", "web");
const COMMAND = urn("command:local:Command", "step");

type Fields = Record<string, JavaScriptValue>;

let inventory: Inventory;
/** Calls that reached the plugin. */
let calls: [method: string, request: unknown][];
/** Properties of the resource that the plugin reads. Undefined: there is none. */
let live: Fields | undefined;
/** False: the plugin reports `live` as an error, because it is not ready. */
let isReady: boolean;

beforeEach(() => {
  [inventory, calls, live, isReady] = [new Inventory(), [], undefined, true];
});

/** The error of the Kubernetes plugin for an object that it has read, and that is not ready. */
function notReadyError(id: string, properties: Fields): Error {
  const failed = new ErrorResourceInitFailed().setId(id).setProperties(Struct.fromJavaScript(properties));
  const detail = new Any();
  detail.pack(failed.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
  const metadata = new Metadata();
  metadata.set(
    "grpc-status-details-bin",
    Buffer.from(new Status().setDetailsList([detail]).serializeBinary()),
  );
  return Object.assign(new Error("not ready"), { metadata });
}

/** A plugin that checks nothing, and reads `live`. */
const pass = (method: string, bytes: Uint8Array): Promise<Uint8Array> => {
  if (method === "Check") {
    const news = CheckRequest.deserializeBinary(bytes).getNews();
    return Promise.resolve(new CheckResponse().setInputs(news).serializeBinary());
  }
  if (method !== "Read") {
    calls.push([method, undefined]);
    return Promise.resolve(new CreateResponse().setId("made").serializeBinary());
  }
  const request = ReadRequest.deserializeBinary(bytes);
  calls.push([method, [request.getId(), request.getProperties()?.toJavaScript()]]);
  if (live !== undefined && !isReady) return Promise.reject(notReadyError(request.getId(), live));
  const answer = new ReadResponse();
  if (live !== undefined) answer.setId(request.getId()).setProperties(Struct.fromJavaScript(live));
  return Promise.resolve(answer.serializeBinary());
};

async function call(answers: Answers, method: string, request: { serializeBinary(): Uint8Array }) {
  const answer = answers[method];
  if (answer === undefined) throw new Error(`there is no answer to ${method}`);
  return answer(request.serializeBinary(), pass);
}

async function check(answers: Answers, of: string, news: Fields) {
  const request = new CheckRequest().setUrn(of).setNews(Struct.fromJavaScript(news));
  const bytes = await call(answers, "Check", request);
  return CheckResponse.deserializeBinary(bytes).getInputs()?.toJavaScript();
}

async function create(answers: Answers, of: string, properties: Fields) {
  const request = new CreateRequest().setUrn(of).setProperties(Struct.fromJavaScript(properties));
  const response = CreateResponse.deserializeBinary(await call(answers, "Create", request));
  return { id: response.getId(), properties: response.getProperties()?.toJavaScript() };
}

const findsOne = () =>
  openStackAnswers(
    { find: () => Promise.resolve({ id: "one", name: "node-1234567" }) },
    new Map(),
    inventory,
  );
const findsNone = (former: ReadonlyMap<string, ResourceState> = new Map()) =>
  openStackAnswers({ find: () => Promise.resolve(undefined) }, former, inventory);

it("nothing is changed or deleted", async () => {
  for (const answers of [
    findsOne(),
    commandAnswers(new Map(), inventory),
    kubernetesAnswers(new Map(), inventory),
  ]) {
    await expect(call(answers, "Update", new CreateRequest())).rejects.toThrow("nothing is changed");
    await expect(call(answers, "Delete", new CreateRequest())).rejects.toThrow("nothing is deleted");
  }
  expect(calls).toEqual([]);
});

it("a generated name becomes that of the item, and a creation reads the item with the inputs", async () => {
  const answers = findsOne();
  const inputs = { name: "node-7654321", userData: "text" };
  expect(await check(answers, SERVER, inputs)).toEqual({ ...inputs, name: "node-1234567" });
  live = { id: "one", status: "ACTIVE" };
  expect(await create(answers, SERVER, inputs)).toEqual({ id: "one", properties: live });
  const userData = createHash("sha1").update("text").digest("hex");
  expect(calls).toEqual([["Read", ["one", { ...inputs, id: "one", userData }]]]);
  expect([inventory.has("openstack:compute/instance:Instance", "one"), [...inventory.missing]]).toEqual([
    true,
    [],
  ]);
});

it("a resource that no longer exists is missing, and the program goes on", async () => {
  const answers = findsNone();
  await check(answers, PORT, { networkId: "network" });
  expect(await create(answers, PORT, { networkId: "network" })).toEqual({
    id: "missing",
    properties: { networkId: "network", allFixedIps: ["192.0.2.1", "2001:db8::1"] },
  });
  expect([[...inventory.missing], calls]).toEqual([[PORT], []]);
});

it("a port that no longer exists has the addresses that the program requests, and a floating IP one of no machine", async () => {
  const fixedIps = [{ ipAddress: "10.0.0.10" }];
  expect((await create(findsNone(), PORT, { fixedIps })).properties).toEqual({
    fixedIps,
    allFixedIps: ["10.0.0.10"],
  });
  const floatingIp = urn("openstack:networking/floatingIp:FloatingIp", "vip");
  expect((await create(findsNone(), floatingIp, {})).properties).toEqual({ address: "192.0.2.1" });
});

it("a load balancer that no longer exists is an error, as the API had its address", async () => {
  const balancer = urn("openstack:loadbalancer/loadBalancer:LoadBalancer", "vnf-a-vip_CP");
  await expect(create(findsNone(), balancer, {})).rejects.toThrow(
    "vnf-a-vip_CP: the load balancer no longer exists",
  );
});

it("a command does not run, and has the output of the former state", async () => {
  const outputs = { stdout: "token", stderr: "" };
  const answers = commandAnswers(new Map([[COMMAND, { outputs }]]), inventory);
  const inputs = { create: "node run-script create", stdin: "{}" };
  expect((await create(answers, COMMAND, inputs)).properties).toEqual({ ...inputs, ...outputs });
  expect(inventory.unproven).toEqual(["step"]);
  const newer = urn("command:local:Command", "newer");
  expect((await create(answers, newer, inputs)).properties).toEqual({ ...inputs, stdout: "", stderr: "" });
  expect([calls, inventory.renewed]).toEqual([[], []]);
});

it("a key that no former state has is generated, and named", async () => {
  const answers = commandAnswers(new Map(), inventory);
  expect((await create(answers, COMMAND, { create: MAKE_KEY })).id).toBe("made");
  expect([calls, inventory.renewed]).toEqual([[["Create", undefined]], ["step"]]);
});

it("a command of the user's own program does not run, also without a former state", async () => {
  const answers = commandAnswers(new Map(), inventory);
  expect((await create(answers, COMMAND, { create: "make deploy" })).id).not.toBe("made");
  expect([calls, inventory.unproven]).toEqual([[], ["step"]]);
});

it("a script that the former state has with the same data is known to be done", async () => {
  const inputs = { create: "node run-script create", stdin: "{}" };
  const former = new Map([[COMMAND, { inputs, outputs: { stdout: "token" } }]]);
  await create(commandAnswers(former, inventory), COMMAND, inputs);
  expect(inventory.unproven).toEqual([]);
});

describe("an object", () => {
  const metadata = (owner: string) => ({
    name: "page",
    namespace: "web",
    annotations: { "vnfm.io/owner": owner },
  });
  const inputs = { data: { a: "b" }, metadata: metadata("dev-1/web") };

  it("is read by its name, and its inputs are those of the program", async () => {
    live = { data: { a: "by hand" }, metadata: metadata("dev-1/web"), __inputs: {} };
    expect(await create(kubernetesAnswers(new Map(), inventory), OBJECT, inputs)).toEqual({
      id: "web/page",
      properties: { ...live, __inputs: inputs },
    });
  });

  it("is refused if it belongs to another instance", async () => {
    live = { metadata: metadata("dev-2/web") };
    await expect(create(kubernetesAnswers(new Map(), inventory), OBJECT, inputs)).rejects.toThrow(
      "web/page exists, and belongs to dev-2/web",
    );
  });

  it("is read though it is not ready yet, which the plugin reports as an error", async () => {
    live = { metadata: metadata("dev-1/web"), status: { phase: "Pending" } };
    isReady = false;
    expect((await create(kubernetesAnswers(new Map(), inventory), OBJECT, inputs)).id).toBe("web/page");
    live = { metadata: metadata("dev-2/web") };
    await expect(create(kubernetesAnswers(new Map(), inventory), OBJECT, inputs)).rejects.toThrow(
      "belongs to dev-2/web",
    );
  });

  it("is not compared by a patch of it, which has no owner", async () => {
    live = { metadata: metadata("dev-1/web") };
    const patch = urn("kubernetes:apps/v1:StatefulSetPatch", "page");
    const inputsOfPatch = { metadata: { name: "page", namespace: "web" } };
    const made = await create(kubernetesAnswers(new Map(), inventory), patch, inputsOfPatch);
    expect(made.id).toBe("web/page");
  });

  it("is missing if it no longer exists", async () => {
    expect((await create(kubernetesAnswers(new Map(), inventory), OBJECT, inputs)).id).toBe("missing");
    expect([...inventory.missing]).toEqual([OBJECT]);
  });
});

describe("an application credential", () => {
  const inputs = { name: "tenant-7654321", description: "for controllers of tenant" };
  const secret = { [SECRET]: "1b47061264138c4ac30d75fd1eb44270" };
  const outputs = { name: "tenant-1234567", secret: { ...secret, plaintext: '"word"' } };
  const former = formerOf(CREDENTIAL, "credential-1", outputs);

  it("is read with the secret of the former state", async () => {
    const answers = findsNone(former);
    live = { name: "tenant-1234567", secret: "word" };
    expect(await check(answers, CREDENTIAL, inputs)).toEqual({ ...inputs, name: "tenant-1234567" });
    expect(await create(answers, CREDENTIAL, inputs)).toEqual({ id: "credential-1", properties: live });
    const read = { name: "tenant-1234567", secret: { ...secret, value: "word" } };
    expect(calls).toEqual([["Read", ["credential-1", read]]]);
  });

  it.each([
    ["that no former state has", new Map()],
    ["that no longer exists", former],
  ])("%s is made again by the next update", async (_, known) => {
    const answers = findsNone(known);
    await check(answers, CREDENTIAL, inputs);
    expect((await create(answers, CREDENTIAL, inputs)).id).toBe("missing");
    expect([[...inventory.unreadable], [...inventory.missing]]).toEqual([[CREDENTIAL], []]);
  });
});

describe("a release of Helm", () => {
  const inputs = { name: "web", namespace: "site", values: { replicas: 2 } };
  const former = formerOf(RELEASE, "site/web", { name: "web", namespace: "site" });

  it("is read with the outputs of the former state", async () => {
    live = { name: "web", status: { revision: 2 } };
    expect(await create(kubernetesAnswers(former, inventory), RELEASE, inputs)).toEqual({
      id: "site/web",
      properties: live,
    });
    expect(calls).toEqual([["Read", ["site/web", { name: "web", namespace: "site" }]]]);
  });

  it("is refused if the former state does not have it, because others may have installed it", async () => {
    live = { name: "web" };
    await expect(create(kubernetesAnswers(new Map(), inventory), RELEASE, inputs)).rejects.toThrow(
      "the release site/web exists, and the former state does not have it",
    );
  });

  it("is missing if it no longer exists", async () => {
    expect((await create(kubernetesAnswers(former, inventory), RELEASE, inputs)).id).toBe("missing");
    expect([...inventory.missing]).toEqual([RELEASE]);
  });
});

function formerOf(of: string, id: string, outputs: object): ReadonlyMap<string, ResourceState> {
  return new Map([
    [of, { urn: of, type: of.split("::")[2] ?? "", custom: true, id, outputs } as ResourceState],
  ]);
}
