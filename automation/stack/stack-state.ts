import { didYouMean, oneOf } from "../../components/base/nearest";
import { refuseNewerState } from "../../components/base/state-version";
import { VNF, type StepKind } from "../../components/deploy/steps";
import { questionsTo, type Question, type ScriptName } from "../../components/remote/scripts";
import { UsageFault } from "../fault";
import { nameInPlace, Places, type Place } from "./places";
import { reveal, type ResourceState, type State } from "./state";
import { nameOfUrn, scriptOf, SERVER, type Step } from "./steps";

/** Type of the resource that has the outputs of a stack. */
const STACK = "pulumi:pulumi:Stack";

/** A resource in use, with its place in the stack. */
export interface OwnedResource extends ResourceState, Place, Pick<Step, "script"> {}

/** A script of the last run. */
export interface Script {
  readonly urn: string;
  readonly vnf: string;
  readonly vnfc?: string;
  /** Name of the step in its VNFC or instance, such as `load-balancer`. */
  readonly step: string;
  /** True if the script can run again without being undone first. */
  readonly isRepeatable: boolean;
  readonly script: ScriptName;
  /** The kind of step. Undefined: the step is described as part of another one. */
  readonly kind?: StepKind | undefined;
  /** Standard input of run-script.ts: its connection and its data. */
  readonly stdin: string;
}

/**
 * The resources of a stack that are in use, and those that a failed run was to replace, because their scripts have not
 * succeeded. Secrets are in plain text, for use in memory only.
 */
export class StackState {
  readonly resources: readonly OwnedResource[];
  /** The same resources as steps without a change. */
  readonly steps: readonly Step[];
  #scripts: readonly Script[] | undefined;

  /**
   * @param state with its secrets in plain text
   * @throws Fault if a newer version of vnfm has updated the stack
   */
  constructor({ deployment }: State) {
    const inUse = (deployment.resources ?? []).filter((resource) => resource.delete !== true);
    refuseNewerState(inUse.find(({ type }) => type === STACK)?.outputs?.["vnfmVersion"]);
    const steps = inUse.map(stepOf);
    this.steps = steps;
    const places = new Places(steps);
    this.resources = inUse.map((resource, i) => {
      const step = steps[i] as Step;
      return { ...resource, ...places.of(step), ...(step.script !== undefined && { script: step.script }) };
    });
  }

  /** The VNF instances. */
  get vnfs(): readonly string[] {
    return this.resources.filter(({ type }) => type === VNF).map(({ urn }) => nameOfUrn(urn));
  }

  /**
   * @throws UsageFault if the stack has created no such VNF instance
   */
  assertMade(vnf: string): void {
    const known = this.vnfs;
    if (!known.includes(vnf))
      throw new UsageFault(
        `the stack has not created an instance "${vnf}"; ${oneOf(known)}${didYouMean(vnf, known)}`,
      );
  }

  /** Resources of one VNF instance, or of all instances. */
  of(vnf?: string): readonly (OwnedResource & { readonly vnf: string })[] {
    return this.resources.flatMap((one) => {
      const { vnf: owner } = one;
      return owner === undefined || (vnf !== undefined && owner !== vnf) ? [] : [{ ...one, vnf: owner }];
    });
  }

  /** Servers of a VNF instance, by VNFC. */
  servers(vnf: string): ReadonlyMap<string, OwnedResource> {
    const servers = this.of(vnf).filter(({ type }) => type === SERVER);
    return new Map(servers.flatMap((one) => (one.vnfc === undefined ? [] : [[one.vnfc, one] as const])));
  }

  /**
   * Scripts of one VNF instance, or of all.
   * @param question only scripts that support this query
   */
  scripts(vnf?: string, question?: Question): readonly Script[] {
    this.#scripts ??= this.of().flatMap(scriptIn);
    return this.#scripts.filter(
      (one) =>
        (vnf === undefined || one.vnf === vnf) &&
        (question === undefined || questionsTo(one.script).includes(question)),
    );
  }
}

/** A resource of a state as a step without a change. */
function stepOf({ urn, type, parent = "", custom, inputs }: ResourceState): Step {
  return { urn, type, parent, custom, op: "same", differs: [], ...scriptOf(type, inputs) };
}

function scriptIn(resource: OwnedResource & { readonly vnf: string }): readonly Script[] {
  const { urn, vnf, vnfc, script, kind, inputs } = resource;
  if (script === undefined) return [];
  return [
    {
      ...{ urn, vnf, script },
      ...(vnfc !== undefined && { vnfc }),
      step: nameInPlace(resource),
      isRepeatable: inputs?.["delete"] === undefined,
      ...(kind !== undefined && { kind }),
      stdin: reveal(inputs?.["stdin"]) as string,
    },
  ];
}
