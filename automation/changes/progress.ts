import type { EngineEvent } from "@pulumi/pulumi/automation";
import type { Place, Places } from "../stack/places";
import type { RunEvent } from "../run";
import { stepOf, type Step } from "../stack/steps";
import { describeEnd } from "./words";

/** Reports a running update: an event for each server, script and Kubernetes object that is finished. */
export class Progress {
  readonly #begun = new Map<string, number>();

  /**
   * @param places those of the preview: an update reports a deletion before the place of the resource
   */
  constructor(
    private readonly places: Places,
    private readonly emit: (event: RunEvent) => void,
    private readonly now: () => number = Date.now,
  ) {}

  see({ resourcePreEvent, resOutputsEvent, resOpFailedEvent }: EngineEvent): void {
    if (resourcePreEvent) {
      const step = stepOf(resourcePreEvent.metadata);
      this.#begun.set(keyOf(step), this.now());
    }
    const ended = resOutputsEvent ?? resOpFailedEvent;
    if (!ended) return;
    const step = stepOf(ended.metadata);
    if (step.op === "same") return;
    const place = this.places.of(step);
    const begun = this.#begun.get(keyOf(step));
    if (begun === undefined) return;
    const seconds = Math.round((this.now() - begun) / 1000);
    const event = eventOfEnd({ ...step, ...place }, !resOpFailedEvent, seconds);
    if (event !== undefined) this.emit(event);
  }
}

/** The event of a finished step; undefined for steps that take little time. */
export function eventOfEnd(step: Step & Place, isDone: boolean, seconds: number): RunEvent | undefined {
  const { vnf, vnfc } = step;
  const text = describeEnd(step, isDone);
  if (text === undefined) return undefined;
  return {
    kind: "step",
    text: isDone ? `${text} (${seconds} s)` : `${text}, FAILED after ${seconds} s`,
    ...(vnf !== undefined && { vnf }),
    ...(vnfc !== undefined && { vnfc }),
    isDone,
    seconds,
  };
}

/** A key of a step. A replacement is a deletion and a creation with the same URN. */
function keyOf({ urn, op }: Step): string {
  return `${op} ${urn}`;
}
