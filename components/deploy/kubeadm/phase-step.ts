import type { local } from "@pulumi/command";
import type * as pulumi from "@pulumi/pulumi";
import { scriptStep, type ScriptStepArgs } from "../../remote/script-step";
import { scriptOf, type Phase } from "../phases";

/** Runs the script of a phase. @param owner name of its server */
export function phaseStep(
  owner: string,
  phase: Phase,
  args: Omit<ScriptStepArgs, "script">,
  opts: pulumi.CustomResourceOptions,
): local.Command {
  return scriptStep(`${owner}-${phase}`, { ...args, script: scriptOf(phase) }, opts);
}
