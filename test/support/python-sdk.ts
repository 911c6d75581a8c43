import { readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { devDependencies } from "../../package.json";
import { mustRun } from "./command";
import { toolchainPath } from "./management-cluster";

/**
 * Makes the SDK of the installed package's plugin, and a virtual environment `venv` with it, whose Python is the first of
 * PATH from then on: newer engines do not tell a language host of 3.68.0 of `virtualenv` in Pulumi.yaml.
 *
 * @param others from PyPI
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
