import { printableLine } from "../../components/base/printable";
import type { OpenStack } from "../../components/openstack/session";
import { text } from "../../components/kube/objects/object";
import { cloudOfSetting, CloudSessions } from "../stack/clouds";
import { whyNotMade } from "../../components/preflight/server-errors";
import { previewOf, describeChange, describePreview, type OperationPreview } from "../changes/changes";
import { assertHasVnfs, ConfigFile } from "../stack/config-file";
import { Fault } from "../fault";
import { AS_DECLARED, assertStackStays, unrequested, type Allowance } from "./guard";
import { isStopping, emit, type Run } from "../run";
import { EngineFault } from "../stack/engine-run";
import { assertFree, environmentFor, HeldFault } from "../stack/lock";
import { Places } from "../stack/places";
import { Moment } from "../stack/moment";
import { Progress } from "../changes/progress";
import type { PulumiStack } from "../stack/pulumi";
import { editText } from "../stack/config-text";
import { sealed } from "../stack/sealed";
import type { Edit } from "../stack/stack-config";
import { StackState } from "../stack/stack-state";
import type { Step } from "../stack/steps";
import { replicasByHand } from "./replicas-by-hand";
import { volumesInUse } from "./volumes-in-use";
import { waysOut } from "./ways-out";

/** An edit of the stack config, with the deletions and replacements that it allows. */
export interface Operation {
  readonly edits: readonly Edit[];
  readonly allowance: Allowance;
  /** Environment variables for Pulumi and its plugins. @default none */
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Runs right before the update, once it is confirmed.
   * @returns a note to add to an error before the first step @default nothing
   */
  readonly prepare?: Prepare;
  /** Warnings for the operator. @default none */
  readonly warnings?: readonly string[];
}

type Prepare = (run: Run) => Promise<string | undefined>;

/** Result of a finished operation. */
export interface Outcome extends OperationPreview {
  readonly seconds: number;
}

/** The operation was not confirmed: neither the stack nor its config has changed. */
export class RefusedFault extends Fault {
  constructor(readonly preview: OperationPreview) {
    const why =
      preview.unrequested.length > 0
        ? "something that was not requested would be deleted or replaced"
        : "the answer was no";
    super(`rejected, ${why}: nothing was changed`);
  }

  override get faults(): readonly string[] {
    const { unrequested } = this.preview;
    return unrequested.length > 0 ? unrequested.map(describeChange) : super.faults;
  }
}

/** The update failed. The edited stack config stays, so that the next run continues. */
export class ApplyFault extends Fault {
  /**
   * @param advice the next step for the operator
   */
  constructor(
    override readonly cause: Fault,
    readonly preview: OperationPreview,
    advice = "the next run, or 'pulumi up', continues",
  ) {
    super(`${cause.message}\nthe stack config stays as edited: ${advice}`);
  }

  override get faults(): readonly string[] {
    return this.cause.faults;
  }
}

/** A previewed operation; the stack config is unchanged. */
export interface Tried {
  readonly preview: OperationPreview;
  readonly steps: readonly Step[];
  readonly env: Readonly<Record<string, string>>;
  readonly prepare: Prepare;
  readonly file: ConfigFile;
  /** The file's edited text. */
  readonly text: string;
}

/**
 * Edits the stack config, previews, asks for confirmation and applies. The edit is previewed in a separate file: the
 * stack config changes only after the confirmation.
 * @param plan returns the operation for settings and state; it may query the cluster
 * @throws HeldFault if another run has locked the stack, RefusedFault without a confirmation, ApplyFault if the apply
 * failed, Fault for an error that was found before anything changed
 */
export async function operate(
  stack: PulumiStack,
  plan: (now: Moment) => Operation | Promise<Operation>,
  run: Run,
): Promise<Outcome> {
  const begin = Date.now();
  await assertFree(stack);
  const operation = await plan(await Moment.of(stack));
  const tried = await tryOut(stack, operation, run.signal);
  assertStackStays(tried.steps, operation.allowance);
  await assertConfirmed(tried.preview, run);
  await apply(stack, tried, run);
  return outcomeOf(tried.preview, begin);
}

/**
 * Applies the stack config as it is.
 * @throws as `operate` does
 */
export function up(stack: PulumiStack, run: Run): Promise<Outcome> {
  return operate(stack, () => ({ edits: [], allowance: AS_DECLARED }), run);
}

