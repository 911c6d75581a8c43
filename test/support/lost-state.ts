import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandResult } from "./command";
import type { TestStack } from "./stack";

/** File next to Pulumi.yaml with the export of a former state. */
const FORMER = "former.json";

/** Deletes the state of a stack, and keeps its config. */
export async function loseState(stack: TestStack): Promise<void> {
  await stack.must("stack", "rm", stack.name, "--force", "--yes", "--preserve-config");
  await stack.must("stack", "init", stack.name);
}

/** Deletes the state of a stack, and runs `vnfm rebuild-state` with the export of a former one. */
export async function rebuilt(stack: TestStack, former: string): Promise<CommandResult> {
  writeFileSync(join(stack.folder, FORMER), former);
  await loseState(stack);
  return stack.vnfm("rebuild-state", "--yes", "--former", FORMER);
}

/**
 * Deletes the state of a stack, makes it again with its own export, and expects that nothing in the cloud was changed and
 * that the next update has nothing to do.
 */
export async function expectRebuilt(stack: TestStack): Promise<void> {
  const inventory = await stack.cloud.inventory();
  const { status, stdout, stderr } = await rebuilt(stack, await stack.state());
  expect([status, stdout + stderr]).toEqual([0, expect.stringContaining("nothing changes")]);
  expect(await stack.cloud.inventory()).toEqual(inventory);
  expect(await stack.changes()).toEqual([]);
}
