import {
  ConcurrentUpdateError,
  type DiagnosticEvent,
  type EngineEvent,
  type GlobalOpts,
} from "@pulumi/pulumi/automation";
import { Fault } from "../fault";
import { HeldFault } from "./lock";
import { nameOfUrn } from "./steps";

/** What every run of the engine is given. */
type Options = GlobalOpts & {
  readonly onEvent: (event: EngineEvent) => void;
  readonly onError: (text: string) => void;
};

/**
 * Runs the engine. Its errors are collected, for what it throws has all that it printed in it.
 *
 * @throws HeldFault if another run is at work, Fault with what the engine, the program or a provider says
 */
export async function runEngine(
  operation: (options: Options) => Promise<unknown>,
  onEvent: (event: EngineEvent) => void,
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

/** What a warning of the program says. Undefined: it is one of a provider, which is no operator's business. */
export function ourWarning({ severity, message, urn = "" }: DiagnosticEvent): string | undefined {
  const text = withoutColors(message).trim();
  const isOurs = /[:$]vnfm:\w+:\w+::/.test(urn) || text.startsWith("vnfm:vnfs");
  return severity === "warning" && isOurs ? text : undefined;
}

/** The engine's marks of colours, as `<{%fg 1%}>`. */
function withoutColors(text: string): string {
  return text.replaceAll(/<\{%.*?%\}>/g, "");
}
