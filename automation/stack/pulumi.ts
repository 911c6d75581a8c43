import { spawn } from "node:child_process";
import { readValue } from "../../components/gather/stack-config";
import { jsonData } from "../../components/json";
import { isFields } from "../../components/kube/object";
import { Fault } from "../fault";
import { removeTornMetadata } from "./file-backend";
import type { StackSettings, Vnfs } from "./stack-config";
import type { State } from "./state";

/** A value of the config as the CLI shows it. */
interface ConfigEntry {
  readonly value?: string;
  /** Whether something in it is encrypted. */
  readonly secret?: boolean;
}

/** The Pulumi CLI, the `pulumi` on PATH, on one stack of the project in the current folder. */
export class PulumiStack {
  private constructor(
    /** With organization and project, as the backend knows it. */
    readonly qualifiedName: string,
    /** URL of the backend. */
    readonly backend: string,
  ) {}

  /** As the stack config's file has it. */
  get name(): string {
    return this.qualifiedName.split("/").at(-1) ?? this.qualifiedName;
  }

  /**
   * Opens a stack, even one whose file the engine was killed over.
   *
   * @param name of the stack. @default the selected one
   * @returns undefined if there is no such stack
   */
  static async open(name?: string): Promise<PulumiStack | undefined> {
    const { url } = jsonData(await pulumi(["whoami", "--json"]), "what pulumi whoami says") as {
      url: string;
    };
    removeTornMetadata(url);
    const chosen = name === undefined ? [] : ["--stack", name];
    try {
      const shown = await pulumi(["stack", "--show-name", "--fully-qualify-stack-names", ...chosen]);
      return new PulumiStack(shown.trim(), url);
    } catch (error) {
      if (error instanceof Fault && /no stack (named|selected)/.test(error.message)) return undefined;
      throw error;
    }
  }

  /** The state; its secrets stay encrypted. */
  async export(): Promise<State> {
    return jsonData(await this.#run("stack", "export"), "the state") as State;
  }

  /** The state with its secrets in plain text: for memory only. */
  async exportPlain(): Promise<State> {
    return jsonData(await this.#run("stack", "export", "--show-secrets"), "the state") as State;
  }

  /** Puts a state in place of the present one; the engine checks its integrity and drops pending operations. */
  async import(state: State): Promise<void> {
    await pulumi(["stack", "import", "--stack", this.qualifiedName], JSON.stringify(state));
  }

  /** The stack's config, secrets in plain text. */
  async config(): Promise<Readonly<Record<string, string | undefined>>> {
    const entries = Object.entries(await this.#entries());
    return Object.fromEntries(entries.map(([key, { value }]) => [key, value]));
  }

  /**
   * What the program reads of the stack's config, each encrypted text in it a Secret.
   *
   * @throws Fault if it has no `vnfm:vnfs`
   */
  async settings(): Promise<StackSettings> {
    const entries = await this.#entries();
    const read = (key: string): unknown => {
      const { value, secret = false } = entries[key] ?? {};
      return value === undefined ? undefined : readValue(key, value, secret, this.name).value;
    };
    const vnfs = read("vnfm:vnfs");
    if (vnfs === undefined) throw new Fault(`the config of stack ${this.qualifiedName} has no vnfm:vnfs`);
    if (!isFields(vnfs)) throw new Fault("vnfm:vnfs: is no map of instances");
    const templates = read("vnfm:clusterTemplates");
    const policy = entries["vnfm:policy"]?.value;
    return {
      vnfs: vnfs as Vnfs,
      ...(templates !== undefined && { clusterTemplates: templates }),
      ...(policy !== undefined && { policy }),
    };
  }

  async #entries(): Promise<Readonly<Record<string, ConfigEntry>>> {
    return jsonData(await this.#run("config", "--json", "--show-secrets"), "the stack's config") as Record<
      string,
      ConfigEntry
    >;
  }

  /** The outputs that are not secret. */
  async outputs(): Promise<Readonly<Record<string, unknown>>> {
    return jsonData(await this.#run("stack", "output", "--json"), "what pulumi stack output says") as Record<
      string,
      unknown
    >;
  }

  /** All outputs, secrets in plain text: for memory only. */
  async secretOutputs(): Promise<Readonly<Record<string, unknown>>> {
    return jsonData(
      await this.#run("stack", "output", "--json", "--show-secrets"),
      "what pulumi stack output says",
    ) as Record<string, unknown>;
  }

  /** Removes the backend's lock, whoever holds it. */
  async cancel(): Promise<void> {
    await pulumi(["cancel", this.qualifiedName, "--yes"]);
  }

  #run(...args: string[]): Promise<string> {
    return pulumi([...args, "--stack", this.qualifiedName]);
  }
}

/**
 * How long a command of the CLI may take, in milliseconds. None of them changes the cloud: they read and write the state,
 * which may be on a server.
 */
const PATIENCE_MS = 600_000;

/** @returns standard output. @throws Fault with what the CLI says on standard error, or if there is no CLI */
function pulumi(args: readonly string[], input = ""): Promise<string> {
  return new Promise((done, fail) => {
    const child = spawn("pulumi", [...args, "--non-interactive", "--color", "never"]);
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on("data", (part: Buffer) => stdout.push(part));
    child.stderr.on("data", (part: Buffer) => stderr.push(part));
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      // a plugin that it has started may hold them open
      for (const stream of child.stdio) stream?.destroy();
      fail(new Fault(`pulumi ${args.slice(0, 2).join(" ")} has not ended after ${PATIENCE_MS / 1000} s`));
    }, PATIENCE_MS);
    child.on("error", (error: NodeJS.ErrnoException) =>
      fail(
        error.code === "ENOENT"
          ? new Fault("there is no pulumi on PATH: install it, or have `npm run pulumi -- version` do so")
          : error,
      ),
    );
    child.on("close", (status) => {
      clearTimeout(timer);
      if (status === 0) done(Buffer.concat(stdout).toString());
      else {
        const said = Buffer.concat(stderr).toString().trim();
        fail(new Fault(`pulumi ${args.slice(0, 2).join(" ")} ended with status ${status}: ${said}`));
      }
    });
    child.stdin.on("error", () => undefined); // its status says why it read no further
    child.stdin.end(input);
  });
}
