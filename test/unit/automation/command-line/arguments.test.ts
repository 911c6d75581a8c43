import { readArguments } from "../../../../automation/command-line/arguments";
import { helpOf } from "../../../../automation/command-line/help";
import { COMMANDS } from "../../../../automation/commands";
import { DEFAULT_VERSIONS } from "../../../../automation/cluster-api/releases";

const read = (line: string): { readonly command: string } => {
  const { command, request } = readArguments(line.split(" ").filter(Boolean), COMMANDS);
  return { ...request, command };
};

it.each([
  ["status", { command: "status", json: false }],
  [
    "adopt tenant Cluster/tenant --vim vnf-a --namespace t",
    {
      command: "adopt",
      vnf: "tenant",
      request: { objects: ["Cluster/tenant"], namespace: "t", vim: "vnf-a" },
      yes: false,
      json: false,
      wait: 0,
    },
  ],
  ["init -y", { command: "init", request: { answers: {}, yes: true, overwrite: false } }],
  [
    "init --external-network e --node-image i --master-flavor m --worker-flavor w --overwrite -s site-1",
    {
      command: "init",
      request: {
        answers: {
          ...{ network: "new", "external-network": "e", "node-image": "i" },
          ...{ "master-flavor": "m", "worker-flavor": "w" },
        },
        yes: false,
        overwrite: true,
      },
      stack: "site-1",
    },
  ],
  ["preview", { command: "preview", json: false, format: "text", "expect-no-changes": false }],
  [
    "preview --format markdown --expect-no-changes",
    { command: "preview", json: false, format: "markdown", "expect-no-changes": true },
  ],
  ["topology", { command: "topology", format: "text" }],
  ["topology --format svg -s site-1", { command: "topology", format: "svg", stack: "site-1" }],
  ["status vnf-a --json -s site-1", { command: "status", vnf: "vnf-a", json: true, stack: "site-1" }],
  [
    "scale vnf-a a=2 b=+1 c=-3 --yes",
    {
      command: "scale",
      vnf: "vnf-a",
      levels: [
        { aspect: "a", level: 2 },
        { aspect: "b", by: 1 },
        { aspect: "c", by: -3 },
      ],
      yes: true,
      json: false,
      wait: 0,
    },
  ],
  [
    "heal v w-1 w-2 w-1",
    { command: "heal", vnf: "v", vnfcs: ["w-1", "w-2"], yes: false, json: false, wait: 0 },
  ],
  [
    "rotate v ssh_key certificates",
    { command: "rotate", vnf: "v", secrets: ["ssh_key", "certificates"], yes: false, json: false, wait: 0 },
  ],
  ["heal v w-1 -y", { command: "heal", vnf: "v", vnfcs: ["w-1"], yes: true, json: false, wait: 0 }],
  [
    "upgrade v --to v1.34.4 --image w=x=y --image m=z --batch 3 --surge 1 -y",
    {
      command: "upgrade",
      vnf: "v",
      request: { to: "v1.34.4", images: { w: "x=y", m: "z" }, batch: 3, surge: 1 },
      yes: true,
      json: false,
      wait: 0,
    },
  ],
  [
    "upgrade v --image w=x",
    {
      command: "upgrade",
      vnf: "v",
      request: { images: { w: "x" } },
      yes: false,
      json: false,
      wait: 0,
    },
  ],
  [
    "upgrade v --package next",
    {
      command: "upgrade",
      vnf: "v",
      request: { package: "next" },
      yes: false,
      json: false,
      wait: 0,
    },
  ],
  [
    "upgrade v --template kube-1.34 --template kube-1.35",
    {
      command: "upgrade",
      vnf: "v",
      request: { templates: ["kube-1.34", "kube-1.35"] },
      yes: false,
      json: false,
      wait: 0,
    },
  ],
  [
    "release v a b a",
    { command: "release", vnf: "v", volumes: ["a", "b"], yes: false, json: false, wait: 0 },
  ],
  [
    "package cluster-api --from /mirror --core v1.14.0",
    {
      command: "package",
      versions: { ...DEFAULT_VERSIONS, core: "v1.14.0" },
      from: "/mirror",
      into: "vnf-packages/cluster-api",
    },
  ],
  [
    "terminate v -y --wait 10m",
    { command: "terminate", vnf: "v", all: false, yes: true, json: false, wait: 600 },
  ],
  ["terminate --all", { command: "terminate", all: true, yes: false, json: false, wait: 0 }],
  ["up -y", { command: "up", yes: true, json: false, wait: 0 }],
  ["recover --wait 2h --yes", { command: "recover", wait: 7200, yes: true }],
  ["check --wait 1m", { command: "check", json: false, wait: 60 }],
  ["check vnf-a --json", { command: "check", vnf: "vnf-a", json: true, wait: 0 }],
  ["mend", { command: "mend", yes: false, json: false, wait: 0 }],
  ["mend vnf-a -y -s dev", { command: "mend", vnf: "vnf-a", yes: true, json: false, wait: 0, stack: "dev" }],
  ["ssh v w-1 -s dev", { command: "ssh", vnf: "v", vnfc: "w-1", run: [], stack: "dev" }],
  ["ssh v w-1 -- crictl ps -a", { command: "ssh", vnf: "v", vnfc: "w-1", run: ["crictl", "ps", "-a"] }],
  ["kubeconfig v", { command: "kubeconfig", vnf: "v", merge: false }],
  ["--stack dev recover", { command: "recover", stack: "dev", wait: 0, yes: false }],
  ["recover --stack dev", { command: "recover", stack: "dev", wait: 0, yes: false }],
  ["schema", { command: "schema" }],
  ["schema preview", { command: "schema", document: "preview" }],
  ["convert magnum a.json b.json", { command: "convert", from: "magnum", files: ["a.json", "b.json"] }],
  ["convert capi-helm values.yaml", { command: "convert", from: "capi-helm", files: ["values.yaml"] }],
])("the command line reads %s", (line, invocation) => {
  expect(read(line)).toEqual(invocation);
});

