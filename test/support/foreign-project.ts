import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mustRun, REPOSITORY, run, type CommandResult } from "./command";

interface Manifest {
  readonly devDependencies: Readonly<Record<string, string>>;
}

const { devDependencies } = JSON.parse(readFileSync(join(REPOSITORY, "package.json"), "utf8")) as Manifest;

/** Of a package as it is installed in the repository, so that a test does not depend on what was released today. */
function version(name: string): string {
  const found = devDependencies[name];
  if (found === undefined) throw new Error(`package.json has no ${name}`);
  return found;
}

/** The project that `pulumi new typescript` makes, whose program is the whole stack. */
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

/** Packs the package into a folder. @returns the tarball */
export async function pack(folder: string): Promise<string> {
  const args = ["pack", "--ignore-scripts=false", "--silent", "--pack-destination", folder];
  return join(folder, (await mustRun("npm", args)).trim().split("\n").at(-1) ?? "");
}

/** A Pulumi project of somebody else in a folder outside of the repository, with the packed package installed. */
export class ForeignProject {
  private constructor(readonly folder: string) {}

  static async create(tarball: string): Promise<ForeignProject> {
    const project = new ForeignProject(mkdtempSync(join(tmpdir(), "vnfm-foreign-")));
    for (const [file, text] of Object.entries(FILES)) project.write(file, text);
    await project.must("npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", tarball);
    return project;
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  run(program: string, ...args: readonly string[]): Promise<CommandResult> {
    return run(program, args, { cwd: this.folder });
  }

  /** As `run`, for a command that has to succeed. @returns its standard output */
  must(program: string, ...args: readonly string[]): Promise<string> {
    return mustRun(program, args, { cwd: this.folder });
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
