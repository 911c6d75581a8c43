import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { assertFault, Fault } from "../../components/base/fault";
import { VNFM_VERSION } from "../../components/base/state-version";
import { inParallel } from "../checks/ask";
import { check } from "../checks/check";
import { vimsOf } from "../checks/vims";
import { connectionTo } from "../stack/connection";
import { engineCommand } from "../stack/engine-command";
import type { PulumiStack } from "../stack/pulumi";
import { StackState } from "../stack/stack-state";
import type { State } from "../stack/state";
import { status } from "../stack/status";
import { clusterReport } from "./cluster-report";
import { secretsOfSettings, supportMask, withoutSecretFields } from "./mask";
import { serverLogs } from "./server-logs";

type Files = ReadonlyMap<string, string>;

/**
 * Reads what helps to find out why a VNF instance does not work: versions, its settings, the states of its resources,
 * differences that `vnfm check` finds, logs of its servers and of the controllers of its cluster. Nothing is changed.
 *
 * @returns texts by path, without secrets; what cannot be read has the reason
 * @throws UsageFault if the stack has not created the instance
 */
export async function supportFiles(stack: PulumiStack, vnf: string, signal?: AbortSignal): Promise<Files> {
  const exported = await stack.plainState();
  const state = new StackState(exported);
  state.assertMade(vnf);
  const config = await configOf(stack);
  const parts = await Promise.all([
    ofStack(stack, state, exported, vnf, signal),
    ofServers(state, vnf),
    ofCluster(state, vnf),
  ]);
  const mask = supportMask(exported, config.secrets);
  return new Map(
    [config.files, ...parts].flatMap((files) =>
      [...files].map(([path, text]) => [path, mask(text)] as const),
    ),
  );
}

/** The stack config as a file, without its secrets, and the texts of these. */
async function configOf(
  stack: PulumiStack,
): Promise<{ readonly files: Files; readonly secrets: readonly string[] }> {
  const name = basename(stack.configFile);
  try {
    const secrets = secretsOfSettings(await stack.settings());
    return { files: new Map([[name, withoutSecretFields(readFileSync(stack.configFile, "utf8"))]]), secrets };
  } catch (error) {
    // without its secrets the file must not be handed on
    assertFault(error);
    return { files: new Map([[name, `not read: ${error.message}\n`]]), secrets: [] };
  }
}

async function ofStack(
  stack: PulumiStack,
  state: StackState,
  exported: State,
  vnf: string,
  signal?: AbortSignal,
): Promise<Files> {
  const [shownStatus, checked] = await Promise.all([
    orReason(() => status(stack, vnf)),
    orReason(() => check(stack, vnf, signal)),
  ]);
  return new Map([
    ["versions.txt", await versions(state)],
    ["status.json", shownStatus],
    ["check.json", checked],
    ["resources.json", shownJson(resources(state, exported, vnf))],
  ]);
}

async function versions(state: StackState): Promise<string> {
  const plugins = state.resources
    .filter(({ type }) => type.startsWith("pulumi:providers:"))
    .map(
      ({ type, inputs }) => `${type} ${JSON.stringify(inputs?.["version"] ?? "of the program's package")}`,
    );
  const { version: pulumi } = await engineCommand();
  const lines = [`vnfm ${VNFM_VERSION}`, `node ${process.version}`, `pulumi ${String(pulumi)}`];
  return `${[...lines, ...new Set(plugins)].join("\n")}\n`;
}

/** Returns the resources of an instance without inputs and outputs, and all operations that were cut off. */
function resources(state: StackState, { deployment }: State, vnf: string): object {
  return {
    resources: state
      .of(vnf)
      .map(({ urn, id, initErrors, pendingReplacement, retainOnDelete, dependencies }) => {
        return { urn, id, initErrors, pendingReplacement, retainOnDelete, dependencies };
      }),
    pendingOperations: (deployment.pending_operations ?? []).map(({ type, resource: { urn } }) => ({
      type,
      urn,
    })),
  };
}

async function ofServers(state: StackState, vnf: string): Promise<Files> {
  const vnfcs = [...state.servers(vnf).keys()];
  const logs = await inParallel(vnfcs, async (vnfc) => {
    try {
      return [...(await serverLogs(connectionTo(state, vnf, vnfc)))];
    } catch (error) {
      assertFault(error);
      return [["not-read.txt", `${error.message}\n`] as const];
    }
  });
  return new Map(
    logs.flatMap((files, i) => files.map(([file, text]) => [`servers/${vnfcs[i]}/${file}`, text] as const)),
  );
}

async function ofCluster(state: StackState, vnf: string): Promise<Files> {
  const vim = vimsOf(state).find(({ vnfs }) => vnfs.includes(vnf));
  if (vim === undefined) return new Map();
  const files = await clusterReport(vim.kubeconfig);
  return new Map([...files].map(([file, text]) => [`cluster/${file}`, text]));
}

async function orReason(read: () => Promise<object>): Promise<string> {
  return read().then(shownJson, (error: unknown) => {
    if (!(error instanceof Fault)) throw error;
    return `not read: ${error.message}\n`;
  });
}

const shownJson = (value: object): string => `${JSON.stringify(value, undefined, 2)}\n`;
