import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { devDependencies } from "../../package.json";
import { mustRun } from "./command";
import { toolchainPath } from "./management-cluster";

/**
 * Generates the Python SDK of the installed package's plugin, and installs it into the virtual environment `venv`,
 * which comes first in PATH: newer engines do not pass `virtualenv` of Pulumi.yaml to the language host 3.68.0.
 *
 * @param others further packages from PyPI
 */
export async function installPythonSdk(project: string, ...others: readonly string[]): Promise<void> {
  await mustRun("toolchain/build.sh", ["python-language-host", "sdk-generator"]);
  const input = readFileSync(join(project, "node_modules/vnfm/dist/pulumi-schema.json"), "utf8");
  const generator = join(await toolchainPath("sdk-generator"), "sdk-generator");
  await mustRun(generator, ["python", "sdk"], { cwd: project, input });
  await mustRun("python3", ["-m", "venv", "venv"], { cwd: project });
  const packages = [`pulumi==${devDependencies["@pulumi/pulumi"]}`, "./sdk", ...others];
  const args = ["install", "--quiet", "--disable-pip-version-check", ...packages];
  await mustRun("venv/bin/pip", args, { cwd: project });
  process.env["PATH"] = [join(project, "venv/bin"), process.env["PATH"]].join(delimiter);
}
