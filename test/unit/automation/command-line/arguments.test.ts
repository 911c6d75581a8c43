import { readArguments } from "../../../../automation/command-line/arguments";
import { DEFAULT_VERSIONS } from "../../../../automation/cluster-api/releases";

const read = (line: string) => readArguments(line.split(" ").filter(Boolean));

it.each([
  ["status", { command: "status", json: false }],
  [
    "adopt tenant Cluster/tenant --vim vnf-a --namespace t",
    {
      command: "adopt",
      vnf: "tenant",
      request: { objects: ["Cluster/tenant"], namespace: "t", vim: "vnf-a", into: "vnf-packages/tenant" },
      yes: false,
      json: false,
    },
  ],
  ["init -y", { command: "init", request: { given: {}, yes: true, overwrite: false } }],
  [
    "init --external-network e --node-image i --master-flavor m --worker-flavor w --overwrite -s site-1",
    {
      command: "init",
      request: {
        given: {
          ...{ network: "new", "external-network": "e", "node-image": "i" },
          ...{ "master-flavor": "m", "worker-flavor": "w" },
        },
        yes: false,
        overwrite: true,
      },
      stack: "site-1",
    },
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
    },
  ],
  ["heal v w-1 w-2 w-1", { command: "heal", vnf: "v", vnfcs: ["w-1", "w-2"], yes: false, json: false }],
  [
    "rotate v ssh_key certificates",
    { command: "rotate", vnf: "v", secrets: ["ssh_key", "certificates"], yes: false, json: false },
  ],
  ["heal v w-1 -y", { command: "heal", vnf: "v", vnfcs: ["w-1"], yes: true, json: false }],
  [
    "upgrade v --to v1.34.4 --image w=x=y --image m=z --batch 3 --surge 1 -y",
    {
      command: "upgrade",
      vnf: "v",
      request: { to: "v1.34.4", images: { w: "x=y", m: "z" }, batch: 3, surge: 1 },
      yes: true,
      json: false,
    },
  ],
  [
    "upgrade v --image w=x",
    {
      command: "upgrade",
      vnf: "v",
      request: { images: { w: "x" }, batch: 1, surge: 0 },
      yes: false,
      json: false,
    },
  ],
  [
    "upgrade v --package next",
    {
      command: "upgrade",
      vnf: "v",
      request: { package: "next", images: {}, batch: 1, surge: 0 },
      yes: false,
      json: false,
    },
  ],
  [
    "upgrade v --template kube-1.34 --template kube-1.35",
    {
      command: "upgrade",
      vnf: "v",
      request: { templates: ["kube-1.34", "kube-1.35"], images: {}, batch: 1, surge: 0 },
      yes: false,
      json: false,
    },
  ],
  ["release v a b a", { command: "release", vnf: "v", volumes: ["a", "b"], yes: false, json: false }],
  [
    "package cluster-api --from /mirror --core v1.14.0",
    {
      command: "package",
      request: {
        versions: { ...DEFAULT_VERSIONS, core: "v1.14.0" },
        from: "/mirror",
        into: "vnf-packages/cluster-api",
      },
    },
  ],
  ["check", { command: "check", json: false }],
  ["check vnf-a --json", { command: "check", vnf: "vnf-a", json: true }],
  ["mend", { command: "mend", yes: false, json: false }],
  ["mend vnf-a -y -s dev", { command: "mend", vnf: "vnf-a", yes: true, json: false, stack: "dev" }],
  ["ssh v w-1 -s dev", { command: "ssh", vnf: "v", vnfc: "w-1", run: [], stack: "dev" }],
  ["ssh v w-1 -- crictl ps -a", { command: "ssh", vnf: "v", vnfc: "w-1", run: ["crictl", "ps", "-a"] }],
  ["recover --stack dev", { command: "recover", stack: "dev" }],
  ["schema", { command: "schema" }],
  ["convert magnum a.json b.json", { command: "convert", files: ["a.json", "b.json"] }],
])("reads %s", (line, invocation) => {
  expect(read(line)).toEqual(invocation);
});

it.each([
  ["", "usage: npm run vnfm -- COMMAND ..."],
  ["grow", 'there is no command "grow"'],
  ["constructor", 'there is no command "constructor"'],
  ["status a b", '"b" is one word too many'],
  ["convert magnum", "it takes magnum and files"],
  ["convert heat a.json", "it takes magnum and files"],
  ["schema dev", '"dev" is one word too many'],
  ["mend a b", '"b" is one word too many'],
  ["check --yes", "--yes is not for this command"],
  ["status --yes", "--yes is not for this command"],
  ["status --force", "Unknown option '--force'"],
  ["scale v", "it takes a VNF and scale levels"],
  ["release v", "it takes a VNF and PersistentVolumes of its cluster"],
  ["scale v a", '"a" is no ASPECT=LEVEL, such as worker_instance=2'],
  ["scale v a=1.5", '"a=1.5" is no ASPECT=LEVEL'],
  ["scale v a=1 a=2", "a is given twice"],
  ["heal v", "it takes a VNF and its VNFCs"],
  ["upgrade", "it takes a VNF"],
  ["upgrade v", "give --to VERSION, --package PATH, --image VDU=NAME or some of them"],
  ["upgrade v --to 1.34.4", '--to: "1.34.4" is no version, such as v1.34.4'],
  ["upgrade v --image x", '--image: "x" is no VDU=NAME'],
  ["upgrade v --to v1.34.4 --batch 0", '--batch: "0" is no number of 1 or more'],
  ["upgrade v --to v1.34.4 --surge=-1", '--surge: "-1" is no number of 0 or more'],
  ["heal v w-1 --to v1.34.4", "--to is not for this command"],
  ["package web", "it takes cluster-api"],
  ["package cluster-api --core 1.13", '--core: "1.13" is no version, such as v1.13.4'],
  ["adopt tenant", "it takes a VNF and objects"],
  ["adopt tenant web", '"web" is no KIND/NAME, such as Deployment/web'],
  ["init v", '"v" is one word too many'],
  [
    "init --network n --external-network e",
    "--external-network goes with a new network: leave --network out",
  ],
  ["topology v", '"v" is one word too many'],
  ["topology --format png", '--format: "png" is not one of mermaid, svg, text'],
  ["recover v", '"v" is one word too many'],
])("refuses '%s'", (line, message) => {
  expect(() => read(line)).toThrow(message);
});

it("helps, with each command too", () => {
  expect(read("--help")).toEqual({
    command: "help",
    text: expect.stringContaining("COMMAND --help") as string,
  });
  const scale = read("scale --help");
  expect(scale).toEqual({ command: "help", text: expect.stringContaining("ASPECT=LEVEL...") as string });
});
