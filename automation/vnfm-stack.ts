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
import { rotate, type SecretName } from "./operations/rotate";
import { scale, type LevelChange } from "./operations/scale";
import { upgrade, type UpgradeRequest } from "./operations/upgrade";
import { recover, type RecoverOptions, type RecoverReport } from "./recovery/recover";
import { tell, type Run, type RunOptions } from "./run";
import { kubeconfigOf } from "./stack/kubeconfig";
import { assertFree, whenFree, type Holder } from "./stack/lock";
import { PulumiStack } from "./stack/pulumi";
import { status, type StackStatus, type VnfOutputs } from "./stack/status";
import { topology, type StackTopology } from "./topology";

/** Settings in which a secret may be a Secret; a text there that is always one may be a text. */
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

/** A VNF instance in the words of the stack config: docs/stack-config.md. What is a Secret in it is encrypted there. */
export type InstanceSettings = WithSecrets<ServersVnf | ClusterVnf | Cnf | ClusterByTemplate>;

/** A JSON merge patch: what it does not name stays, null takes out, a list is replaced whole. */
export type Patch<Whole> = Whole extends Scalar | Secret | readonly unknown[]
  ? Whole
  : Whole extends object
    ? { readonly [Key in Extract<keyof Whole, string>]?: Patch<Whole[Key]> | null }
    : Whole;

/** What reads and changes nothing can be ended. */
type Reading = Pick<RunOptions, "signal">;

/** What reads, and waits for another run that holds the stack. */
type Waiting = Pick<RunOptions, "signal" | "wait" | "onEvent">;

/**
 * The VNF instances of a stack, and the operations on them. Each operation edits the stack config, previews, asks
 * `confirm` and applies, as `vnfm` does on the command line. It prints nothing and asks nobody else.
 *
 * What is thrown is a Fault where the operator can mend it: UsageFault, SettingsFault, HeldFault, RefusedFault,
 * ApplyFault, with all that is wrong in `faults`.
 */
export class VnfmStack {
  private constructor(private readonly stack: PulumiStack) {}

  /**
   * Opens a stack that there is. It needs a `pulumi` on PATH; where the state is and how to reach the cloud is in the
   * environment of this process, as for `pulumi`.
   *
   * @param where the folder of the project, anywhere, and the name of the stack. @default the selected one
   * @throws UsageFault if there is none
   */
  static async open({
    folder,
    stack: name,
  }: {
    readonly folder: string;
    readonly stack?: string | undefined;
  }): Promise<VnfmStack> {
    return new VnfmStack(await asked(() => PulumiStack.open(folder, name)));
  }

  /** With organization and project, as the backend knows it. */
  get name(): string {
    return this.stack.qualifiedName;
  }

  /** Of the project. */
  get folder(): string {
    return this.stack.folder;
  }

  /** Makes the cloud and the clusters match the stack config as it is; refused where all instances would go. */
  up(options?: RunOptions): Promise<Outcome> {
    return this.#change("up", options, (run) => up(this.stack, run));
  }

  /** Adds an instance to the stack config, and makes it. */
  instantiate(vnf: string, settings: InstanceSettings, options?: RunOptions): Promise<Outcome> {
    return this.#change(`instantiate ${vnf}`, options, (run) => instantiate(this.stack, vnf, settings, run));
  }

  /** Changes settings of an instance. */
  update(vnf: string, settings: Patch<InstanceSettings>, options?: RunOptions): Promise<Outcome> {
    return this.#change(`update ${vnf}`, options, (run) => update(this.stack, vnf, settings, run));
  }

  /** Sets scale levels, each of another aspect, or of a node group of a cluster by a template. */
  scale(vnf: string, levels: readonly LevelChange[], options?: RunOptions): Promise<Outcome> {
    return this.#change(`scale ${vnf}`, options, (run) => scale(this.stack, vnf, levels, run));
  }

  /** Replaces VNFCs, such as `workerNode-2`, by new ones; `all` is the whole instance. */
  heal(vnf: string, vnfcs: readonly string[], options?: RunOptions): Promise<Outcome> {
    return this.#change(`heal ${vnf}`, options, (run) => heal(this.stack, vnf, vnfcs, run));
  }

