import { didYouMean, oneOf } from "../../components/base/nearest";
import { questionsTo, type Question, type ScriptName } from "../../components/remote/scripts";
import { VNF, type StepKind } from "../../components/deploy/steps";
import { UsageFault } from "../fault";
import { nameWithin, Places } from "../stack/places";
import type { Answer } from "./run-program";
import { reveal, type ResourceState, type State } from "../stack/state";
import { nameOfUrn, scriptOf, type Step } from "../stack/steps";

/** A script of the last run. */
export interface Script {
  readonly urn: string;
  readonly vnf: string;
  readonly vnfc?: string;
  /** Its name in the stack, such as `load-balancer`. */
  readonly step: string;
  /** True if the script can run again with nothing undone before. */
  readonly isRepeatable: boolean;
  readonly script: ScriptName;
  /** What it does, where it is a step that is told of in words of its own. */
  readonly kind?: StepKind | undefined;
  /** Standard input of run-script.ts: where it runs, and its data. */
  readonly stdin: string;
}

/** What a check found, or why it could find nothing. */
export interface Finding extends Pick<Script, "urn" | "vnf" | "vnfc" | "step"> {
  readonly kind: "differs" | "unchecked";
  /**
   * `mend`: the script runs again; `heal`: the VNFC is made anew; `refresh`: its provider makes it again; `release`:
   * the PersistentVolume is given to the next claim.
   */
  readonly wayOut?: "mend" | "heal" | "refresh" | "release";
  /** Name of the PersistentVolume to release. */
  readonly volume?: string;
  readonly text: string;
}

/** The exit statuses of `timeout`, where the program ended and where it had to be killed, and of `ssh` without a connection. */
const TIMED_OUT = [124, 137];
const NOT_REACHED = 255;

/** The VNF instances of a state. */
export function vnfsOf(state: State): readonly string[] {
  return resourcesOf(state)
    .filter(({ type }) => type === VNF)
    .map(({ urn }) => nameOfUrn(urn));
}

/** @throws UsageFault if the stack has made no such VNF instance */
export function assertMade(state: State, vnf: string): void {
  const known = vnfsOf(state);
  if (!known.includes(vnf))
    throw new UsageFault(`the stack has made no VNF "${vnf}"; ${oneOf(known)}${didYouMean(vnf, known)}`);
}

/** Those scripts of a stack that can check what they have made. The arguments are those of scriptsOf. */
export function checksOf(state: State, vnf?: string): readonly Script[] {
  return scriptsOf(state, vnf).filter((script) => has(script, "check"));
}

/** Returns true if a script can be asked that. */
export function has({ script }: Pick<Script, "script">, question: Question): boolean {
  return questionsTo(script).includes(question);
}

/**
 * The scripts of the last run, from its state.
 *
 * @param state with its secrets in plain text
 * @param vnf only those of this instance
 */
export function scriptsOf(state: State, vnf?: string): readonly Script[] {
  const steps = new Map(resourcesOf(state).map((resource) => [resource, stepOf(resource)]));
  const places = new Places([...steps.values()]);
  return [...steps].flatMap(([{ urn, inputs }, step]): Script[] => {
    const place = places.of(step);
    const { script } = step;
    if (script === undefined || place.vnf === undefined) return [];
    if (vnf !== undefined && place.vnf !== vnf) return [];
    const owner = place.vnfc === undefined ? place.vnf : `${place.vnf}-${place.vnfc}`;
    return [
      {
        urn,
        vnf: place.vnf,
        ...(place.vnfc !== undefined && { vnfc: place.vnfc }),
        step: nameWithin(nameOfUrn(urn), owner),
        isRepeatable: inputs?.["delete"] === undefined,
        script,
        ...(place.kind !== undefined && { kind: place.kind }),
        stdin: reveal(inputs?.["stdin"]) as string,
      },
    ];
  });
}

/** Those in use, and what a run that failed was to make anew: its script has not ended well. */
export function resourcesOf({ deployment }: State): readonly ResourceState[] {
  return (deployment.resources ?? []).filter((resource) => resource.delete !== true);
}

/** A resource of a state as a step that leaves it as it is. */
export function stepOf({ urn, type, parent = "", custom, inputs }: ResourceState): Step {
  return { urn, type, parent, custom, op: "same", differs: [], ...scriptOf(type, inputs) };
}

/** What a script's answer to `check` means. */
export function findingsOf(
  { urn, vnf, vnfc, step, isRepeatable }: Script,
  { status, stdout, stderr }: Answer,
): readonly Finding[] {
  const about = { urn, vnf, ...(vnfc !== undefined && { vnfc }), step };
  const wayOut = isRepeatable ? "mend" : vnfc === undefined ? "refresh" : "heal";
  const differences = linesOf(stdout).map((text): Finding => ({ ...about, kind: "differs", wayOut, text }));
  if (status === 0) return differences;
  const why =
    status === undefined || TIMED_OUT.includes(status)
      ? "it does not answer"
      : (linesOf(stderr).at(-1) ?? (status === NOT_REACHED ? "SSH ended" : `it ended with status ${status}`));
  return [...differences, { ...about, kind: "unchecked", text: `step ${step} cannot be checked: ${why}` }];
}

/** The lines of a node's answer. */
export function linesOf(text: string): readonly string[] {
  return text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
