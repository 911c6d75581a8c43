import { copyFileSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { LocalWorkspace, Stack, type EngineEvent } from "@pulumi/pulumi/automation";
import { filesOf } from "../../components/gather/project-files";
import { readValue } from "../../components/gather/stack-config";
import { CONFIG_FILE, projectFile, stackConfigFile } from "../../components/gather/stack-config-file";
import { jsonData } from "../../components/base/json";
import { yamlData } from "../../components/base/yaml/yaml";
import { at, isFields } from "../../components/kube/objects/object";
import { localExceptions } from "../../components/base/net/proxy";
import {
  cloudAccess,
  namedCloudAccess,
  type CloudAccess,
  type NamedCloud,
} from "../../components/openstack/clouds";
import { Fault, UsageFault } from "../fault";
import { pulumi, type Variables } from "./cli";
import { engineCommand } from "./engine-command";
import { ourWarning, runEngine } from "./engine-run";
import { removeTornMetadata } from "./file-backend";
import type { StackSettings, Vnfs } from "./stack-config";
import { assertFree } from "./lock";
import { withRefusedReread, type State } from "./state";
import { stepOf, type Step } from "./steps";

/** A config value in the output of the CLI. */
interface ConfigEntry {
  readonly value?: string;
  /** True if a part of it is encrypted. */
  readonly secret?: boolean;
}

/** Options of an update, or its preview. */
export interface EngineRun {
  /** Environment variables for Pulumi and its plugins, in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Ends the run once the current steps have finished. */
  readonly signal?: AbortSignal | undefined;
}

interface PreviewRun extends EngineRun {
  /** The stack config to use instead of the stack's own. */
  readonly configFile?: string;
}

/** Result of a preview. */
export interface Previewed {
  readonly steps: readonly Step[];
  /** Warnings of the program for the operator. */
  readonly warnings: readonly string[];
}

/**
 * Queries the CLI for its backend.
 * @throws UsageFault if none is configured
 */
async function whoAmI(folder: string): Promise<string> {
  try {
    return await pulumi(folder, ["whoami", "--json"]);
  } catch (error) {
    if (!(error instanceof Fault) || !error.message.includes("PULUMI_ACCESS_TOKEN must be set")) throw error;
    throw new UsageFault(
      "Pulumi has no backend for the state: set PULUMI_BACKEND_URL, such as file://~ or postgres://..., or run 'pulumi login'",
    );
  }
}

/**
 * A stack of a Pulumi project. Previews and updates use the Automation API, which reports each step. Everything else
 * uses the CLI: the Automation API cannot read state and outputs without their secrets, writes an imported state to the
 * disk in plain text, and has no time limits.
 */
export class PulumiStack {
  private constructor(
    /** Folder of the project; an absolute path without links. */
    readonly folder: string,
    /** Name with organization and project, as in the backend. */
    readonly qualifiedName: string,
    /** URL of the backend. */
    readonly backend: string,
    private readonly variables: Variables = {},
  ) {}

  /**
   * Opens a stack, even if Pulumi was killed and has left a damaged file.
   * @param project the folder of Pulumi.yaml
   * @param name of the stack. @default the selected one
   * @throws UsageFault if there is no such folder or stack, or no project in it
   */
  static async open(project: string, name?: string): Promise<PulumiStack> {
    if (statSync(project, { throwIfNoEntry: false })?.isDirectory() !== true)
      throw new UsageFault(`the folder ${project} does not exist`);
    // the same path as in processes of a run
    const folder = realpathSync(project);
    // Pulumi would also search the parent folders, but not for the stack config
    if (projectFile(folder) === undefined)
      throw new UsageFault(
        `${folder} contains no Pulumi.yaml: go to the folder of a project, or create one with 'vnfm new'`,
      );
    const { url } = jsonData(await whoAmI(folder), "the output of pulumi whoami") as { url: string };
    removeTornMetadata({ folder, backend: url });
    const chosen = name === undefined ? [] : ["--stack", name];
    try {
      const show = ["stack", "--show-name", "--fully-qualify-stack-names", ...chosen];
      return new PulumiStack(folder, (await pulumi(folder, show)).trim(), url);
    } catch (error) {
      if (!(error instanceof Fault) || !/no stack (named|selected)/.test(error.message)) throw error;
      throw new UsageFault(
        name === undefined
          ? "no stack is selected: set --stack NAME"
          : `stack ${name} does not exist: 'pulumi stack init ${name}' creates it`,
      );
    }
  }

  /**
   * Creates an empty stack with the same names, config and encryption, whose state is in files.
   * @param folder a private folder for the state, and for a copy of the stack config, which the CLI may change
   */
  async copyIn(folder: string): Promise<PulumiStack> {
    const { configFile } = this;
    const copy = join(folder, basename(configFile));
    copyFileSync(configFile, copy);
    const backend = pathToFileURL(folder).href;
    const variables = { PULUMI_BACKEND_URL: backend, [CONFIG_FILE]: copy };
    const provider = at(yamlData(readFileSync(copy, "utf8"), configFile), "secretsprovider");
    const encryption = typeof provider === "string" ? ["--secrets-provider", provider] : [];
    await pulumi(
      this.folder,
      ["stack", "init", this.qualifiedName, "--no-select", ...encryption],
      "",
      variables,
    );
    return new PulumiStack(this.folder, this.qualifiedName, backend, variables);
  }

  /** Name as in the file name of the stack config. */
  get name(): string {
    return this.qualifiedName.split("/").at(-1) ?? this.qualifiedName;
  }

  /** The file of the stack config. */
  get configFile(): string {
    return this.variables[CONFIG_FILE] ?? stackConfigFile(this.name, this.folder);
  }

  /**
   * Previews an update. The preview, and the update after it, first read the resources whose last update has failed.
   *
   * @throws Fault with the messages of Pulumi, the program or a provider; if there are such resources also HeldFault if
   * another run has locked the stack, and Fault if a run was cut off
   */
  async preview(run: PreviewRun = {}): Promise<Previewed> {
    const previewed = await this.#previewOnce(run);
    if (!previewed.steps.some((step) => step.refused)) return previewed;
    await assertFree(this);
    await this.importState(withRefusedReread(await this.state(), this.qualifiedName));
    return this.#previewOnce(run);
  }

  async #previewOnce({ configFile = this.configFile, env, signal }: PreviewRun): Promise<Previewed> {
    const steps: Step[] = [];
    const warnings = new Set<string>();
    // not by --config-file: the program looks there which values are encrypted
    const stack = await this.#automation({ ...env, [CONFIG_FILE]: configFile });
    const how = signal && { signal };
    await runEngine(
      (options) => stack.preview({ ...options, ...how }),
      ({ resourcePreEvent, diagnosticEvent }) => {
        if (resourcePreEvent) steps.push(stepOf(resourcePreEvent.metadata));
        const warning = diagnosticEvent && ourWarning(diagnosticEvent);
        if (warning !== undefined) warnings.add(warning);
      },
    );
    return { steps, warnings: [...warnings] };
  }

  /**
   * Applies the stack config.
   * @throws HeldFault if another run has locked the stack, Fault with the errors
   */
  async up(onEvent: (event: EngineEvent) => void, { env = {}, signal }: EngineRun = {}): Promise<void> {
    const stack = await this.#automation(env);
    const how = { showSecrets: false, ...(signal && { signal }) };
    await runEngine((options) => stack.up({ ...options, ...how }), onEvent);
  }

  /** The state; its secrets stay encrypted. */
  async state(): Promise<State> {
    return jsonData(await this.#cli("stack", "export"), "the state") as State;
  }

  /** The state with its secrets in plain text, for use in memory only. */
  async plainState(): Promise<State> {
    return jsonData(await this.#cli("stack", "export", "--show-secrets"), "the state") as State;
  }

  /** Replaces the state; Pulumi checks its integrity and drops pending operations. */
  async importState(state: State): Promise<void> {
    await this.#pulumi(["stack", "import", "--stack", this.qualifiedName], JSON.stringify(state));
  }

  /** The stack's config, secrets in plain text. */
  async config(): Promise<Readonly<Record<string, string | undefined>>> {
    const entries = Object.entries(await this.#entries());
    return Object.fromEntries(entries.map(([key, { value }]) => [key, value]));
  }

  /**
   * The stack's config as the program parses it, with encrypted texts as instances of Secret.
   * @throws Fault if it has no `vnfm:vnfs`
   */
  async settings(): Promise<StackSettings> {
    const entries = await this.#entries();
    const read = (key: string): unknown => {
      const { value, secret = false } = entries[key] ?? {};
      return value === undefined ? undefined : readValue(key, value, secret, this.configFile).value;
    };
    const vnfs = read("vnfm:vnfs");
    if (vnfs === undefined)
      throw new Fault(
        `the config of stack ${this.qualifiedName} has no vnfm:vnfs: is it the right stack? 'vnfm init' writes a first one`,
      );
    if (!isFields(vnfs)) throw new Fault("vnfm:vnfs: is not a map of instances");
    const templates = read("vnfm:clusterTemplates");
    const policy = entries["vnfm:policy"]?.value;
    return {
      vnfs: vnfs as Vnfs,
      ...(templates !== undefined && { clusterTemplates: templates }),
      ...(policy !== undefined && { policy }),
      files: filesOf(this.folder),
    };
  }

  /**
   * Encrypts a text as a value of a stack config. The CLI gets the text on standard input.
   * @param configFile file that gets the encrypted value
   * @param path of the value, such as `vnfm:vnfs.web.readyTimeout`
   */
  async setSecret(configFile: string, path: string, text: string): Promise<void> {
    const where = ["--config-file", configFile, "--path", path, "--stack", this.qualifiedName];
    await this.#pulumi(["config", "set", "--secret", "--raw", ...where], text);
  }

  /**
   * The access to a cloud.
   * @param named a cloud of clouds.yaml. @default the cloud of the stack's provider
   * @throws Fault naming the setting that is wrong or missing
   */
  async cloud(named?: NamedCloud): Promise<CloudAccess> {
    return named === undefined
      ? cloudAccess(await this.config(), process.env, this.folder)
      : namedCloudAccess(named, process.env, this.folder);
  }

  /** The outputs that are not secret. */
  async outputs(): Promise<Readonly<Record<string, unknown>>> {
    return this.#outputs();
  }

  /** All outputs, with secrets in plain text, for use in memory only. */
  async secretOutputs(): Promise<Readonly<Record<string, unknown>>> {
    return this.#outputs("--show-secrets");
  }

  /** Removes the backend's lock, whichever run has created it. */
  async cancel(): Promise<void> {
    await this.#pulumi(["cancel", this.qualifiedName, "--yes"]);
  }

  async #entries(): Promise<Readonly<Record<string, ConfigEntry>>> {
    const printed = await this.#cli("config", "--json", "--show-secrets");
    return jsonData(printed, "the stack's config") as Record<string, ConfigEntry>;
  }

  async #outputs(...how: string[]): Promise<Readonly<Record<string, unknown>>> {
    const printed = await this.#cli("stack", "output", "--json", ...how);
    return jsonData(printed, "the output of pulumi stack output") as Record<string, unknown>;
  }

  /** Runs the CLI for the stack. */
  #cli(...args: string[]): Promise<string> {
    return this.#pulumi([...args, "--stack", this.qualifiedName]);
  }

  #pulumi(args: readonly string[], input = ""): Promise<string> {
    return pulumi(this.folder, args, input, this.variables);
  }

  /**
   * @throws Fault if the CLI is too old
   */
  async #automation(env: Readonly<Record<string, string>>): Promise<Stack> {
    const workspace = await engineCommand()
      .then((pulumiCommand) =>
        LocalWorkspace.create({
          pulumiCommand,
          workDir: this.folder,
          envVars: { ...localExceptions(), ...this.variables, ...env },
        }),
      )
      .catch((error: Error) => {
        throw new Fault(error.message);
      });
    // it would select the stack for every later `pulumi` too, which is up to the operator
    workspace.selectStack = () => Promise.resolve();
    return Stack.select(this.qualifiedName, workspace);
  }
}