it.each([
  ["", "usage: vnfm COMMAND ..."],
  ["grow", 'there is no command "grow"'],
  ["scal v a=1", 'there is no command "scal"; did you mean "scale"?'],
  ["constructor", 'there is no command "constructor"'],
  ["status a b", 'unexpected argument "b"'],
  ["convert magnum", "FILE is missing"],
  ["convert heat a.json", '"heat" is not magnum, capo, capi-helm'],
  ["schema dev", '"dev" is not preview'],
  ["mend a b", 'unexpected argument "b"'],
  ["check --yes", "--yes is not an option of this command"],
  ["status --yes", "--yes is not an option of this command"],
  ["status --force", "Unknown option '--force'"],
  ["scale v", "ASPECT=LEVEL is missing"],
  ["release v", "VOLUME is missing"],
  ["scale v a", '"a" is not an ASPECT=LEVEL, such as worker_instance=2'],
  ["scale v a=1.5", '"a=1.5" is not an ASPECT=LEVEL'],
  ["scale v a=1 a=2", "a appears twice"],
  ["heal v", "VNFC is missing"],
  ["upgrade", "VNF is missing"],
  ["upgrade v", "use one or more of --to VERSION, --package PATH and --image VDU=NAME, or --template NAME"],
  ["upgrade v --to 1.34.4", '--to: "1.34.4" is not a version, such as v1.34.4'],
  ["upgrade v --image x", '--image: "x" is not a VDU=NAME'],
  ["upgrade v --to v1.34.4 --batch 0", '--batch: "0" is not a number of at least 1'],
  ["upgrade v --to v1.34.4 --surge=-1", '--surge: "-1" is not a number of at least 0'],
  ["heal v w-1 --to v1.34.4", "--to is not an option of this command"],
  ["package web", '"web" is not cluster-api'],
  ["package cluster-api --core 1.13", '--core: "1.13" is not a version, such as v1.13.4'],
  ["adopt tenant", "KIND/NAME is missing"],
  ["adopt tenant web", '"web" is not a KIND/NAME, such as Deployment/web'],
  ["init v", 'unexpected argument "v"'],
  ["init --network n --external-network e", "--external-network is for a new network: remove --network"],
  ["preview --format html", '--format: "html" is not text or markdown'],
  ["topology v", 'unexpected argument "v"'],
  ["topology --format png", '--format: "png" is not one of mermaid, svg, text'],
  ["recover v", 'unexpected argument "v"'],
  ["mend --wait 10", '--wait: "10" is not a duration, such as 90s, 10m or 2h'],
  ["status --wait 1m", "--wait is not an option of this command"],
  ["upgrade v --template a --batch 2", "--template excludes"],
  ["rotate v certificate", '"certificate" is not one of'],
])("the command line refuses '%s'", (line, message) => {
  expect(() => read(line)).toThrow(message);
});

it("helps, with each command too", () => {
  const text = (line: string): unknown => Reflect.get(read(line), "text");
  expect(text("--help")).toContain("COMMAND --help");
  expect(text("scale --help")).toBe(`usage: vnfm scale VNF ASPECT=LEVEL... [OPTION...]

  sets scale levels; +N and -N change them by N

  vnfm scale vnf-a worker_instance=2
  vnfm scale vnf-a worker_instance=+1 --stack site-1 --yes

  -s, --stack NAME             the stack; default: the selected one
      --json                   print one JSON document to standard output, and nothing else
  -y, --yes                    do not prompt; fail if anything would be deleted or replaced that was not requested
      --wait TIME              how long to wait if another run has locked the stack, such as 90s, 10m or 2h; default: do not wait
  -h, --help                   shows this help

Exit status: 0 done, 1 failed, 2 wrong usage, 3 rejected and nothing changed, 4 another run has locked
the stack, 5 something differs from the desired state, or changes although no change was expected.
`);
});

describe.each(COMMANDS.map((command) => [command.name, command] as const))(
  "the help of %s",
  (name, command) => {
    it("has examples that are read as this command", () => {
      expect(command.examples.map((example) => read(example).command)).toEqual(
        command.examples.map(() => name),
      );
    });

    it("has a summary of one line, and lines for a terminal", () => {
      expect(command.summary).not.toContain("\n");
      const long = helpOf(command)
        .split("\n")
        .filter((line) => line.length > 140);
      expect(long).toEqual([]);
    });
  },
);
