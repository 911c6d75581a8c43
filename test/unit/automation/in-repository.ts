import { filesOf } from "../../../components/gather/project-files";
import type { StackSettings } from "../../../automation/stack/stack-config";
import { REPOSITORY } from "../../support/command";

/** Returns the settings of a stack whose project, with the VNF packages, is this repository. */
export function inRepository(settings: Omit<StackSettings, "files">): StackSettings {
  return { ...settings, files: filesOf(REPOSITORY) };
}
