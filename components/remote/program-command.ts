import { createRequire } from "node:module";
import { join } from "node:path";
import { Fault } from "../base/fault";

/** By this node finds run/run.cjs. */
const RUN = "vnfm/run";

/**
 * The command that runs one of our programs with node, on the machine that runs Pulumi, in the project's folder. It has
 * no path of that machine, so it is the same wherever vnfm is: see run/run.cjs.
 *
 * @param program its path from the folder components
 */
export function programCommand(program: string): string {
  return `exec node -e 'require("${RUN}")' ${program}`;
}

/** The arguments of node that run one of our programs from any folder, which another process of this machine does. */
export function programArguments(program: string): readonly string[] {
  return [require.resolve(RUN), program];
}

/**
 * Makes sure that such commands run what this program is of.
 *
 * @param folder of the project
 * @throws Fault
 */
export function assertFound(folder: string): void {
  try {
    createRequire(join(folder, "index.js")).resolve(RUN);
  } catch {
    throw new Fault(
      `vnfm: node does not find it from ${folder}, where steps of a run are run: 'npm install vnfm' there, ` +
        `or name the folder that it is in, such as node_modules, by the variable NODE_PATH`,
    );
  }
}
