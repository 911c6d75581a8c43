import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { mustRun, REPOSITORY } from "./command";
import type { Release } from "./releases";
import type { TestStack } from "./stack";

interface Manifest {
  readonly devDependencies: Readonly<Record<string, string>>;
}

const { devDependencies } = JSON.parse(readFileSync(join(REPOSITORY, "package.json"), "utf8")) as Manifest;

/** Returns the installed version of a package, so that a new release of the package does not change a test. */
function version(name: string): string {
  const found = devDependencies[name];
  if (found === undefined) throw new Error(`package.json has no ${name}`);
  return found;
}

/** A project as by `pulumi new typescript`, whose program is a whole stack of vnfm. */
const FILES: Readonly<Record<string, string>> = {
  "Pulumi.yaml":
    "name: foreign\ndescription: A project of its own\nruntime:\n  name: nodejs\n  options:\n    packagemanager: npm\n",
  "package.json": JSON.stringify({
    name: "foreign",
    main: "index.ts",
    devDependencies: { "@types/node": version("@types/node"), typescript: version("typescript") },
    dependencies: {
      "@pulumi/kubernetes": version("@pulumi/kubernetes"),
      "@pulumi/pulumi": version("@pulumi/pulumi"),
    },
  }),
  "tsconfig.json": JSON.stringify({
    compilerOptions: {
      strict: true,
      outDir: "bin",
      target: "es2020",
      module: "nodenext",
      moduleResolution: "nodenext",
      sourceMap: true,
      experimentalDecorators: true,
      pretty: true,
      noFallthroughCasesInSwitch: true,
      noImplicitReturns: true,
      forceConsistentCasingInFileNames: true,
    },
    files: ["index.ts"],
  }),
  "index.ts": 'import * as vnfm from "vnfm";\n\nexport = vnfm.stack();\n',
};

/**
 * Packs the npm package of vnfm into a folder.
 *
 * @param checkout folder of a checkout with its packages installed
 * @returns the path of the tarball
 */
export async function pack(folder: string, checkout = REPOSITORY): Promise<string> {
  const args = ["pack", "--ignore-scripts=false", "--silent", "--pack-destination", folder];
  return join(folder, (await mustRun("npm", args, { cwd: checkout })).trim().split("\n").at(-1) ?? "");
}

/**
 * Packs the npm package of a release into a folder, from a checkout of its commit there.
 *
 * @returns the path of the tarball
 */
export async function packRelease({ commit }: Release, folder: string): Promise<string> {
  const checkout = join(folder, "checkout");
  mkdirSync(checkout);
  await mustRun("bash", ["-c", 'git archive "$1" | tar -x -C "$2"', "bash", commit, checkout]);
  await mustRun("npm", ["ci", "--silent"], { cwd: checkout });
  return pack(folder, checkout);
}

/** Writes a user's project into a folder, without its packages. */
export function writeProject(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(FILES)) writeFileSync(join(folder, file), text);
}

/** Writes a user's project into a folder, and installs vnfm there from the tarball. */
export async function installProject(folder: string, tarball: string): Promise<void> {
  writeProject(folder);
  await installVnfm(folder, tarball);
}

/** Runs the command line of the vnfm that is installed in the project of a stack, which must succeed. */
export function installedVnfm(stack: TestStack, ...args: readonly string[]): Promise<string> {
  const command = ["npx", "vnfm", ...args, "--stack", stack.name];
  return mustRun(join(REPOSITORY, "toolchain/with-engine.sh"), command, {
    cwd: stack.folder,
    env: stack.env,
  });
}

/** Installs vnfm from a tarball in a user's project, in place of an earlier version. */
export async function installVnfm(folder: string, tarball: string): Promise<void> {
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", tarball];
  await mustRun("npm", args, { cwd: folder });
}
