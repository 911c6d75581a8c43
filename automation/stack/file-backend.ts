import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { jsonData } from "../../components/base/json";
import { Fault } from "../fault";
import type { Lock } from "./locks";
import type { PulumiStack } from "./pulumi";

/** The locks of a stack whose state is in local files; none for other backends. */
export function lockFiles(stack: Place & Pick<PulumiStack, "qualifiedName">): readonly Lock[] {
  return filesUnder(stack, join("locks", stack.qualifiedName))
    .filter((file) => file.endsWith(".json"))
    .map((file) => jsonData(readFileSync(file, "utf8"), file) as Lock);
}

/**
 * Removes incomplete metadata of a killed Pulumi. It replaces a state atomically, but truncates the metadata file next
 * to it. It cannot read a state with incomplete metadata, but can read one without metadata.
 */
export function removeTornMetadata(project: Place): void {
  for (const file of [...filesUnder(project, "stacks"), ...filesUnder(project, "locks")]) {
    if (file.endsWith(".attrs") && isTorn(file)) rmSync(file, { force: true });
  }
}

/** The folder of a project, and the URL of its backend. */
type Place = Pick<PulumiStack, "folder" | "backend">;

function filesUnder({ folder: project, backend }: Place, folder: string): readonly string[] {
  if (!backend.startsWith("file://")) return [];
  const root = backend.slice("file://".length).replace(/\?.*/, "").replace(/^~/, homedir());
  const path = join(resolve(project, root), ".pulumi", folder);
  if (!existsSync(path)) return [];
  return readdirSync(path, { recursive: true, encoding: "utf8" }).map((file) => join(path, file));
}

function isTorn(file: string): boolean {
  try {
    jsonData(readFileSync(file, "utf8"), file);
    return false;
  } catch (error) {
    return error instanceof Fault;
  }
}
