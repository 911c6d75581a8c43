import { printable, printableLine } from "../components/base/printable";
import type { Finding } from "./checks/checks";
import type { OperationPreview } from "./changes/changes";
import type { Holder } from "./stack/lock";

/** Options of an operation: callbacks for its preview and its events, and its end. */
export interface RunOptions {
  /**
   * Returns true to apply the preview.
   * @default only if it deletes or replaces nothing beyond the request
   */
  readonly confirm?: (preview: OperationPreview) => boolean | Promise<boolean>;
  /** Receives each finding, wait and result. */
  readonly onEvent?: (event: RunEvent) => void;
  /** Ends the run once the current steps have finished. */
  readonly signal?: AbortSignal;
  /** Time limit for another run that has locked the stack, in seconds. @default 0 */
  readonly wait?: number;
}

/** Options of a run, with its description for other runs that find the stack locked, such as `scale vnf-a`. */
export interface Run extends RunOptions {
  readonly verb: string;
}

/** An event of a run. `text` describes it for people, without control characters. */
export type RunEvent = { readonly text: string } & (
  | {
      /** Another run has locked the stack, and this one waits for it. */
      readonly kind: "held";
      readonly holder?: Holder;
    }
  | {
      /** The changes, before they are confirmed. */
      readonly kind: "preview";
      readonly preview: OperationPreview;
    }
  | {
      /** The start of one of several runs. */
      readonly kind: "run";
      /** Number of the run, from 1. */
      readonly number: number;
      readonly of: number;
    }
  | {
      /** A difference from the desired state. */
      readonly kind: "finding";
      readonly finding: Finding;
    }
  | {
      /** The end or failure of a server, a script or a Kubernetes object. */
      readonly kind: "step";
      readonly vnf?: string;
      readonly vnfc?: string;
      readonly isDone: boolean;
      readonly seconds: number;
    }
  | {
      /** Any other result. */
      readonly kind: "note";
    }
);

export function emit({ onEvent }: RunOptions, event: RunEvent): void {
  // in other events a line break comes from a name or a message of others
  const hasLines = event.kind === "preview" || event.kind === "held";
  onEvent?.({ ...event, text: (hasLines ? printable : printableLine)(event.text) });
}

/** Returns true if no further step may start. */
export function isStopping({ signal }: RunOptions): boolean {
  return signal?.aborted === true;
}
