import { once } from "../components/base/once";
import type { Scalar, Secret } from "../components/base/secret";
import type { IN_PROGRAM } from "../components/settings/parsed";
import type { ClusterByTemplate, ClusterVnf, Cnf, ServersVnf } from "../components/settings/arguments";
import { adopt, type AdoptRequest } from "./adopt";
import type { Preview } from "./changes/changes";
import { check, type CheckReport } from "./checks/check";
import { asFault } from "./fault";
import { NOTHING } from "./operations/guard";
import { heal } from "./operations/heal";
import { instantiate, terminate, terminateAll, update } from "./operations/instances";
import { mend, type Mended } from "./operations/mend";
import { tryOut, up, type Outcome } from "./operations/operation";
import { release } from "./operations/release";
import { restore } from "./operations/restore";
import { rotate, type SecretName } from "./operations/rotate";
import { scale, type LevelChange } from "./operations/scale";
import { upgrade } from "./operations/upgrade";
import type { UpgradeRequest } from "./operations/upgrade-check";
import { rebuildState, type RebuildRequest } from "./rebuild/rebuild";
import { recover, type RecoverOptions, type RecoverReport } from "./recovery/recover";
import { emit, type Run, type RunOptions } from "./run";
import { kubeconfigOf } from "./stack/kubeconfig";
import { assertFree, type Holder } from "./stack/lock";
import { whenFree } from "./stack/when-free";
import { PulumiStack } from "./stack/pulumi";
import { status, type StackStatus, type VnfOutputs } from "./stack/status";
import { topology, type StackTopology } from "./topology";

/** Settings in which secrets may be instances of Secret. A setting that is always secret may also be a plain string. */
export type WithSecrets<Written> = Written extends Scalar
  ? typeof IN_PROGRAM extends keyof Written
    ? Secret extends Written[typeof IN_PROGRAM]
      ? Written | Secret
      : Written
    : Written
  : Written extends readonly (infer Item)[]
    ? readonly WithSecrets<Item>[]
    : Written extends object
      ? { readonly [Key in keyof Written]: WithSecrets<Written[Key]> }
      : Written;

/**
 * Settings of a VNF instance, as in the stack config: docs/stack-config.md. Instances of Secret are encrypted there.
 */
export type InstanceSettings = WithSecrets<ServersVnf | ClusterVnf | Cnf | ClusterByTemplate>;

/** A JSON merge patch: absent keys stay, null removes a key, a list is replaced as a whole. */
export type Patch<Whole> = Whole extends Scalar | Secret | readonly unknown[]
  ? Whole
  : Whole extends object
    ? { readonly [Key in Extract<keyof Whole, string>]?: Patch<Whole[Key]> | null }
    : Whole;

/** Options of an operation that only reads. */
type Reading = Pick<RunOptions, "signal">;

/** Options of an operation that reads, and waits for another run that has locked the stack. */
type Waiting = Pick<RunOptions, "signal" | "wait" | "onEvent">;

/**
 * The VNF instances of a stack, and the operations on them. Each operation edits the stack config, previews, calls
 * `confirm` and applies, as `vnfm` does on the command line. It prints nothing and has no prompts.
 * An error that the operator can fix is a Fault: UsageFault, SettingsFault, HeldFault, RefusedFault or ApplyFault, with
 * all problems in `faults`.
 */
export class VnfmStack {
  private constructor(private readonly stack: PulumiStack) {}

  /**
   * Opens an existing stack. It needs a `pulumi` on PATH; backend and access to the cloud come from the environment of
   * this process, as for `pulumi`.
   * @param where any folder of the project, and the name of the stack. @default the selected one
   * @throws UsageFault if there is none
   */
  static async open({
    folder,
    stack: name,
  }: {
    readonly folder: string;
    readonly stack?: string | undefined;
  }): Promise<VnfmStack> {
    return new VnfmStack(await resultOf(() => PulumiStack.open(folder, name)));
  }

  /** Name with organization and project, as in the backend. */
  get name(): string {
    return this.stack.qualifiedName;
  }

  /** Folder of the project. */
  get folder(): string {
    return this.stack.folder;
  }

  /** Applies the stack config as it is. Refuses to delete all instances. */
  up(options?: RunOptions): Promise<Outcome> {
    return this.#change("up", options, (run) => up(this.stack, run));
  }

  /** Adds an instance to the stack config, and creates it. */
  instantiate(vnf: string, settings: InstanceSettings, options?: RunOptions): Promise<Outcome> {
    return this.#change(`instantiate ${vnf}`, options, (run) => instantiate(this.stack, vnf, settings, run));
  }

  /** Changes settings of an instance. */
  update(vnf: string, settings: Patch<InstanceSettings>, options?: RunOptions): Promise<Outcome> {
    return this.#change(`update ${vnf}`, options, (run) => update(this.stack, vnf, settings, run));
  }

  /** Sets scale levels, each of another aspect, or of a node group of a cluster from a template. */
  scale(vnf: string, levels: readonly LevelChange[], options?: RunOptions): Promise<Outcome> {
    return this.#change(`scale ${vnf}`, options, (run) => scale(this.stack, vnf, levels, run));
  }

