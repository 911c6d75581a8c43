import {
  ConcurrentUpdateError,
  type DiagnosticEvent,
  type EngineEvent,
  type GlobalOpts,
} from "@pulumi/pulumi/automation";
import { withoutUrlPasswords } from "../../components/base/text";
import { Fault, SettingsFault } from "../fault";
import { HeldFault, heldFault } from "./lock";
import { locksIn } from "./locks";
import { nameOfUrn } from "./steps";

/** Options of every run of Pulumi. */
type Options = GlobalOpts & {
  readonly onEvent: (event: EngineEvent) => void;
  readonly onError: (text: string) => void;
};

/** An error with the messages of Pulumi, a provider or a script about a failed run. */
export class EngineFault extends Fault {
  constructor(private readonly errors: readonly string[]) {
    super(errors.join("\n"));
  }

  override get faults(): readonly string[] {
    return this.errors;
  }
}

/**
 * Runs Pulumi. Its error messages are collected separately, because its own error contains all of its output.
 * @throws HeldFault if another run has locked the stack, SettingsFault with the errors in the stack config, else
 * EngineFault
 */
export async function runEngine(
  operation: (options: Options) => Promise<unknown>,
  onEvent: (event: EngineEvent) => void,
): Promise<void> {
  const errors: string[] = [];
  const stderr: string[] = [];
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
      onError: (text) => stderr.push(text),
    });
  } catch (error) {
    const printed = withoutUrlPasswords(stderr.join("").trim());
    if (error instanceof ConcurrentUpdateError) {
      const [lock] = locksIn(printed);
      throw lock === undefined ? new HeldFault(printed) : heldFault(lock);
    }
    const [first, ...others] = [...new Set(errors)];
    if (first === undefined) throw new EngineFault([printed || (error as Error).message]);
    throw (others.length === 0 && SettingsFault.read(first)) || new EngineFault([first, ...others]);
  }
}

/** Text of a warning from vnfm. Undefined: it comes from a provider, and does not concern the operator. */
export function ourWarning({ severity, message, urn = "" }: DiagnosticEvent): string | undefined {
  const text = withoutColors(message).trim();
  const isOurs = /[:$]vnfm:\w+:\w+::/.test(urn) || text.startsWith("vnfm:vnfs");
  return severity === "warning" && isOurs ? text : undefined;
}

/** Removes Pulumi's colour marks, such as `<{%fg 1%}>`. */
function withoutColors(text: string): string {
  return text.replaceAll(/<\{%.*?%\}>/g, "");
}