  /** Replaces the nodes of a cluster by ones of another version, package or image, or gives it another template. */
  upgrade(vnf: string, request: UpgradeRequest, options?: RunOptions): Promise<Outcome> {
    return this.#change(`upgrade ${vnf}`, options, (run) => upgrade(this.stack, vnf, request, run));
  }

  /** Makes secrets of a cluster anew in place. */
  rotate(vnf: string, secrets: readonly SecretName[], options?: RunOptions): Promise<Outcome> {
    return this.#change(`rotate ${vnf}`, options, (run) => rotate(this.stack, vnf, secrets, run));
  }

  /** Takes an instance out of the stack config, and deletes what it is made of. */
  terminate(vnf: string, options?: RunOptions): Promise<Outcome> {
    return this.#change(`terminate ${vnf}`, options, (run) => terminate(this.stack, vnf, run));
  }

  /** Takes all instances out of the stack config, and deletes what they are made of. */
  terminateAll(options?: RunOptions): Promise<Outcome> {
    return this.#change("terminate --all", options, (run) => terminateAll(this.stack, run));
  }

  /** Makes objects that are on a cluster already an instance. */
  adopt(vnf: string, request: AdoptRequest, options?: RunOptions): Promise<Outcome> {
    return this.#change(`adopt ${vnf}`, options, (run) => adopt(this.stack, vnf, request, run));
  }

  /** Gives PersistentVolumes whose claim is gone to the next claims, with the data on them. */
  release(vnf: string, volumes: readonly string[], options?: RunOptions): Promise<Outcome> {
    return this.#change(`release ${vnf}`, options, (run) => release(this.stack, vnf, volumes, run));
  }

  /** Looks whether all, or one instance, is as the last run has left it. */
  check(vnf?: string, options: Waiting = {}): Promise<CheckReport> {
    return asked(() => whenFree(this.stack, options, () => check(this.stack, vnf, options.signal)));
  }

  /** Checks, and runs again what made the things that are not as declared. */
  mend(vnf?: string, options?: RunOptions): Promise<Mended> {
    const verb = vnf === undefined ? "mend" : `mend ${vnf}`;
    return this.#change(verb, options, async (run) =>
      mend(this.stack, await check(this.stack, vnf, run.signal), run),
    );
  }

  /**
   * After a run that was cut off: has the state know what that has left.
   *
   * @param options.isDead whether a run that holds the stack on another machine is dead for certain. @default no
   * @returns what it has found and done
   */
  recover(options: RunOptions & Partial<Pick<RecoverOptions, "isDead">> = {}): Promise<RecoverReport> {
    // a lock that is looked at again while it is waited for is not asked about again
    const isDead = once(options.isDead ?? (() => false), (holder: Holder) => JSON.stringify(holder));
    const report = (text: string): void => tell(options, { kind: "note", text });
    return asked(() => whenFree(this.stack, options, () => recover(this.stack, { report, isDead })));
  }

  /** What the next run changes, by the stack config as it is. */
  preview({ signal }: Reading = {}): Promise<Preview & { readonly warnings: readonly string[] }> {
    return asked(async () => {
      const { preview } = await tryOut(this.stack, { edits: [], allowance: NOTHING }, signal);
      const { changes, stays, warnings } = preview;
      return { changes, stays, warnings };
    });
  }

  /** The instances by the stack config and the last run that succeeded, and who holds the stack. */
  status(vnf?: string): Promise<StackStatus> {
    return asked(() => status(this.stack, vnf));
  }

  /** What the last run that succeeded has shown of each instance; nothing secret is in it. */
  outputs(): Promise<VnfOutputs> {
    return asked(async () => ((await this.stack.outputs())["vnfs"] ?? {}) as VnfOutputs);
  }

  /** The kubeconfig of a cluster, which is a secret. */
  kubeconfig(vnf: string): Promise<string> {
    return asked(() => kubeconfigOf(this.stack, vnf));
  }

  /** What the stack consists of and what the next run changes, to be drawn. */
  topology({ signal }: Reading = {}): Promise<StackTopology> {
    return asked(() => topology(this.stack, signal));
  }

  #change<T>(verb: string, options: RunOptions = {}, work: (run: Run) => Promise<T>): Promise<T> {
    return asked(() =>
      whenFree(this.stack, options, async () => {
        await assertFree(this.stack);
        return work({ ...options, verb });
      }),
    );
  }
}

/** What a work gives; what the system refuses to read or write is a fault too. */
async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asFault(error);
  }
}
