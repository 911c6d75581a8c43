/**
 * The command line `vnfm` with a VNF of plain servers: scale out and in, status, errors, two runs at the same time. The
 * steps build on each other.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Change } from "../../../automation/changes/changes";
import type { StackStatus } from "../../../automation/stack/status";
import type { CommandResult } from "../../support/command";
import { TestStack } from "../../support/stack";

jest.setTimeout(10 * 60 * 1000);

const STACK = "command-line";
const VNF = "plain";

/** Servers of the cluster package, without a cluster on them. */
const SERVERS = {
  package: "vnf-packages/kubernetes-cluster",
  flavour: "simple",
  scale: { worker_instance: 0 },
  extVirtualLinks: { masterNode_CP1: { network: "public" }, workerNode_CP2: { network: "public" } },
};

type Reported = Pick<Change, "action" | "subject" | "text"> & { readonly requested: boolean };

interface Report {
  readonly result: string;
  readonly changes: readonly Reported[];
  readonly message?: string;
}

let stack: TestStack;

beforeAll(async () => {
  stack = await TestStack.create(STACK, { [VNF]: SERVERS });
  await stack.mustUp();
});

afterAll(async () => {
  await stack?.remove();
});

const vnfm = (...args: string[]): Promise<CommandResult> => stack.vnfm(...args);
const configFile = () => join(stack.folder, `Pulumi.${STACK}.yaml`);
const readConfig = () => readFileSync(configFile(), "utf8");

/** Edits the stack config directly, without the command line. */
function edit(from: string, to: string): void {
  const before = readConfig();
  if (!before.includes(from)) throw new Error(`the stack config has no ${from}`);
  writeFileSync(configFile(), before.replace(from, to));
}

async function status(): Promise<StackStatus> {
  return JSON.parse((await vnfm("status", VNF, "--json")).stdout) as StackStatus;
}

const vnfcsOf = ({ vnfs }: StackStatus) => vnfs[0]?.vnfcs.map(({ vnfc, state }) => `${vnfc} ${state}`);

it("the command line scales out, and says what happens", async () => {
  edit("    worker_instance: 0", "    worker_instance: 0 # as few as can be");
  const before = readConfig();
  const { status: exit, stdout, stderr } = await vnfm("scale", VNF, "worker_instance=+1", "--yes");
  expect([stderr, exit]).toEqual(["", 0]);
  expect(stdout.split("\n")).toEqual([
    `${VNF}: workerNode-2 is added`,
    `${VNF}: masterNode-1, workerNode-1 stay`,
    "nothing else changes",
    expect.stringMatching(/^plain: workerNode-2: server made \(\d+ s\)$/),
    expect.stringMatching(/^done in \d+ s$/),
    "",
  ]);
  expect(readConfig()).toBe(before.replace("worker_instance: 0 #", "worker_instance: 1 #"));
});

it("the command line shows what is there", async () => {
  const found = await status();
  expect(found).toEqual({
    stack: `organization/vnfm/${STACK}`,
    vnfs: [
      {
        vnf: VNF,
        instantiationState: "INSTANTIATED",
        vnfState: "STARTED",
        flavour: "simple",
        scale: { worker_instance: 1 },
        vnfcs: ["masterNode-1", "workerNode-1", "workerNode-2"].map((vnfc) => ({
          vnfc,
          state: "there",
          serverId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
          addresses: expect.any(Object) as object,
        })),
      },
    ],
  });
  const { stdout } = await vnfm("status");
  expect(stdout).toContain(`${VNF}: STARTED, flavour simple, scale worker_instance=1\n`);
});

it("the command line shows what the next run changes, for a comment on a pull request too", async () => {
  expect(await vnfm("preview", "--expect-no-changes")).toEqual({
    status: 0,
    stdout: "nothing changes\n",
    stderr: "",
  });
  edit("worker_instance: 1 #", "worker_instance: 2 #");
  const { status: exit, stdout } = await vnfm("preview", "--format", "markdown", "--expect-no-changes");
  edit("worker_instance: 2 #", "worker_instance: 1 #");
  expect([exit, stdout]).toEqual([
    5,
    `### organization/vnfm/${STACK}: 1 change

\`\`\`diff
+ ${VNF}: workerNode-3 is added
  ${VNF}: masterNode-1, workerNode-1, workerNode-2 stay
  nothing else changes
\`\`\`
`,
  ]);
});

