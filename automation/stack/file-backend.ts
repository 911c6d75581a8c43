import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { jsonData } from "../../components/base/json";
import { Fault } from "../fault";

/** A lock of Pulumi, with the process that created it. */
export interface Lock {
  readonly pid: number;
  readonly username: string;
  readonly hostname: string;
  /** Time of its creation, ISO 8601. */
  readonly timestamp: string;
}

/** A stack, with the place of its state. */
export interface StackPlace {
  /** Folder of the project; an absolute path. */
  readonly folder: string;
  /** URL of the backend. */
  readonly backend: string;
  readonly name: string;
  /** Name with organization and project, as in the backend. */
  readonly qualifiedName: string;
}

/** The locks of a stack whose state is in local files; none for other backends. */
export function lockFiles(stack: Project & Pick<StackPlace, "qualifiedName">): readonly Lock[] {
  return filesUnder(stack, join("locks", stack.qualifiedName))
    .filter((file) => file.endsWith(".json"))
    .map((file) => jsonData(readFileSync(file, "utf8"), file) as Lock);
}

/**
 * Removes incomplete metadata of a killed Pulumi. It replaces a state atomically, but truncates the metadata file next
 * to it. It cannot read a state with incomplete metadata, but can read one without metadata.
 */
export function removeTornMetadata(project: Project): void {
  for (const file of [...filesUnder(project, "stacks"), ...filesUnder(project, "locks")]) {
    if (file.endsWith(".attrs") && isTorn(file)) rmSync(file, { force: true });
  }
}

/** The folder of a project, and the URL of its backend. */
type Project = Pick<StackPlace, "folder" | "backend">;

function filesUnder({ folder: project, backend }: Project, folder: string): readonly string[] {
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
