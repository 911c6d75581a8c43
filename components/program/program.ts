import * as pulumi from "@pulumi/pulumi";
import { Vnf } from "../deploy/instance";
import { stackIdentity } from "../deploy/objects/ownership";
import { runError, showError } from "../deploy/run-error";
import { withShortStackTraces } from "../deploy/stack-traces";
import { Fault } from "../base/fault";
import { Findings, type Finding } from "../base/findings";
import { readFormerOutputs } from "../gather/former-outputs";
import { filesOf } from "../gather/project-files";
import { own } from "../base/own";
import type { FormerOutputs } from "../plan/former-outputs";
import { kindOf } from "../plan/kind";
import { isWorkload, type InstancePlan } from "../plan/model";
import { vnfOfStack } from "../plan/vim";
import { SettingsFault } from "../base/settings-fault";
import type { Settings } from "../settings/model";
import { parseSettings } from "../settings/parse";
import { DEFINITIONS } from "../settings/schema-part";
import type { StackOutputs } from "../gather/other-stacks";
import { Clouds, type Cloud } from "./clouds";
import { preflightByCloud } from "./preflight-by-cloud";
import { Planner } from "./planner";
import { mustFinish } from "../base/unfinished";
import { settled } from "./settled";

/** Kind of a component. */
export type ComponentKind = "KubernetesCluster" | "Servers" | "Cnf" | "WorkloadCluster";

/** A component of a program, with its arguments in the form of the stack config. */
export interface Declared {
  readonly name: string;
  readonly kind: ComponentKind;
  readonly args: object;
  readonly component: pulumi.ComponentResource;
}

/** A component whose arguments are known. */
interface Ready extends Omit<Declared, "args"> {
  readonly settings: unknown;
  readonly faults: readonly Finding[];
}

/** Components that are planned together, and the result. */
interface Batch {
  readonly components: Ready[];
  readonly made: Promise<void>;
}

/** Programs of this process, by a key that identifies the run. */
interface Programs<Key> {
  get(run: Key): Program | undefined;
  set(run: Key, program: Program): unknown;
}

/** Name of the template of each workload cluster, whose arguments contain all settings. */
const NO_TEMPLATE = "arguments";

/**
 * The components of one program, which correspond to the instances of a stack config. Components that the program
 * creates in one turn are planned together, so all errors are reported before anything is created, and components can
 * use each other. A component with values of other resources is planned when these are known, together with all earlier
 * ones.
 */
export class Program {
  /** Programs by the stack's resource, because several stacks may run in one process. */
  static readonly #ofStacks = new WeakMap<object, Program>();
  /** Programs in other languages by the address of their engine: a preview and the update after it are two programs. */
  static readonly #ofEngines = new Map<string | undefined, Program>();

  readonly #declared: Ready[] = [];
  readonly #made: Record<string, Vnf> = {};
  readonly #clouds = new Clouds();
  /** Outputs of other stacks, by the name of the stack. */
  readonly #stacks = new Map<string, Promise<StackOutputs>>();
  #former: Promise<FormerOutputs> | undefined;
  #planner: Planner | undefined;
  #identity: pulumi.Output<string> | undefined;
  #batch: Batch | undefined;
  #turn: Promise<void> = Promise.resolve();

  /** The program that runs. */
  static current(): Program {
    const stack = pulumi.runtime.getStackResource();
    return stack === undefined
      ? Program.#by(engineAddress(), Program.#ofEngines)
      : Program.#by(stack, Program.#ofStacks);
  }

