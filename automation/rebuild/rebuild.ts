import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FORMER_IDENTITY } from "../../components/deploy/objects/ownership";
import { OPENSTACK_PROVIDER_VERSION } from "../../components/deploy/openstack/provider-release";
import { pluginFolder, pluginProgram } from "../../components/gather/plugin-process";
import { OpenStack } from "../../components/openstack/session";
import { isWorkload } from "../../components/plan/model";
import { previewOf, sayChange } from "../changes/changes";
import { Fault } from "../fault";
import { NOTHING, unrequested } from "../operations/guard";
import { assertConfirmed, outcomeOf, type OperationPreview, type Outcome } from "../operations/operation";
import { emit, type Run } from "../run";
import { EngineFault } from "../stack/engine-run";
import { intentOf } from "../stack/intent";
import { assertFree, environmentFor } from "../stack/lock";
import type { PulumiStack } from "../stack/pulumi";
import { Belongings } from "./belongings";
import { Findings, MISSING } from "./findings";
import { ownedServers, type OwnedServers } from "./identity";
import { plugInFront } from "./plugin-front";

/**
 * Makes the lost state of a stack again: an update of the program in another backend, in which each creation finds what
 * an earlier run has created. Then the state is previewed with the plugins themselves, shown, and imported: until then
 * nothing is changed anywhere.
 * @param identity of the lost state. @default the only one that servers of the stack have
 * @throws Fault if the stack has a state, if several stacks match, or if the next update would delete or replace
 * something; RefusedFault without a confirmation
 */
export async function rebuildState(
  stack: PulumiStack,
  identity: string | undefined,
  run: Run,
): Promise<Outcome> {
  const begin = Date.now();
  await assertFree(stack);
  await assertLost(stack);
  const intent = intentOf(await stack.settings());
  for (const { name, plan } of intent.values()) {
    if (isWorkload(plan) || plan.kind === "kubeadm")
      throw new Fault(
        `${name}: only the state of servers without a cluster can be made again; see docs/backup.md`,
      );
  }
  const cloud = await OpenStack.connect(await stack.cloud());
  const owned = await ownedServers(cloud, { instances: [...intent.keys()], stack: stack.name, identity });
  emit(run, { kind: "note", text: `identity of the lost state: ${owned.identity}` });
  const folder = mkdtempSync(join(tmpdir(), "vnfm-rebuild-"));
  try {
    const copy = await stack.copyIn(folder);
    const missing = await findAll(copy, cloud, owned, run);
    const { steps, warnings } = await copy.preview({ signal: run.signal });
    const seen = previewOf(steps);
    const lost = unrequested(seen.changes, NOTHING);
    if (lost.length > 0)
      throw new Fault(
        `the next update would delete or replace what is there: ${lost.map(sayChange).join("; ")}. Nothing was changed`,
      );
    const preview: OperationPreview = {
      ...seen,
      unrequested: [],
      warnings: [...missing.map((name) => `${name} ${MISSING}: the next update creates it`), ...warnings],
    };
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

/**
 * Updates the copy of the stack, with a server in front of the OpenStack plugin that creates nothing.
 * @returns names of the resources that the cloud does not have
 */
async function findAll(
  copy: PulumiStack,
  cloud: OpenStack,
  { identity, ids }: OwnedServers,
  run: Run,
): Promise<readonly string[]> {
  const findings = new Findings(await Belongings.of(cloud, ids));
  const front = await plugInFront(openStackPlugin(), copy.folder, findings.answers);
  const env = {
    ...environmentFor(run.verb),
    [FORMER_IDENTITY]: identity,
    PULUMI_DEBUG_PROVIDERS: `openstack:${front.port}`,
  };
  try {
    await copy.up(() => undefined, { env, signal: run.signal, continueOnError: true });
  } catch (error) {
    if (!(error instanceof EngineFault)) throw error;
    const others = error.faults.filter((fault) => !fault.includes(MISSING) && fault !== "update failed");
    if (others.length > 0 || findings.missing.length === 0)
      throw new EngineFault(others.length > 0 ? others : error.faults);
  } finally {
    front.end();
  }
  return findings.missing;
}

function openStackPlugin(): string {
  const version = OPENSTACK_PROVIDER_VERSION;
  const program = pluginProgram("openstack", version);
  if (program !== undefined) return program;
  throw new Fault(
    `the OpenStack plugin is neither in ${pluginFolder("openstack", version)} nor on PATH; ` +
      `'pulumi plugin install resource openstack ${version}' installs it`,
  );
}
