import {
  ConcurrentUpdateError,
  LocalWorkspace,
  Stack,
  type DiagnosticEvent,
  type EngineEvent,
  type GlobalOpts,
} from "@pulumi/pulumi/automation";
import { CONFIG_FILE } from "../../components/gather/stack-config";
import { Fault } from "../fault";
import { HeldFault } from "./lock";
import type { PulumiStack } from "./pulumi";
import { nameOfUrn, stepOf, type Step } from "./steps";

/** What a preview found. */
export interface Previewed {
  readonly steps: readonly Step[];
  /** What the program says that the operator should know. */
  readonly warnings: readonly string[];
}

/** Previews and updates of one stack of the project in the current folder, through the Automation API. */
export class Engine {
  private constructor(readonly stack: Stack) {}

  static async open({ name }: PulumiStack): Promise<Engine> {
    const workspace = await LocalWorkspace.create({ workDir: process.cwd() });
    // it would select the stack for every later `pulumi` too; that is for the operator to do
    workspace.selectStack = () => Promise.resolve();
    return new Engine(await Stack.select(name, workspace));
  }

  /**
   * What an update would do.
   *
   * @param configFile the stack config to take instead of the stack's own
   * @param replace URNs of what is made anew, whether it changes or not
   * @throws Fault with what the engine, the program or a provider says
   */
  async preview(configFile: string, replace: readonly string[], signal?: AbortSignal): Promise<Previewed> {
    const steps: Step[] = [];
    const warnings = new Set<string>();
    const how = { replace: [...replace], ...(signal && { signal }) };
    const { workspace } = this.stack;
    const { envVars } = workspace;
    // not by --config-file: the program looks there which values are encrypted
    workspace.envVars = { ...envVars, [CONFIG_FILE]: configFile };
    try {
      await run((options) => this.stack.preview({ ...options, ...how }), {
        onEvent: ({ resourcePreEvent, diagnosticEvent }) => {
          if (resourcePreEvent) steps.push(stepOf(resourcePreEvent.metadata));
          if (diagnosticEvent && isOurWarning(diagnosticEvent))
            warnings.add(withoutColors(diagnosticEvent.message).trim());
        },
      });
    } finally {
      workspace.envVars = envVars;
    }
    return { steps, warnings: [...warnings] };
  }

  /**
   * Makes the cloud and the clusters match the stack config.
   *
   * @param replace as in `preview`
   * @param signal ends the update after the steps that are under way
   * @throws HeldFault if another run is at work, Fault with what went wrong
   */
  async up(
    onEvent: (event: EngineEvent) => void,
    replace: readonly string[],
    signal?: AbortSignal,
  ): Promise<void> {
    const how = { showSecrets: false, replace: [...replace], ...(signal && { signal }) };
    await run((options) => this.stack.up({ ...options, ...how }), { onEvent });
  }
}

type Options = GlobalOpts & {
  readonly onEvent: (event: EngineEvent) => void;
  readonly onError: (text: string) => void;
};

/** Runs the engine; its errors are collected, for what it throws has all that it printed in it. */
async function run(
  operation: (options: Options) => Promise<unknown>,
  { onEvent }: Pick<Options, "onEvent">,
): Promise<void> {
  const errors: string[] = [];
  let stderr = "";
  try {
    await operation({
      color: "never",
      suppressOutputs: true,
      suppressProgress: true,
      onEvent: (event) => {
        const { severity, message = "", urn = "" } = event.diagnosticEvent ?? {};
        if (severity === "error") {
          const isOfResource = urn !== "" && !urn.includes("::pulumi:pulumi:Stack::");
          errors.push((isOfResource ? `${nameOfUrn(urn)}: ` : "") + withoutColors(message).trim());
        }
        onEvent(event);
      },
      onError: (text) => (stderr += text),
    });
  } catch (error) {
    if (error instanceof ConcurrentUpdateError) throw new HeldFault(stderr.trim());
    const said = errors.length > 0 ? [...new Set(errors)].join("\n") : stderr.trim();
    throw new Fault(said || (error as Error).message);
  }
}

/** A warning of the program; providers warn of what is no operator's business. */
function isOurWarning({ severity, message, urn = "" }: DiagnosticEvent): boolean {
  const isOurs = /[:$]vnfm:\w+:\w+::/.test(urn) || withoutColors(message).startsWith("vnfm:vnfs");
  return severity === "warning" && isOurs;
}

/** The engine's marks of colours, as `<{%fg 1%}>`. */
function withoutColors(text: string): string {
  return text.replaceAll(/<\{%.*?%\}>/g, "");
}
