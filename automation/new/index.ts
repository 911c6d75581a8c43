import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { placeInProject } from "../../components/gather/project-file";
import { jsonData } from "../../components/base/json";
import { UsageFault } from "../fault";
import { isOfRegistry, namesVnfm } from "./origin";
import { CNF_PACKAGE, projectFiles, TYPESCRIPT_MAIN } from "./project";

/** Packages that compile a program: without them Pulumi takes a compiler of 2020, which cannot read vnfm's declarations. */
const COMPILER = ["@types/node", "typescript"] as const;

/** What is read of the package's package.json. */
interface Manifest {
  readonly version: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
  /** Also of the peers, in the versions that vnfm was tested with. */
  readonly devDependencies: Readonly<Record<string, string>>;
}

/**
 * Makes a project of one's own: a program of the whole stack, a CNF, what a pipeline runs. The stack config is written by
 * `init`. A package.json that is there stays.
 *
 * @param typescript whether the program is TypeScript
 * @returns what was written and what comes next, as lines
 * @throws UsageFault if a file is there already
 */
export function makeProject(
  given: string,
  { typescript }: { readonly typescript: boolean },
): readonly string[] {
  const folder = resolve(given);
  const name = basename(folder);
  if (!/^[A-Za-z0-9_.-]{1,100}$/.test(name))
    throw new UsageFault(
      `"${name}", the name of the folder, is none of a project: letters, digits, '-', '_' and '.'`,
    );
  const { version, peerDependencies, devDependencies } = jsonData(
    readFileSync(require.resolve("vnfm/package.json"), "utf8"),
    "package.json of vnfm",
  ) as Manifest;
  const tested = (names: readonly string[]) =>
    names.map((each) => [each, devDependencies[each] ?? ""] as const);
  const peers = tested(Object.keys(peerDependencies));
  const compiler = typescript ? tested(COMPILER) : [];
  const isPublished = isOfRegistry();
  const versions = { ...Object.fromEntries(peers), ...(isPublished && { vnfm: version }) };
  const request = { name, versions, ...(typescript && { compiler: Object.fromEntries(compiler) }) };
  const files = Object.entries(projectFiles(request));
  const isThere = (path: string): boolean => existsSync(join(folder, path));
  // npm has made it in a folder that vnfm was installed in before
  const mayBeThere = (path: string): boolean => path === "package.json";
  const inTheWay = [...files.map(([path]) => path), CNF_PACKAGE].filter(
    (path) => isThere(path) && !mayBeThere(path),
  );
  if (inTheWay.length > 0)
    throw new UsageFault(`${folder} has ${inTheWay.join(", ")} already: nothing is written`);
  const written = files.filter(([path]) => !isThere(path));
  const cnf = placeInProject(CNF_PACKAGE, folder);
  mkdirSync(folder, { recursive: true });
  for (const [path, text] of written) writeFileSync(join(folder, path), text, { flag: "wx" });
  chmodSync(join(folder, "pipeline.sh"), 0o755);
  cpSync(cnf, join(folder, CNF_PACKAGE), { recursive: true });
  return [
    `${folder} has ${[...written.map(([path]) => path), CNF_PACKAGE].join(", ")}`,
    ...nextSteps(
      peers.map((peer) => peer.join("@")),
      compiler.map((each) => each.join("@")),
      isPublished || namesVnfm(folder) ? undefined : `vnfm-${version}.tgz`,
    ),
  ];
}

/**
 * @param peers with their versions
 * @param compiler packages of it with their versions; none for JavaScript
 * @param tarball the file of a vnfm that other machines would not find. Undefined: they do
 */
function nextSteps(
  peers: readonly string[],
  compiler: readonly string[],
  tarball: string | undefined,
): string[] {
  const wanted = tarball === undefined ? peers : [`./${tarball}`, ...peers];
  return [
    ...(tarball === undefined
      ? []
      : [`this vnfm is of no registry: put ${tarball} into the project, where its pipeline finds it`]),
    "next, with the versions that this vnfm was tested with:",
    `  npm install --save-exact ${wanted.join(" ")}`,
    ...(compiler.length === 0
      ? []
      : [
          `  npm install --save-dev --save-exact ${compiler.join(" ")}`,
          `  npm pkg set main=${TYPESCRIPT_MAIN}`,
        ]),
    "  pulumi stack init STACK",
    `  npx vnfm init --stack STACK --cnf ${CNF_PACKAGE}`,
  ];
}