it("the command line refuses what was not asked for, and leaves the stack config as it is", async () => {
  // another network replaces the ports, and with them their servers
  const other = "11111111-1111-1111-1111-111111111111";
  edit("masterNode_CP1:\n          network: public", `masterNode_CP1:\n          network: ${other}`);
  const before = readConfig();
  const { status: exit, stdout } = await vnfm("scale", VNF, "worker_instance=2", "--yes", "--json");
  expect(exit).toBe(3);
  const { result, changes } = JSON.parse(stdout) as Report;
  expect(result).toBe("refused");
  expect(changes.filter(({ requested }) => !requested).map(({ subject }) => subject.vnfc)).toContain(
    "masterNode-1",
  );
  expect(changes.find(({ subject }) => subject.vnfc === "workerNode-3")).toMatchObject({
    action: "create",
    requested: true,
  });
  expect(readConfig()).toBe(before);
  edit(`network: ${other}`, "network: public");
});

it("the command line does not ask where nobody can answer", async () => {
  const { status: exit, stderr } = await vnfm("scale", VNF, "worker_instance=0");
  expect([exit, stderr]).toEqual([2, expect.stringContaining("use --yes")]);
});

it("the command line shows the faults of what is asked for, and changes nothing", async () => {
  const before = readConfig();
  const { status: exit, stderr } = await vnfm("scale", VNF, "worker_instance=999", "--yes");
  expect([exit, stderr]).toEqual([1, expect.stringContaining("is above the VNFD's max_scale_level")]);
  expect((await vnfm("scale", VNF, "worker=1", "--yes")).status).toBe(2);
  expect(readConfig()).toBe(before);
});

it("the status says who holds the stack", async () => {
  const locks = join(stack.folder, ".pulumi/locks/organization/vnfm", STACK);
  const first = vnfm("scale", VNF, "worker_instance=3", "--yes");
  let ended = false;
  void first.finally(() => (ended = true));
  // the folder of locks stays after a run
  const isLocked = () => readdirSync(locks).some((file) => file.endsWith(".json"));
  while (!ended && !isLocked()) await sleep(50);
  const [second, shown] = await Promise.all([
    vnfm("scale", VNF, "worker_instance=2", "--yes", "--json"),
    vnfm("status", VNF, "--json"),
  ]);
  expect(second.status).toBe(4);
  const { result, message } = JSON.parse(second.stdout) as Report;
  expect([result, message]).toEqual(["held", expect.stringMatching(/is locked by process \d+ of \w+ on /)]);
  expect((JSON.parse(shown.stdout) as StackStatus).heldBy).toMatchObject({
    pid: expect.any(Number) as number,
    verb: `vnfm scale ${VNF}`,
  });
  expect((await first).status).toBe(0);
});

it("the command line scales in, which its own VNFCs may go for", async () => {
  const { status: exit, stdout, stderr } = await vnfm("scale", VNF, "worker_instance=0", "--yes", "--json");
  expect(exit).toBe(0);
  const { result, changes } = JSON.parse(stdout) as Report;
  expect(result).toBe("done");
  expect(changes).toEqual(
    ["workerNode-2", "workerNode-3", "workerNode-4"].map((vnfc) => ({
      action: "delete",
      text: `${vnfc}: its server is deleted`,
      requested: true,
      subject: { vnf: VNF, vnfc, kind: "vnfc", key: "" },
      parts: [
        ["command", "host-key"],
        ["port", "workerNode_CP2"],
        ["server", ""],
      ].map(([kind, key]) => ({ action: "delete", subject: { vnf: VNF, vnfc, kind, key } })),
    })),
  );
  expect(stderr).toMatch(/^plain: workerNode-4: server deleted \(\d+ s\)$/m);
  expect(vnfcsOf(await status())).toEqual(["masterNode-1 there", "workerNode-1 there"]);
});

it("the command line has left nothing to do for pulumi", async () => {
  expect(await stack.changes()).toEqual([]);
});
