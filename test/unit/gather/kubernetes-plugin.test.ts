/** Charts are rendered by a process of the Kubernetes plugin that has limits. Here a script stands for it. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Server, ServerCredentials, status } from "@grpc/grpc-js";
import { getVersion } from "@pulumi/kubernetes/utilities";
import * as pulumi from "@pulumi/pulumi";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { ConfigureResponse, InvokeResponse, type InvokeRequest } from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { deadlineOf, KubernetesPlugin } from "../../../components/gather/kubernetes-plugin";
import { limits } from "../../../components/base/limits";
import { recordResources } from "../../support/mocks";
import { until } from "../../support/until";

type Answer = (error: object | null, response?: InvokeResponse) => void;

let home: string;
let server: Server;
let port: number;
/** How the plugin answers. */
let answer: (jsonOpts: string, answer: Answer) => void;
let configured: unknown[];
let plugin: KubernetesPlugin | undefined;
const environment = { ...process.env };

beforeAll(async () => {
  server = new Server();
  server.addService(ResourceProviderService, {
    configure: (call: { request: { getVariablesMap(): { toObject(): unknown } } }, done: Answer) => {
      configured.push(call.request.getVariablesMap().toObject());
      done(null, new ConfigureResponse() as never);
    },
    invoke: (call: { request: InvokeRequest }, done: Answer) =>
      answer(call.request.getArgs()?.toJavaScript()["jsonOpts"] as string, done),
  });
  port = await new Promise((done, failed) =>
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? done(bound) : failed(error),
    ),
  );
});

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "vnfm-home-"));
  process.env["PULUMI_HOME"] = home;
  configured = [];
});

afterEach(() => {
  plugin?.end();
  plugin = undefined;
  process.env = { ...environment };
  jest.restoreAllMocks();
  rmSync(home, { recursive: true });
});

afterAll(() => server.forceShutdown());

/** Installs a plugin that does this. */
function install(script: string): void {
  const folder = join(home, `plugins/resource-kubernetes-v${getVersion()}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "pulumi-resource-kubernetes"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, "pulumi-resource-kubernetes"), 0o755);
}

/** A plugin that answers as the server here. */
const serving = () => `echo $$ >${home}/pid; echo ${port}; exec sleep 60`;

const returned = (result: unknown[]): InvokeResponse => {
  const response = new InvokeResponse();
  response.setReturn(Struct.fromJavaScript({ result: result as never }));
  return response;
};

async function start(script: string): Promise<KubernetesPlugin> {
  install(script);
  return (plugin = await KubernetesPlugin.start());
}

const isRunning = (): boolean => existsSync(`/proc/${readFileSync(join(home, "pid"), "utf8").trim()}`);

it("the plugin renders a chart by its options, without a cluster, and ends when it is told to", async () => {
  answer = (options, done) => done(null, returned([JSON.parse(options), null]));
  const started = await start(serving());
  expect(await started.template({ chart: "web" }, deadlineOf())).toEqual([{ chart: "web" }, null]);
  expect(configured).toEqual([[["kubernetes:config:kubeconfig", '{"apiVersion":"v1","kind":"Config"}']]]);
  expect(isRunning()).toBe(true);
  started.end();
  await until(10, "the end of the plugin", () => Promise.resolve(!isRunning()));
});

it("the plugin has the limit of memory, and asks Go to stay below it", async () => {
  await expect(start('echo "$(ulimit -d) $GOMEMLIMIT" >&2; exit 3')).rejects.toThrow(
    "the plugin ended with 3: 1048576 805306368",
  );
});

it.each([
  ["fatal error: runtime: out of memory", "it takes more than 1073741824 bytes of memory"],
  ["runtime: cannot allocate memory", "it takes more than 1073741824 bytes of memory"],
  ["panic: it is broken", "the plugin ended with 2: panic: it is broken"],
])("the plugin tells why it has ended in the middle of a chart: %s", async (stderr, message) => {
  const started = await start(`trap 'echo "${stderr}" >&2; exit 2' USR1; echo $$ >${home}/pid; echo ${port}
while :; do sleep 0.05; done`);
  // its connections close once it has ended
  answer = (_, done) => {
    process.kill(Number(readFileSync(join(home, "pid"), "utf8")), "SIGUSR1");
    void until(10, "the end of the plugin", () => Promise.resolve(!isRunning())).then(() =>
      done({ code: status.UNAVAILABLE }),
    );
  };
  await expect(started.template({}, deadlineOf())).rejects.toThrow(message);
});

it("the plugin tells that the system has killed it", async () => {
  answer = (_, done) => done({ code: status.UNAVAILABLE });
  const started = await start(serving());
  await expect(started.template({}, deadlineOf())).rejects.toThrow(
    "the system killed the plugin because memory ran out",
  );
});

it("the plugin gives a chart some seconds", async () => {
  jest.replaceProperty(limits, "renderSeconds", 0.3 as never);
  answer = () => undefined;
  const started = await start(serving());
  await expect(started.template({}, deadlineOf())).rejects.toThrow("it takes more than 0.3 s");
});

it("the plugin takes no more of what a chart makes than the limit", async () => {
  jest.replaceProperty(limits, "renderedBytes", 1000);
  answer = (_, done) => done(null, returned(["x".repeat(2000)]));
  const started = await start(serving());
  await expect(started.template({}, deadlineOf())).rejects.toThrow(
    "it creates more than 1000 bytes of objects",
  );
});

it.each([
  ["it is no chart", "it is no chart"],
  ["", "the reason is too long to be shown"],
])("the plugin says what Helm says: %j", async (details, message) => {
  answer = (_, done) => done({ code: status.UNKNOWN, details });
  const started = await start(serving());
  await expect(started.template({}, deadlineOf())).rejects.toThrow(new Error(message));
});

it("the plugin says that it does not start in time", async () => {
  jest.replaceProperty(limits, "renderSeconds", 0.2 as never);
  await expect(start("exec sleep 60")).rejects.toThrow("the Kubernetes plugin does not start within 0.2 s");
});

it("the plugin is taken from PATH where the engine has it from there", async () => {
  install(serving());
  process.env["PATH"] = `${home}/plugins/resource-kubernetes-v${getVersion()}:${environment["PATH"]}`;
  process.env["PULUMI_HOME"] = join(home, "none");
  answer = (_, done) => done(null, returned([]));
  plugin = await KubernetesPlugin.start();
  expect(await plugin.template({}, deadlineOf())).toEqual([]);
});

it("the plugin is installed by the engine where a program in another language has none yet", async () => {
  const recorded = recordResources();
  const invoke = jest.spyOn(pulumi.runtime, "invoke").mockImplementation(() => {
    install(serving());
    return Promise.resolve({});
  });
  plugin = await KubernetesPlugin.start();
  expect(invoke.mock.calls.map(([token]) => token)).toEqual(["kubernetes:yaml:decode"]);
  expect(recorded.map(({ type, name }) => [type, name])).toEqual([
    ["pulumi:providers:kubernetes", "helm-charts"],
  ]);
});

it("the plugin is a fault with the way out where there is none", async () => {
  recordResources();
  process.env["PATH"] = "/usr/bin:/bin";
  await expect(KubernetesPlugin.start()).rejects.toThrow(
    `the Kubernetes plugin ${getVersion()} is neither in ${home}/plugins/resource-kubernetes-v${getVersion()} nor on PATH; "pulumi plugin install resource kubernetes ${getVersion()}" installs it`,
  );
});
