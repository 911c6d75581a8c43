import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { didYouMean, oneOf } from "../../components/base/nearest";
import { UsageFault } from "../fault";

/** Folder of the examples. Those that are projects are the templates of `vnfm new`. */
const EXAMPLES = join(dirname(require.resolve("vnfm/package.json")), "examples");

/** Matches folders that are generated when an example is run in place. */
const MADE = /^(node_modules|venv|sdk|sdks)\//;

/** Names of the templates. */
export function templates(): readonly string[] {
  return readdirSync(EXAMPLES, { withFileTypes: true })
    .filter((entry) => existsSync(join(entry.parentPath, entry.name, "Pulumi.yaml")))
    .map(({ name }) => name)
    .sort();
}

/**
 * The files of a template by path, for a project with another name; its package.json is generated.
 * @throws UsageFault if there is no such template
 */
export function templateFiles(template: string, project: string): Readonly<Record<string, string>> {
  const known = templates();
  if (!known.includes(template))
    throw new UsageFault(`there is no template "${template}"; ${oneOf(known)}${didYouMean(template, known)}`);
  const folder = join(EXAMPLES, template);
  const texts = readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [relative(folder, path), path] as const)
    .filter(([name]) => !MADE.test(name))
    .map(([name, path]) => [name, readFileSync(path, "utf8")] as const);
  const own = Object.fromEntries(texts.filter(([name]) => name !== "package.json"));
  return { ...own, "Pulumi.yaml": (own["Pulumi.yaml"] ?? "").replace(/^name: .*$/m, `name: ${project}`) };
}