  /** Replaces VNFCs, such as `workerNode-2`; `all` is the whole instance. */
  heal(vnf: string, vnfcs: readonly string[], options?: RunOptions): Promise<Outcome> {
    return this.#change(`heal ${vnf}`, options, (run) => heal(this.stack, vnf, vnfcs, run));
  }

  /**
   * Restores a cluster whose control-plane nodes are all lost. @param snapshot its time. @default the newest one
   */
  restore(vnf: string, snapshot?: string, options?: RunOptions): Promise<Outcome> {
    return this.#change(`restore ${vnf}`, options, (run) => restore(this.stack, vnf, snapshot, run));
  }

  /** Replaces the nodes of a cluster by nodes with another version, package or image, or changes its template. */
  upgrade(vnf: string, request: UpgradeRequest, options?: RunOptions): Promise<Outcome> {
    return this.#change(`upgrade ${vnf}`, options, (run) => upgrade(this.stack, vnf, request, run));
  }

  /** Rotates secrets of a cluster in place. */
  rotate(vnf: string, secrets: readonly SecretName[], options?: RunOptions): Promise<Outcome> {
    return this.#change(`rotate ${vnf}`, options, (run) => rotate(this.stack, vnf, secrets, run));
  }

  /** Removes an instance from the stack config, and deletes its resources. */
  terminate(vnf: string, options?: RunOptions): Promise<Outcome> {
    return this.#change(`terminate ${vnf}`, options, (run) => terminate(this.stack, vnf, run));
  }

  /** Removes all instances from the stack config, and deletes their resources. */
  terminateAll(options?: RunOptions): Promise<Outcome> {
    return this.#change("terminate --all", options, (run) => terminateAll(this.stack, run));
  }

  /** Adopts existing objects of a cluster as a new instance. */
  adopt(vnf: string, request: AdoptRequest, options?: RunOptions): Promise<Outcome> {
    return this.#change(`adopt ${vnf}`, options, (run) => adopt(this.stack, vnf, request, run));
  }

  /** Releases PersistentVolumes whose claim was deleted to the next claims, with their data. */
  release(vnf: string, volumes: readonly string[], options?: RunOptions): Promise<Outcome> {
    return this.#change(`release ${vnf}`, options, (run) => release(this.stack, vnf, volumes, run));
  }

  /** Compares all instances, or one, with the result of the last run. */
  check(vnf?: string, options: Waiting = {}): Promise<CheckReport> {
    return resultOf(() => whenFree(this.stack, options, () => check(this.stack, vnf, options.signal)));
  }

  /** Checks, and runs the scripts again whose results differ from the desired state. */
  mend(vnf?: string, options?: RunOptions): Promise<Mended> {
    const verb = vnf === undefined ? "mend" : `mend ${vnf}`;
    return this.#change(verb, options, async (run) =>
      mend(this.stack, await check(this.stack, vnf, run.signal), run),
    );
  }

  /**
   * Updates the state after a run that was cut off with the resources that the run has left.
   * @param options.isDead returns true if a run on another machine, which has locked the stack, is certainly dead.
   * @default false
   * @returns its findings and actions
   */
  recover(options: RunOptions & Partial<Pick<RecoverOptions, "isDead">> = {}): Promise<RecoverReport> {
    // a lock that is read several times during the wait causes only one question
    const isDead = once(options.isDead ?? (() => false), (holder: Holder) => JSON.stringify(holder));
    const report = (text: string): void => emit(options, { kind: "note", text });
    return resultOf(() => whenFree(this.stack, options, () => recover(this.stack, { report, isDead })));
  }

  /** Makes the lost state of the stack again from its config and from what exists. */
  rebuildState(request: RebuildRequest = {}, options?: RunOptions): Promise<Outcome> {
    return this.#change("rebuild-state", options, (run) => rebuildState(this.stack, request, run));
  }

  /** Previews the changes of the next run, with the stack config as it is. */
  preview({ signal }: Reading = {}): Promise<Preview & { readonly warnings: readonly string[] }> {
    return resultOf(async () => {
      const { preview } = await tryOut(this.stack, { edits: [], allowance: NOTHING }, signal);
      const { changes, stays, warnings } = preview;
      return { changes, stays, warnings };
    });
  }

  /** The instances according to the stack config and the last successful run, and the lock of the stack. */
  status(vnf?: string): Promise<StackStatus> {
    return resultOf(() => status(this.stack, vnf));
  }

  /** Outputs of each instance after the last successful run, without secrets. */
  outputs(): Promise<VnfOutputs> {
    return resultOf(async () => ((await this.stack.outputs())["vnfs"] ?? {}) as VnfOutputs);
  }

  /** The kubeconfig of a cluster, which is a secret. */
  kubeconfig(vnf: string): Promise<string> {
    return resultOf(() => kubeconfigOf(this.stack, vnf));
  }

  /** The parts of the stack and the changes of the next run, for a drawing. */
  topology({ signal }: Reading = {}): Promise<StackTopology> {
    return resultOf(() => topology(this.stack, signal));
  }

  #change<T>(verb: string, options: RunOptions = {}, work: (run: Run) => Promise<T>): Promise<T> {
    return resultOf(() =>
      whenFree(this.stack, options, async () => {
        await assertFree(this.stack);
        return work({ ...options, verb });
      }),
    );
  }
}

/** The result of an operation; a file error of the system is converted to a Fault. */
async function resultOf<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asFault(error);
  }
}
