/** The VNF package of the CNF in a new project, which contains a copy of it. */
export const CNF_PACKAGE = "vnf-packages/web-cnf";

/** Name of a project, and the versions of its packages. */
export interface ProjectRequest {
  readonly name: string;
  readonly versions: Readonly<Record<string, string>>;
  /** Versions of the compiler and its dependencies. Undefined: the program is JavaScript. */
  readonly compiler?: Readonly<Record<string, string>> | undefined;
  /** The files of a template. @default a program of the whole stack, and the files of a pipeline */
  readonly template?: Readonly<Record<string, string>> | undefined;
}

/** Entry point of a program in TypeScript, for `main` in package.json. */
export const TYPESCRIPT_MAIN = "index.ts";

/** The files of a new project by path, without its stack config and its VNF package. */
export function projectFiles(request: ProjectRequest): Readonly<Record<string, string>> {
  const { name, versions, compiler, template } = request;
  const manifest = {
    name: name.toLowerCase(),
    private: true,
    ...(compiler && { main: TYPESCRIPT_MAIN }),
    dependencies: versions,
    ...(compiler && { devDependencies: compiler }),
  };
  return {
    ...(template ?? {
      "Pulumi.yaml": `name: ${name}\ndescription: VNF instances on OpenStack and Kubernetes\nruntime: nodejs\n`,
    }),
    "package.json": asText(manifest),
    ...(template === undefined && programFiles(compiler !== undefined)),
    ".gitignore": GITIGNORE,
  };
}

function programFiles(isTypeScript: boolean): Readonly<Record<string, string>> {
  return {
    ...(isTypeScript
      ? { [TYPESCRIPT_MAIN]: TYPESCRIPT_PROGRAM, "tsconfig.json": asText(TSCONFIG) }
      : { "index.js": PROGRAM }),
    "pipeline.sh": PIPELINE,
  };
}

function asText(data: object): string {
  return `${JSON.stringify(data, undefined, 2)}\n`;
}

const PROGRAM = `// Creates the instances of vnfm:vnfs in the stack config, and exports their outputs.
module.exports = require("vnfm").stack();
`;

const TYPESCRIPT_PROGRAM = `// Creates the instances of vnfm:vnfs in the stack config, and exports their outputs.
import * as vnfm from "vnfm";

export = vnfm.stack();
`;

const TSCONFIG = {
  compilerOptions: {
    target: "es2022",
    module: "nodenext",
    moduleResolution: "nodenext",
    strict: true,
    noEmit: true,
    skipLibCheck: true,
  },
  files: [TYPESCRIPT_MAIN],
};

const GITIGNORE = `node_modules/
# of Python: the environment, and the SDK that is made of the plugin's schema
venv/
sdks/
# charts of Helm releases, by their content
.charts/
# the schema of the stack config, for editors
vnfm.schema.json
# as 'vnfm kubeconfig' writes them
*.kubeconfig
`;

const PIPELINE = `#!/bin/sh
# What a pipeline runs in this folder:
#   ./pipeline.sh preview STACK   for a proposed change: prints its effect as Markdown
#   ./pipeline.sh up STACK        for a merged change: applies it
#   ./pipeline.sh check STACK     every night: fails if something differs from the desired state
# Variables, from the secrets of the pipeline: PULUMI_BACKEND_URL, PULUMI_CONFIG_PASSPHRASE, and OS_* of the cloud.
set -eu
[ $# = 2 ] || { sed -n 's/^#   //p' "$0" >&2; exit 2; }
cd "$(dirname "$0")"
# the engine and its programs reach each other at 127.0.0.1, which no proxy of the environment leads to
no_proxy=\${no_proxy:-\${NO_PROXY:-}}
export no_proxy="\${no_proxy:+$no_proxy,}127.0.0.1,localhost"
npm ci >&2
case $1 in
  preview) npx --no vnfm preview --stack "$2" --format markdown ;;
  up) npx --no vnfm up --stack "$2" --yes ;;
  check)
    # each looks at something else, whatever the others find
    status=0
    npx --no vnfm preview --stack "$2" --expect-no-changes || status=$?
    pulumi refresh --stack "$2" --non-interactive --preview-only --expect-no-changes || status=$?
    npx --no vnfm check --stack "$2" --wait 30m || status=$?
    exit "$status"
    ;;
  *) echo "$0: '$1' is not one of preview, up, check" >&2; exit 2 ;;
esac
`;