/** Shows the changes, and asks for confirmation. @throws RefusedFault without one */
export async function assertConfirmed(preview: OperationPreview, run: Run): Promise<void> {
  const { confirm = ({ unrequested }) => unrequested.length === 0 } = run;
  emit(run, { kind: "preview", preview, text: describeOperation(preview).join("\n") });
  if (!(await confirm(preview))) throw new RefusedFault(preview);
}

/**
 * @param begin in milliseconds since the epoch
 */
export function outcomeOf(preview: OperationPreview, begin: number): Outcome {
  return { ...preview, seconds: (Date.now() - begin) / 1000 };
}

/** Previews an operation. @throws Fault if it is impossible */
export async function tryOut(
  stack: PulumiStack,
  { edits, allowance, env = {}, prepare = () => Promise.resolve(undefined), warnings: known = [] }: Operation,
  signal?: AbortSignal,
): Promise<Tried> {
  const file = new ConfigFile(stack.configFile);
  if (edits.length > 0) assertHasVnfs(file, stack.folder);
  const text = editText(file.text, await sealed(stack, file, edits));
  const { steps, warnings } = await file.tryOut(text, (configFile) =>
    stack.preview({ env, configFile, signal }),
  );
  const seen = previewOf(steps);
  let read: Promise<StackState> | undefined;
  const state = () => (read ??= stack.plainState().then((exported) => new StackState(exported)));
  const [inUse, byHand] = await Promise.all([
    volumesInUse(steps, state, signal),
    replicasByHand(steps, state),
  ]);
  const preview = {
    ...seen,
    warnings: [...known, ...warnings, ...inUse, ...byHand],
    unrequested: unrequested(seen.changes, allowance),
  };
  return { preview, steps, env, prepare, file, text };
}

/**
 * Writes the stack config, and applies it.
 * @throws as `operate` does
 */
export async function apply(
  stack: PulumiStack,
  { preview, steps, env, prepare, file, text }: Tried,
  run: Run,
): Promise<void> {
  assertGoesOn(run);
  await assertFree(stack);
  const prepared = await prepare(run);
  try {
    // `prepare` may have taken minutes
    assertGoesOn(run);
    await assertFree(stack);
    file.write(text);
  } catch (error) {
    throw withMore(error, prepared);
  }
  if (preview.changes.length === 0) return;
  const progress = new Progress(new Places(steps), (event) => emit(run, event));
  const variables = { ...env, ...environmentFor(run.verb) };
  try {
    await stack.up((event) => progress.see(event), { env: variables, signal: run.signal });
  } catch (error) {
    // another run was faster, and uses the former config
    if (error instanceof HeldFault) file.putBack(text);
    if (error instanceof HeldFault || !(error instanceof Fault)) throw withMore(error, prepared);
    throw new ApplyFault(await explained(error, stack), preview);
  }
}

function assertGoesOn(run: Run): void {
  if (isStopping(run)) throw new Fault("stopped before the update");
}

/** An error with messages of the cloud, and advice for the operator. */
async function explained(fault: Fault, stack: PulumiStack): Promise<Fault> {
  if (!(fault instanceof EngineFault)) return fault;
  const messages = [...fault.faults, ...(await whyNotMade(fault.message, () => cloudsOfServers(stack)))];
  return new EngineFault([...messages, ...waysOut(messages.join("\n"))]);
}

/** Connections to the clouds of the instances in the stack config. */
async function cloudsOfServers(stack: PulumiStack): Promise<(() => Promise<OpenStack>)[]> {
  const { vnfs } = await stack.settings();
  const names = [...new Set(Object.values(vnfs).map((vnf) => text(vnf?.["cloud"])))];
  const sessions = new CloudSessions(stack);
  return names.map((cloud) => () => sessions.to(cloudOfSetting(cloud)));
}

/** Adds a line to the message of a fault. */
function withMore(error: unknown, more: string | undefined): unknown {
  if (error instanceof Fault && more !== undefined) error.message += `\n${more}`;
  return error;
}

/** An operation's preview with all warnings, as lines. */
export function describeOperation(preview: OperationPreview): readonly string[] {
  const { warnings, runs = [], unrequested: others } = preview;
  const unrequestedLines = others.map((change) => `NOT REQUESTED: ${describeChange(change)}`);
  return [
    ...warnings.map((warning) => `warning: ${warning}`),
    ...[...describePreview(preview), ...runs, ...unrequestedLines].map(printableLine),
  ];
}
