import { once } from "node:events";
import {
  Client,
  credentials,
  Server,
  ServerCredentials,
  status,
  type sendUnaryData,
  type ServerUnaryCall,
  type ServiceError,
} from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { localExceptions } from "../../components/base/net/proxy";
import { portOf, startPlugin } from "../../components/gather/plugin-process";

/** Has the plugin answer a call. */
export type Pass = (method: string, request: Uint8Array) => Promise<Uint8Array>;

/** Answers to calls of the engine in place of the plugin, by method, such as `Create`. */
export type Answers = Readonly<Record<string, (request: Uint8Array, pass: Pass) => Promise<Uint8Array>>>;

/** A server that the engine takes for a plugin. */
export interface PluginFront {
  readonly port: number;
  readonly end: () => void;
}

/** Messages may have any size, and no proxy is between processes of one machine. */
const OPTIONS = {
  "grpc.max_receive_message_length": -1,
  "grpc.max_send_message_length": -1,
  "grpc.enable_http_proxy": 0,
};

/**
 * Starts a server in front of a plugin. Calls without an answer are passed on to the plugin: to one process for each
 * connection, as the engine has a connection for each provider.
 * @param folder current folder of the plugin
 */
export async function plugInFront(program: string, folder: string, answers: Answers): Promise<PluginFront> {
  const processes = new Map<string, PluginProcess>();
  const processOf = (peer: string): PluginProcess => {
    const plugin = processes.get(peer) ?? new PluginProcess(program, folder);
    processes.set(peer, plugin);
    return plugin;
  };
  const server = new Server(OPTIONS);
  for (const { path, responseStream } of Object.values(ResourceProviderService)) {
    if (responseStream) continue;
    const method = path.slice(path.lastIndexOf("/") + 1);
    server.register<Buffer, Uint8Array>(
      path,
      (call: ServerUnaryCall<Buffer, Uint8Array>, done: sendUnaryData<Uint8Array>) => {
        const pass: Pass = (name, request) => processOf(call.getPeer()).call(name, request);
        const answer = answers[method]?.(call.request, pass) ?? pass(method, call.request);
        answer.then(
          (bytes) => done(null, bytes),
          (error: unknown) => done(refusal(error)),
        );
      },
      asBuffer,
      (bytes) => bytes,
      "unary",
    );
  }
  const port = await new Promise<number>((bound, failed) =>
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, number) =>
      error === null ? bound(number) : failed(error),
    ),
  );
  const end = (): void => {
    server.forceShutdown();
    for (const plugin of processes.values()) plugin.end();
  };
  return { port, end };
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes);
}

/** The error for the engine: that of the plugin, with all details, or a message of vnfm. */
function refusal(error: unknown): Partial<ServiceError> {
  const { code, details, metadata, message } = error as ServiceError;
  return typeof code === "number" ? { code, details, metadata } : { code: status.UNKNOWN, details: message };
}

/** A process of a plugin. */
class PluginProcess {
  readonly #child;
  readonly #client: Promise<Client>;

  constructor(program: string, folder: string) {
    this.#child = startPlugin(program, { env: { ...process.env, ...localExceptions() }, cwd: folder });
    // it reports to the engine; a full pipe would stop it
    this.#child.stderr.resume();
    const ended = once(this.#child, "close").then(() => Promise.reject(new Error(`${program} has ended`)));
    this.#client = Promise.race([portOf(this.#child), ended]).then(
      (port) => new Client(`127.0.0.1:${port}`, credentials.createInsecure(), OPTIONS),
    );
    this.#client.catch(() => undefined);
  }

  async call(method: string, request: Uint8Array): Promise<Uint8Array> {
    const client = await this.#client;
    return new Promise((done, failed) =>
      client.makeUnaryRequest(
        `/pulumirpc.ResourceProvider/${method}`,
        asBuffer,
        (answer: Buffer) => answer,
        request,
        (error, answer) => (answer === undefined ? failed(error ?? new Error("no answer")) : done(answer)),
      ),
    );
  }

  end(): void {
    this.#child.stdin.end();
    void this.#client.then(
      (client) => client.close(),
      () => undefined,
    );
  }
}
