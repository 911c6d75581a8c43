import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { projectConfig } from "../../components/gather/stack-config-file";
import { isFields } from "../../components/kube/objects/object";
import { yamlData } from "../../components/base/yaml/yaml";
import { writeWhole } from "../../components/base/whole-file";
import { Fault } from "../fault";

/** The stack config has been edited since it was read. */
export class EditedFault extends Fault {}

/** The file of a stack config, which operators edit too. */
export class ConfigFile {
  readonly path: string;
  /** Text of the file when it was read. */
  readonly text: string;

  /** @throws Fault if the file does not exist */
  constructor(path: string) {
    try {
      this.path = realpathSync(path);
      this.text = readFileSync(this.path, "utf8");
    } catch (error) {
      throw new Fault(`the stack config cannot be read: ${(error as Error).message}`);
    }
  }

  /**
   * Calls `use` with a temporary file that has another text; the stack config stays as it is.
   * @param use gets the path of the temporary file
   */
  async tryOut<T>(text: string, use: (path: string) => Promise<T>): Promise<T> {
    const folder = mkdtempSync(join(tmpdir(), "vnfm-config-"));
    try {
      const path = join(folder, basename(this.path));
      writeFileSync(path, text, { mode: 0o600 });
      return await use(path);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /**
   * Replaces the text as a whole.
   * @throws EditedFault if others have edited the file since it was read
   */
  write(text: string): void {
    if (!this.#has(this.text)) throw new EditedFault(`${this.path} was edited in the meantime: run again`);
    this.#put(text);
  }

  /** Restores the former text, if the file still has the text of `write`. */
  putBack(written: string): void {
    if (this.#has(written)) this.#put(this.text);
  }

  #has(text: string): boolean {
    return readFileSync(this.path, "utf8") === text;
  }

  #put(text: string): void {
    if (this.#has(text)) return;
    writeWhole(this.path, text, statSync(this.path).mode);
  }
}

/**
 * Refuses edits of settings that are not in the stack config's file: they come from elsewhere, and settings in the file
 * would replace all of them.
 * @param project the folder of Pulumi.yaml
 * @throws Fault with the source of the settings
 */
export function assertHasVnfs({ path, text }: Pick<ConfigFile, "path" | "text">, project: string): void {
  const data = yamlData(text, path);
  const config = isFields(data) ? data["config"] : undefined;
  if (isFields(config) && Object.hasOwn(config, VNFS)) return;
  const source = Object.hasOwn(projectConfig(project), VNFS)
    ? "'config' of Pulumi.yaml, which applies to all stacks"
    : "elsewhere, such as its 'environment'";
  throw new Fault(
    `${path} has no ${VNFS}: the stack gets it from ${source}; edit it there and run 'vnfm up', or move it to this file`,
  );
}

const VNFS = "vnfm:vnfs";
