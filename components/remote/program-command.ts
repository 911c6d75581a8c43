import { createRequire } from "node:module";
import { join } from "node:path";
import { Fault } from "../base/fault";

/** The module that Node.js resolves to run/run.cjs. */
const RUN = "vnfm/run";

/**
 * The command that runs one of vnfm's programs with node, on the machine that runs Pulumi, in the project's folder. It
 * contains no path of that machine, so it does not depend on the location of vnfm: see run/run.cjs.
 * @param program path of the program from the folder components
 */
export function programCommand(program: string): string {
  return `exec node -e 'require("${RUN}")' ${program}`;
}

/** The arguments of node that run one of vnfm's programs from any folder, for another process of this machine. */
export function programArguments(program: string): readonly string[] {
  return [require.resolve(RUN), program];
}

/**
 * Checks that these commands run the same vnfm as this program.
 * @param folder of the project
 * @throws Fault
 */
export function assertFound(folder: string): void {
  try {
    createRequire(join(folder, "index.js")).resolve(RUN);
  } catch {
    throw new Fault(
      `vnfm: node does not find it from ${folder}, where scripts run: run 'npm install vnfm' there, ` +
        `or set the variable NODE_PATH to the folder that contains it, such as node_modules`,
    );
  }
}
