import { getVersion as commandVersion } from "@pulumi/command/utilities";
import { getVersion as kubernetesVersion } from "@pulumi/kubernetes/utilities";
import { FORMER_IDENTITY } from "../../components/deploy/objects/ownership";
import { OPENSTACK_PROVIDER_VERSION } from "../../components/deploy/openstack/provider-release";
import { pluginFolder, pluginProgram } from "../../components/gather/plugin-process";
import { Fault } from "../fault";
import type { Run } from "../run";
import { environmentFor } from "../stack/lock";
import type { PulumiStack } from "../stack/pulumi";
import { nameOfUrn, type Step } from "../stack/steps";
import { without, type ResourceState } from "../stack/state";
import type { Belongings } from "./belongings";
import { commandAnswers } from "./command-answers";
import { Inventory } from "./inventory";
import { kubernetesAnswers } from "./kubernetes-answers";
import { openStackAnswers } from "./openstack-answers";
import { plugInFront, type Answers } from "./plugin-front";

/** The remains of a lost state. */
export interface Remains {
  /** Identity of the stack. */
  readonly identity: string;
  readonly belongings: Belongings;
  /** Resources of an earlier state by URN, with secrets in plain text. */
  readonly former: ReadonlyMap<string, ResourceState>;
}

/**
 * Updates an empty copy of a stack, with a server in front of each plugin: a creation finds what exists, and nothing is
 * created, changed or deleted. The state of the copy has what was found.
 */
export async function findAll(copy: PulumiStack, remains: Remains, run: Run): Promise<Inventory> {
  const inventory = new Inventory();
  const plugins: readonly (readonly [name: string, version: string, answers: Answers])[] = [
    [
      "openstack",
      OPENSTACK_PROVIDER_VERSION,
      openStackAnswers(remains.belongings, remains.former, inventory),
    ],
    ["command", commandVersion(), commandAnswers(remains.former, inventory)],
    ["kubernetes", kubernetesVersion(), kubernetesAnswers(remains.former, inventory)],
  ];
  const identified = { ...environmentFor(run.verb), [FORMER_IDENTITY]: remains.identity };
  const { steps } = await copy.preview({ env: identified, signal: run.signal });
  assertFindable(steps, ["pulumi", ...plugins.map(([name]) => name)]);
  const fronts = await Promise.all(
    plugins.map(async ([name, version, answers]) => ({
      name,
      ...(await plugInFront(programOf(name, version), copy.folder, answers)),
    })),
  );
  const env = {
    ...identified,
    PULUMI_DEBUG_PROVIDERS: fronts.map(({ name, port }) => `${name}:${port}`).join(","),
  };
  try {
    await copy.up(() => undefined, { env, signal: run.signal });
  } finally {
    for (const { end } of fronts) end();
  }
  const { missing, unreadable } = inventory;
  const state = await copy.state();
  const gone = (state.deployment.resources ?? []).filter(
    ({ urn }) => missing.has(urn) || unreadable.has(urn),
  );
  if (gone.length > 0) await copy.importState(without(state, gone));
  return inventory;
}

/**
 * Checks that the search knows the providers of all resources: others would create theirs a second time.
 * @param packages names of the providers that the search knows
 * @throws Fault with the resources of others
 */
export function assertFindable(
  steps: readonly Pick<Step, "urn" | "type" | "custom">[],
  packages: readonly string[],
): void {
  const foreign = steps.filter(({ custom, type }) => custom && !packages.includes(type.split(":")[0] ?? ""));
  if (foreign.length === 0) return;
  throw new Fault(
    `the program has resources of other providers: ${foreign.map(({ urn, type }) => `${nameOfUrn(urn)} (${type})`).join(", ")}. ` +
      "vnfm finds those of OpenStack and Kubernetes, and its own scripts. Take the others out of the program, rebuild the state, and add " +
      "them again with 'pulumi import'",
  );
}

/** @throws Fault if the plugin is not installed */
function programOf(name: string, version: string): string {
  const program = pluginProgram(name, version);
  if (program !== undefined) return program;
  throw new Fault(
    `the plugin ${name} is neither in ${pluginFolder(name, version)} nor on PATH; ` +
      `'pulumi plugin install resource ${name} ${version}' installs it`,
  );
}
