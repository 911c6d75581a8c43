import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { placeInProject } from "../../components/gather/project-file";
import { jsonData } from "../../components/base/json";
import { UsageFault } from "../fault";
import { isOfRegistry, namesVnfm } from "./origin";
import { CNF_PACKAGE, projectFiles, TYPESCRIPT_MAIN } from "./project";
import { templateFiles } from "./template";

/**
 * Packages for compiling a program. Without them Pulumi uses its compiler of 2020, which cannot parse vnfm's
 * declarations.
 */
const COMPILER = ["@types/node", "typescript"] as const;

/** Fields of the package's package.json. */
interface Manifest {
  readonly version: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
  /** Tested versions of all dependencies, including peer dependencies. */
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** Options of `vnfm new`. */
export interface ProjectOptions {
  /** True for a program in TypeScript. @default in JavaScript */
  readonly typescript?: boolean;
  /** Name of an example to copy instead. */
  readonly template?: string | undefined;
}

/**
 * Creates a new project: a program of the whole stack, a CNF, and the files of a pipeline; the stack config is written
 * by `init`. With a template it copies an example. An existing package.json stays.
 * @returns the result and the next steps, as lines
 * @throws UsageFault if a file exists already
 */
export function makeProject(
  location: string,
  { typescript = false, template }: ProjectOptions = {},
): readonly string[] {
  const folder = resolve(location);
  const name = basename(folder);
  if (!/^[A-Za-z0-9_.-]{1,100}$/.test(name))
    throw new UsageFault(
      `"${name}", the name of the folder, is not a project name: use letters, digits, '-', '_' and '.'`,
    );
  const { version, peerDependencies, devDependencies } = jsonData(
    readFileSync(require.resolve("vnfm/package.json"), "utf8"),
    "package.json of vnfm",
  ) as Manifest;
  const tested = (names: readonly string[]) =>
    names.map((each) => [each, devDependencies[each] ?? ""] as const);
  const peers = tested(Object.keys(peerDependencies));
  const copied = template === undefined ? undefined : templateFiles(template, name);
  const isTypeScript = typescript || copied?.[TYPESCRIPT_MAIN] !== undefined;
  const compiler = isTypeScript ? tested(COMPILER) : [];
  const isPublished = isOfRegistry();
  const versions = { ...Object.fromEntries(peers), ...(isPublished && { vnfm: version }) };
  const request = {
    ...{ name, versions, template: copied },
    ...(isTypeScript && { compiler: Object.fromEntries(compiler) }),
  };
  const files = Object.entries(projectFiles(request));
  const folders = template === undefined ? [CNF_PACKAGE] : [];
  const isThere = (path: string): boolean => existsSync(join(folder, path));
  // npm has created it in a folder where vnfm was installed before
  const mayBeThere = (path: string): boolean => path === "package.json";
  const inTheWay = [...files.map(([path]) => path), ...folders].filter(
    (path) => isThere(path) && !mayBeThere(path),
  );
  if (inTheWay.length > 0)
    throw new UsageFault(`${folder} already has ${inTheWay.join(", ")}: nothing was written`);
  const written = files.filter(([path]) => !isThere(path));
  for (const [path, text] of written) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, { flag: "wx", mode: path === "pipeline.sh" ? 0o777 : 0o666 });
  }
  for (const path of folders) cpSync(placeInProject(path, folder), join(folder, path), { recursive: true });
  return [
    `${folder} has ${[...written.map(([path]) => path), ...folders].join(", ")}`,
    ...nextSteps(
      peers.map((peer) => peer.join("@")),
      compiler.map((each) => each.join("@")),
      isPublished || namesVnfm(folder) ? undefined : `vnfm-${version}.tgz`,
    ),
    ...(template === undefined
      ? ["  pulumi stack init STACK", `  npx vnfm init --stack STACK --cnf ${CNF_PACKAGE}`]
      : ["README.md of the project describes the next steps"]),
  ];
}

/**
 * @param peers peer dependencies with their versions
 * @param compiler packages of the compiler with their versions; none for JavaScript
 * @param tarball file of a local vnfm, which other machines do not have. Undefined: vnfm comes from a registry
 */
function nextSteps(
  peers: readonly string[],
  compiler: readonly string[],
  tarball: string | undefined,
): string[] {
  const packages = tarball === undefined ? peers : [`./${tarball}`, ...peers];
  return [
    ...(tarball === undefined
      ? []
      : [
          `this vnfm does not come from a registry: put ${tarball} into the project, so that its pipeline finds it`,
        ]),
    "next, with the versions that this vnfm was tested with:",
    `  npm install --save-exact ${packages.join(" ")}`,
    ...(compiler.length === 0
      ? []
      : [
          `  npm install --save-dev --save-exact ${compiler.join(" ")}`,
          `  npm pkg set main=${TYPESCRIPT_MAIN}`,
        ]),
  ];
}
