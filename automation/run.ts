import { printable, printableLine } from "../components/base/printable";
import type { Finding } from "./checks/checks";
import type { OperationPreview } from "./operations/operation";
import type { Holder } from "./stack/lock";

/** How whoever runs an operation answers, hears of it and ends it. */
export interface RunOptions {
  /**
   * Returns true if to apply what was previewed.
   *
   * @default only if nothing is deleted or replaced that was not asked for
   */
  readonly confirm?: (preview: OperationPreview) => boolean | Promise<boolean>;
  /** Hears of what is found, waited for and done. */
  readonly onEvent?: (event: RunEvent) => void;
  /** Ends the run after the steps that are under way. */
  readonly signal?: AbortSignal;
  /** How long is waited for another run that holds the stack, in seconds. @default 0 */
  readonly wait?: number;
}

/** The options of a run, and what it is for others who find it at work, such as `scale vnf-a`. */
export interface Run extends RunOptions {
  readonly verb: string;
}

/** What a run tells while it is under way. `text` says it to a person, without control characters. */
export type RunEvent = { readonly text: string } & (
  | {
      /** Another run holds the stack, and is waited for. */
      readonly kind: "held";
      readonly holder?: Holder;
    }
  | {
      /** What will change, before it is confirmed. */
      readonly kind: "preview";
      readonly preview: OperationPreview;
    }
  | {
      /** One of several runs begins. */
      readonly kind: "run";
      /** From 1. */
      readonly number: number;
      readonly of: number;
    }
  | {
      /** Something is not as declared. */
      readonly kind: "finding";
      readonly finding: Finding;
    }
  | {
      /** A server, a script or a Kubernetes object is done, or has failed. */
      readonly kind: "step";
      readonly vnf?: string;
      readonly vnfc?: string;
      readonly isDone: boolean;
      readonly seconds: number;
    }
  | {
      /** Something else that was done. */
      readonly kind: "note";
    }
);

export function tell({ onEvent }: RunOptions, event: RunEvent): void {
  // a line break in others is of a name or a message that somebody else has written
  const hasLines = event.kind === "preview" || event.kind === "held";
  onEvent?.({ ...event, text: (hasLines ? printable : printableLine)(event.text) });
}

/** Returns true if nothing more is to begin. */
export function isStopping({ signal }: RunOptions): boolean {
  return signal?.aborted === true;
}
