import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { jsonData } from "../../components/base/json";
import { IDENTITY } from "../../components/deploy/objects/ownership";
import { text } from "../../components/kube/objects/object";
import { OpenStack } from "../../components/openstack/session";
import { isWorkload } from "../../components/plan/model";
import { previewOf, describeChange } from "../changes/changes";
import { Fault } from "../fault";
import { NOTHING, unrequested } from "../operations/guard";
import { assertConfirmed, outcomeOf, type Outcome } from "../operations/operation";
import type { OperationPreview } from "../changes/changes";
import { emit, type Run } from "../run";
import { intentOf, type IntendedVnf } from "../stack/intent";
import { assertFree } from "../stack/lock";
import type { PulumiStack } from "../stack/pulumi";
import { nameOf, type ResourceState, type State } from "../stack/state";
import { nameOfUrn, STASH } from "../stack/steps";
import { Belongings } from "./belongings";
import { findAll } from "./find-all";
import { ownedServers } from "./identity";
import type { Inventory } from "./inventory";
import { assertOfNobody } from "./other-stacks";

/** Choices of the operator. */
export interface RebuildRequest {
  /** Identity of the lost state. @default that of the former state, else the only one that servers of the stack have */
  readonly identity?: string | undefined;
  /** Text of an export of a former state, however old: the keys of clusters are in no other place. @default none */
  readonly former?: string | undefined;
}

/**
 * Makes the lost state of a stack again: an update of the program in another backend, in which each creation finds what
 * an earlier run has created. The state is previewed with the plugins themselves, shown, and then imported: until then
 * nothing is changed anywhere.
 * @throws Fault if the stack has a state, if it is not certain what belongs to it, or if the next update would delete
 * or replace something; RefusedFault without a confirmation
 */
export async function rebuildState(
  stack: PulumiStack,
  { identity, former: formerText }: RebuildRequest,
  run: Run,
): Promise<Outcome> {
  const begin = Date.now();
  if (stack.backend.startsWith("https:"))
    throw new Fault(
      "Pulumi Cloud keeps each earlier state: see 'pulumi stack history' and 'pulumi stack export --version'",
    );
  await assertFree(stack);
  await assertLost(stack);
  const intent = [...intentOf(await stack.settings()).values()];
  // other users of the machine cannot read it; secrets in it are encrypted
  const folder = mkdtempSync(join(tmpdir(), "vnfm-rebuild-"));
  try {
    const former =
      formerText === undefined
        ? new Map<string, ResourceState>()
        : await readFormer(stack, folder, formerText);
    if (former.size === 0) assertServersOnly(intent);
    assertOneCloud(intent);
    const cloud = await OpenStack.connect(await stack.cloud());
    const owned = await ownedServers(cloud, {
      instances: intent.filter(({ plan }) => !isWorkload(plan)).map(({ name }) => name),
      stack: stack.name,
      identity: identity ?? identityIn(former),
    });
    emit(run, { kind: "note", text: `identity of the lost state: ${owned.identity}` });
    const copy = await stack.copyIn(emptyFolder(folder, "state"));
    const belongings = await Belongings.of(cloud, owned.ids);
    const inventory = await findAll(copy, { belongings, former, identity: owned.identity }, run);
    await assertOfNobody(stack, inventory);
    const preview = await previewIn(copy, inventory, run);
    await assertConfirmed(preview, run);
    await assertFree(stack);
    await assertLost(stack);
    await stack.importState(await copy.state());
    return outcomeOf(preview, begin);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws Fault if the state has resources outside of the engine, or a run was cut off */
async function assertLost(stack: PulumiStack): Promise<void> {
  const { resources = [], pending_operations: pending = [] } = (await stack.state()).deployment;
  const made = resources.filter(({ custom, type }) => custom && !type.startsWith("pulumi:"));
  if (made.length + pending.length === 0) return;
  throw new Fault(
    `stack ${stack.qualifiedName} has a state, with ${made.length} resources: it is not lost. After a run that was ` +
      "killed, run 'vnfm recover'",
  );
}

/** @throws Fault for an instance in a cloud of its own, because the search is in the cloud of the stack */
function assertOneCloud(intent: readonly IntendedVnf[]): void {
  const other = intent.find(({ plan }) => plan.cloud !== undefined);
  if (other !== undefined)
    throw new Fault(
      `vnfm:vnfs.${other.name}.cloud: the state can be rebuilt only of instances in the cloud of the stack: import a copy ` +
        "of the state with 'pulumi stack import'",
    );
}

/** @throws Fault for an instance with a cluster: without its keys nobody can log in to it */
function assertServersOnly(intent: readonly IntendedVnf[]): void {
  const other = intent.find(({ plan }) => plan.kind !== "servers");
  if (other !== undefined)
    throw new Fault(
      `${other.name} has more than servers, and keys of clusters are only in the state: give an export of a former ` +
        "state with --former",
    );
}

/**
 * Reads the resources of a former state.
 * @returns them by URN, with secrets in plain text
 */
async function readFormer(
  stack: PulumiStack,
  folder: string,
  exported: string,
): Promise<ReadonlyMap<string, ResourceState>> {
  const state = jsonData(exported, "the export of a former state") as State;
  const copy = await stack.copyIn(emptyFolder(folder, "former"));
  await copy.importState(state);
  const { resources = [] } = (await copy.plainState()).deployment;
  return new Map(resources.filter((one) => one.delete !== true).map((one) => [one.urn, one]));
}

function identityIn(former: ReadonlyMap<string, ResourceState>): string | undefined {
  const stash = [...former.values()].find((one) => one.type === STASH && nameOf(one) === IDENTITY);
  return text(stash?.outputs?.["output"]);
}

function emptyFolder(parent: string, name: string): string {
  const folder = join(parent, name);
  mkdirSync(folder);
  return folder;
}

/**
 * Previews the next update of the new state, with the plugins themselves.
 * @throws Fault if it would delete or replace something
 */
async function previewIn(
  copy: PulumiStack,
  inventory: Inventory,
  { signal }: Run,
): Promise<OperationPreview> {
  const { steps, warnings } = await copy.preview({ signal });
  const seen = previewOf(steps);
  const lost = unrequested(seen.changes, NOTHING);
  if (lost.length > 0)
    throw new Fault(
      `the next update would delete or replace what exists: ${lost.map(describeChange).join("; ")}. Nothing was changed`,
    );
  const { missing, renewed, unreadable, unproven } = inventory;
  return {
    ...seen,
    unrequested: [],
    warnings: [
      ...[...missing].map((urn) => `${nameOfUrn(urn)} no longer exists; the next update creates it`),
      ...[...unreadable].map(
        (urn) =>
          `${nameOfUrn(urn)}: its secret was in the lost state only; the next update creates another application ` +
          "credential. Delete the former one: see 'openstack application credential list'",
      ),
      ...(renewed.length > 0
        ? [
            `${renewed.join(", ")}: new keys, as the former ones were only in the lost state; servers keep those until a heal`,
          ]
        : []),
      ...(unproven.length > 0
        ? [
            `${unproven.join(", ")}: taken for done, as no former state has them with this data; run 'vnfm check' ` +
              "after this",
          ]
        : []),
      ...warnings,
    ],
  };
}