  static #by<Key>(run: Key, programs: Programs<Key>): Program {
    const program = programs.get(run) ?? new Program();
    programs.set(run, program);
    return program;
  }

  /**
   * Creates a component, together with those that are declared at the same time.
   *
   * @throws RunError with the errors of all these components
   */
  async make(declared: Declared): Promise<Vnf> {
    // the SDK waits only for resources whose creation has started
    const done = pulumi.runtime.rpcKeepAlive();
    try {
      return await mustFinish(`${declared.kind} ${declared.name}`, this.#makeOne(declared), showError);
    } finally {
      done();
    }
  }

  async #makeOne({ args, ...component }: Declared): Promise<Vnf> {
    const byTemplate = component.kind === "WorkloadCluster";
    const schema = byTemplate ? DEFINITIONS.cluster : DEFINITIONS.vnf;
    const faults = new Findings();
    const value = await settled(args, schema, faults.instance(component.name));
    const settings = byTemplate ? { ...(value as object), clusterTemplate: NO_TEMPLATE } : value;
    const batch = (this.#batch ??= this.#begin());
    batch.components.push({ ...component, settings, faults: faults.all });
    await batch.made;
    const made = own(this.#made, component.name);
    if (made === undefined) throw new Error(`${component.name} was not created`);
    return made;
  }

  /** Starts a batch, which ends with the current turn of the event loop. */
  #begin(): Batch {
    const components: Ready[] = [];
    const complete = new Promise<void>((done) => setImmediate(done)).then(() => (this.#batch = undefined));
    const before = this.#turn;
    // after a failure, later components fail with the same error, which the engine reports once
    this.#turn = complete.then(() => before).then(() => this.#makeAll(components));
    return { components, made: this.#turn };
  }

  async #makeAll(components: readonly Ready[]): Promise<void> {
    try {
      const faults = new Findings();
      for (const one of components) {
        faults.add(...one.faults);
        if (this.#declared.some(({ name }) => name === one.name))
          faults.at().fault(`${one.name}: another component has this name`);
        else this.#declared.push(one);
      }
      const former = await (this.#former ??= readFormerOutputs());
      const plans = await this.#plan(faults, former);
      const checked = await preflightByCloud(plans, former, (plan) => this.#cloudOf(plan), this.#stacks);
      const identity = (this.#identity ??= stackIdentity());
      withShortStackTraces(() => {
        for (const plan of plans) {
          const parent = this.#ownerOf(plan).component;
          const args = { plan: this.#inWords(plan), made: this.#made, identity };
          this.#made[plan.name] = new Vnf({ ...args, ...checked.get(plan) }, { parent });
        }
      });
    } catch (error) {
      throw runError(error instanceof SettingsFault ? this.#inArguments(error) : error);
    }
  }

  /**
   * Plans all declared components.
   * @param faults collects the errors of components
   * @returns the plans that are not created yet
   */
  async #plan(faults: Findings, former: FormerOutputs): Promise<InstancePlan[]> {
    const vnfs = Object.fromEntries(this.#declared.map(({ name, settings }) => [name, settings]));
    const { settings, warnings } = parseSettings(vnfs, { [NO_TEMPLATE]: {} });
    const planner = (this.#planner ??= new Planner(filesOf(""), former));
    planner.warn(warnings.map((warning) => this.#withComponentNames(warning)));
    faults.add(...settings.faults);
    for (const { name, kind } of this.#declared) {
      const is = componentOf(name, settings) ?? kind;
      if (is !== kind) faults.instance(name).fault(`its arguments are those of ${is}; create that instead`);
    }
    return planner.plan({ ...settings, faults: faults.all }, (name) => own(this.#made, name) !== undefined);
  }

  /** The cloud of an instance: that of its settings, else that of its component's provider. */
  #cloudOf(plan: InstancePlan): Promise<Cloud> {
    return this.#clouds.of(plan, this.#ownerOf(plan).component.getProvider("openstack:index:any"));
  }

  /** Returns the component that creates an instance: for an addon, that of its cluster. */
  #ownerOf(plan: InstancePlan): Ready {
    const declared = (name: string | undefined) => this.#declared.find((one) => one.name === name);
    const owner = declared(plan.name) ?? (isWorkload(plan) ? declared(vnfOfStack(plan.on)) : undefined);
    if (owner === undefined) throw new Error(`no component makes ${plan.name}`);
    return owner;
  }

  #inArguments({ faults }: SettingsFault): Fault {
    const lines = faults.map((fault) => `  ${this.#withComponentNames(fault)}`);
    return new Fault(`arguments of components are not valid:\n${lines.join("\n")}`);
  }

  #inWords(plan: InstancePlan): InstancePlan {
    const withNames = (warnings: readonly string[]) =>
      warnings.map((warning) => this.#withComponentNames(warning));
    const named = { ...plan, warnings: withNames(plan.warnings) };
    return isWorkload(named)
      ? { ...named, cnf: { ...named.cnf, warnings: withNames(named.cnf.warnings) } }
      : named;
  }

  /** Replaces names of settings in a message by names of components. */
  #withComponentNames(text: string): string {
    return text.replaceAll(/vnfm:vnfs\.([a-z0-9-]+)/g, (_, name: string) => {
      const kind = this.#declared.find((one) => one.name === name)?.kind;
      return kind === undefined ? name : `${kind} ${name}`;
    });
  }
}

/**
 * Returns the engine's address, which identifies a run of a program in another language, as each run has its own
 * engine.
 */
function engineAddress(): string | undefined {
  const client = pulumi.runtime.getMonitor() as Partial<GrpcClient> | undefined;
  return client?.getChannel?.().getTarget();
}

/** The method of a gRPC client that returns its address: https://grpc.github.io/grpc/node/grpc.Client.html */
interface GrpcClient {
  getChannel(): { getTarget(): string };
}

/** Returns the kind of component for an instance, by its settings. Undefined: the settings have errors. */
function componentOf(name: string, { vnfs, clusters }: Settings): ComponentKind | undefined {
  if (own(clusters, name) !== undefined) return "WorkloadCluster";
  const vnf = own(vnfs, name);
  return vnf && COMPONENTS[kindOf(vnf)];
}

const COMPONENTS = { cluster: "KubernetesCluster", servers: "Servers", cnf: "Cnf" } as const;
