import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { Client, credentials, status, type ServiceError } from "@grpc/grpc-js";
import { Provider } from "@pulumi/kubernetes/provider";
import { getVersion } from "@pulumi/kubernetes/utilities";
import * as pulumi from "@pulumi/pulumi";
import {
  ConfigureRequest,
  ConfigureResponse,
  InvokeRequest,
  InvokeResponse,
} from "@pulumi/pulumi/proto/provider_pb";
import { Struct } from "google-protobuf/google/protobuf/struct_pb";
import { at } from "../kube/objects/object";
import { limits } from "../base/limits";
import { pluginFolder, pluginProgram, portOf, startPlugin } from "./plugin-process";

/**
 * Maximum number of characters of standard error that are kept: in a crash Go prints the reason first, and then all
 * stacks.
 */
const STDERR = 64 * 1024;

/**
 * A kubeconfig without a cluster. With the operator's kubeconfig the plugin would render charts for the version of that
 * cluster.
 */
const NO_CLUSTER = JSON.stringify({ apiVersion: "v1", kind: "Config" });

const OUT_OF_MEMORY = /out of memory|cannot allocate memory|failed to create new OS thread/;

/**
 * A second process of the Kubernetes plugin, next to that of Pulumi, which renders charts. Templates may need any time
 * and memory, which the plugin does not limit, so this process has a memory limit, and is ended after a time limit.
 */
export class KubernetesPlugin {
  #client: Client | undefined;
  readonly #child;
  readonly #ended: Promise<string>;

  private constructor(program: string) {
    const env = { ...process.env, GOMEMLIMIT: String(Math.floor(limits.renderMemory * 0.75)) };
    this.#child = startPlugin(program, { env, kibibytes: Math.floor(limits.renderMemory / 1024) });
    let stderr = "";
    this.#child.stderr.on("data", (part: Buffer) => {
      if (stderr.length < STDERR) stderr += part.toString("utf8");
    });
    this.#ended = once(this.#child, "close").then(
      ([code]) => reasonOf(code, stderr),
      (error: unknown) => String(error),
    );
  }

  /** @throws Error if the plugin is not installed, or does not start */
  static async start(): Promise<KubernetesPlugin> {
    const plugin = new KubernetesPlugin(await findPlugin());
    try {
      await plugin.#connect();
      return plugin;
    } catch (error) {
      plugin.end();
      throw error;
    }
  }

  async #connect(): Promise<void> {
    const deadline = deadlineOf();
    const port = await Promise.race([
      portOf(this.#child),
      once(this.#child.stdout, "end").then(() => this.#failed()),
      delay(deadline - Date.now(), undefined, { ref: false }),
    ]);
    if (port === undefined)
      throw new Error(`the Kubernetes plugin does not start within ${limits.renderSeconds} s`);
    this.#client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), {
      "grpc.max_receive_message_length": limits.renderedBytes,
    });
    const request = new ConfigureRequest();
    request.getVariablesMap().set("kubernetes:config:kubeconfig", NO_CLUSTER);
    await this.#call("Configure", request, (answer) => ConfigureResponse.deserializeBinary(answer), deadline);
  }

  /**
   * Renders a chart, with the options of the function `kubernetes:helm:template`. @returns the documents
   *
   * @param deadline in milliseconds since 1970
   * @throws Error with Helm's message, or with the exceeded limit
   */
  async template(options: object, deadline: number): Promise<unknown> {
    const request = new InvokeRequest();
    request.setTok("kubernetes:helm:template");
    request.setArgs(Struct.fromJavaScript({ jsonOpts: JSON.stringify(options) }));
    const answer = await this.#call(
      "Invoke",
      request,
      (bytes) => InvokeResponse.deserializeBinary(bytes),
      deadline,
    );
    return at(answer.getReturn()?.toJavaScript(), "result");
  }

  end(): void {
    this.#client?.close();
    this.#child.stdin.end();
  }

  async #call<Answer>(
    method: string,
    request: { serializeBinary(): Uint8Array },
    read: (bytes: Buffer) => Answer,
    deadline: number,
  ): Promise<Answer> {
    const client = this.#client;
    if (client === undefined) throw new Error("the plugin has no port yet");
    try {
      return await new Promise<Answer>((done, failed) =>
        client.makeUnaryRequest(
          `/pulumirpc.ResourceProvider/${method}`,
          () => Buffer.from(request.serializeBinary()),
          read,
          undefined,
          { deadline },
          (error, answer) => (answer === undefined ? failed(error ?? new Error("no answer")) : done(answer)),
        ),
      );
    } catch (error) {
      const { code, details } = error as ServiceError;
      switch (code) {
        case status.DEADLINE_EXCEEDED:
          throw new Error(`it takes more than ${limits.renderSeconds} s`);
        case status.RESOURCE_EXHAUSTED:
          throw new Error(`it creates more than ${limits.renderedBytes} bytes of objects`);
        case status.UNAVAILABLE:
          return this.#failed();
        default:
          // gRPC sends the reason in a header, and leaves it out if it exceeds 16 KiB
          throw new Error(details || "the reason is too long to be shown");
      }
    }
  }

  /** @throws Error with the reason why the process has ended */
  async #failed(): Promise<never> {
    this.end();
    throw new Error(await this.#ended);
  }
}

/** Returns the deadline of a rendering that starts now, in milliseconds since 1970. */
export function deadlineOf(): number {
  return Date.now() + limits.renderSeconds * 1000;
}

function reasonOf(code: unknown, stderr: string): string {
  if (OUT_OF_MEMORY.test(stderr)) return `it takes more than ${limits.renderMemory} bytes of memory`;
  // 128 and SIGKILL
  if (code === 137) return "the system killed the plugin because memory ran out";
  return `the plugin ended with ${String(code)}: ${stderr.split("\n", 1)[0] ?? ""}`;
}

const VERSION = getVersion();

/** The program of the plugin, which the engine installs if there is none. */
async function findPlugin(): Promise<string> {
  const find = () => pluginProgram("kubernetes", VERSION);
  const found = find();
  if (found !== undefined) return found;
  // for a program in another language, the engine installs a plugin only at the first request to it
  const provider = new Provider("helm-charts", { kubeconfig: NO_CLUSTER });
  await pulumi.runtime.invoke("kubernetes:yaml:decode", { text: "" }, { provider }).catch(() => undefined);
  const installed = find();
  if (installed === undefined)
    throw new Error(
      `the Kubernetes plugin ${VERSION} is neither in ${pluginFolder("kubernetes", VERSION)} nor on PATH; ` +
        `"pulumi plugin install resource kubernetes ${VERSION}" installs it`,
    );
  return installed;
}
