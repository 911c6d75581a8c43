import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const PROGRAM = join(__dirname, "../toolchain/with-engine.sh");

/**
 * Gives this process the environment of `npm run pulumi`: the engine on PATH, its backend and passphrase, the
 * cloud. The Automation API looks for the engine on the PATH of its own process.
 */
export async function takeEnvironment(): Promise<void> {
  const { stdout } = await promisify(execFile)(PROGRAM, ["env", "--null"], { maxBuffer: 1 << 24 });
  for (const variable of stdout.split("\0")) {
    const equals = variable.indexOf("=");
    if (equals > 0) process.env[variable.slice(0, equals)] = variable.slice(equals + 1);
  }
}
