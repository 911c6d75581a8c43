import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { jsonData } from "../../components/base/json";

/** Returns true if npm has installed this vnfm from a registry; other machines do not have a file or a checkout. */
export function isOfRegistry(): boolean {
  // npm's list of a node_modules: https://docs.npmjs.com/cli/configuring-npm/package-lock-json#hidden-lockfiles
  const lock = join(dirname(require.resolve("vnfm/package.json")), "../.package-lock.json");
  if (!existsSync(lock)) return false;
  const { packages } = jsonData(readFileSync(lock, "utf8"), lock) as {
    readonly packages?: Readonly<Record<string, { readonly resolved?: string } | undefined>>;
  };
  return packages?.["node_modules/vnfm"]?.resolved?.startsWith("http") === true;
}

/**
 * Returns true if other machines can install the vnfm of a project's package.json, which is not the case for a file
 * outside of the project.
 */
export function namesVnfm(folder: string): boolean {
  const file = join(folder, "package.json");
  const { dependencies } = jsonData(readFileSync(file, "utf8"), file) as {
    readonly dependencies?: Readonly<Record<string, string | undefined>>;
  };
  const named = dependencies?.["vnfm"];
  return named !== undefined && !/^file:(\.\.|\/|~)/.test(named);
}
