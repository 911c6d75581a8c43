/**
 * Stacks with states in PostgreSQL and in an S3 bucket, in a project with the npm package: runs that are killed on
 * another machine and on this one, and two runs at the same time. The steps build on each other.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StackStatus } from "../../../automation";
import type { State } from "../../../automation/stack/state";
import { nameOfUrn } from "../../../automation/stack/steps";
import { clusterVnf } from "../../support/configs";
import { killedWhen } from "../../support/cut-off";
import { installProject, pack } from "../../support/foreign-project";
import { TestStack, type Command } from "../../support/stack";
import { postgres, s3, SECRET, type StateStore } from "../../support/state-stores";
import type { CommandResult } from "../../support/command";

jest.setTimeout(20 * 60_000);

let folder: string;
let tarball: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "vnfm-backends-"));
  tarball = await pack(folder);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the command for a run on a machine with another host name. */
const elsewhere = (command: Command): Command => [
  ...(["unshare", "--uts", "bash", "-c", 'hostname runner-7 && exec "$@"', "bash"] as const),
  ...command,
];

describe.each([
  ["postgres", postgres],
  ["s3", s3],
])("a stack in %s", (name, startStore) => {
  let store: StateStore;
  let stack: TestStack;

  beforeAll(async () => {
    store = await startStore();
    stack = await TestStack.create(
      `on-${name}`,
      { "vnf-a": clusterVnf(1) },
      { env: store.env, install: (project) => installProject(project, tarball) },
    );
  });

  afterAll(async () => {
    // after a failed test, the lock of a killed run may remain
    await stack?.must("cancel", "--yes", "--stack", stack.name);
    await stack?.remove();
    await store?.stop();
  });

  /** Runs `vnfm`, and expects that its output does not contain the password of the store. */
  async function vnfm(...args: string[]): Promise<CommandResult> {
    const result = await stack.vnfm(...args);
    for (const text of [result.stdout, result.stderr]) {
      expect(text).not.toContain(SECRET);
      expect(text).not.toContain(encodeURIComponent(SECRET));
    }
    return result;
  }

  async function status(): Promise<StackStatus> {
    return JSON.parse((await vnfm("status", "--json")).stdout) as StackStatus;
  }

  async function pending(): Promise<readonly string[]> {
    const { deployment } = JSON.parse(await stack.state()) as State;
    return (deployment.pending_operations ?? []).map(({ resource: { urn } }) => nameOfUrn(urn));
  }

  /** Kills an `up` while it creates this resource. */
  async function killedAt(resource: string, on = (command: Command) => command): Promise<void> {
    const isMade = async () => (await pending()).includes(resource);
    expect(await killedWhen(stack, on(stack.upCommand("--skip-preview")), isMade, 0)).toBeUndefined();
  }

  it("is held by a run that was cut off on another machine, until somebody says that it is dead", async () => {
    await killedAt("vnf-a-masterNode-1-server", elsewhere);
    const { heldBy } = await status();
    expect([heldBy?.user, heldBy?.host, heldBy?.verb]).toEqual(["root", "runner-7", undefined]);
    const refused = await vnfm("recover");
    expect([refused.status, refused.stdout]).toEqual([4, ""]);
    expect(refused.stderr).toMatch(
      /the stack is locked by process \d+ of root on runner-7 since \S+: wait for it, for example with --wait 10m; if that run has certainly ended, run 'vnfm recover --yes'/,
    );
    const { status: ended, stdout, stderr } = await vnfm("recover", "--yes");
    expect([ended, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^removed the lock of process \d+, which has ended$/m);
    expect(stdout).toMatch(
      /^vnf-a-masterNode-1-server: (found \S+; it is in the state now|cleared; it was not created)$/m,
    );
    expect(await pending()).toEqual([]);
    expect((await status()).heldBy).toBeUndefined();
  });

  it("is recovered without a question after a run that was cut off here, and the next one goes on", async () => {
    await killedAt("vnf-a-masterNode-1-init");
    const refused = await vnfm("scale", "vnf-a", "worker_instance=1", "--yes");
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringMatching(
        /process \d+ was interrupted while it had locked stack \S+: run 'vnfm recover' first/,
      ),
    ]);
    const { status: ended, stdout } = await vnfm("recover");
    expect([ended, stdout]).toEqual([
      0,
      expect.stringMatching(/^removed the lock of process \d+, which has ended$/m),
    ]);
    await stack.mustUp();
    expect(await stack.changes()).toEqual([]);
  });

  it("is worked on by one run at a time", async () => {
    const grow = () => vnfm("scale", "vnf-a", "worker_instance=+1", "--yes", "--wait", "10m");
    const [one, other] = await Promise.all([grow(), grow()]);
    expect([one.status, other.status, one.stderr, other.stderr]).toEqual([0, 0, "", ""]);
    const waiting = /^waiting: locked by process \d+ of root on \S+ since \S+( \(vnfm scale vnf-a\))?$/m;
    expect([one, other].some(({ stdout }) => waiting.test(stdout))).toBe(true);
    expect((await status()).vnfs.map(({ scale }) => scale)).toEqual([{ worker_instance: 2 }]);
  });

  it("has nothing left once it is terminated", async () => {
    expect((await vnfm("terminate", "vnf-a", "--yes")).status).toBe(0);
    expect(await stack.cloud.inventory()).toEqual([]);
  });
});
