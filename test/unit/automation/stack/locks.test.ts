/** Who holds a stack, by the locks of its backend. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { holderOf, describeHolder } from "../../../../automation/stack/lock";
import { isHeld, locksIn, readLocks } from "../../../../automation/stack/locks";
import type { Lock } from "../../../../automation/stack/file-backend";
import { commandLine } from "../../../../automation/stack/processes";
import type { PulumiStack } from "../../../../automation/stack/pulumi";
import { until } from "../../../support/until";

const folder = mkdtempSync(join(tmpdir(), "vnfm-locks-"));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (path: string, text: string): string => {
  const file = join(folder, ".pulumi", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};

const lock: Lock = {
  pid: process.pid,
  username: "u",
  hostname: hostname(),
  timestamp: "2026-01-01T00:00:00Z",
};

it("vnfm takes a lock of a dead process, or of a number that another program has, as free", async () => {
  const child = spawn("true");
  const pid = child.pid ?? 0;
  await once(child, "exit");
  expect(isHeld({ ...lock, pid })).toBe(false);
  expect(isHeld(lock)).toBe(!existsSync("/proc"));
});

describe("the engine's words about locks", () => {
  const line = (owner: string) => `  s3://b/l.json: created by ${owner} (pid 7) at 2026-01-01T00:00:00Z\n`;

  it("name each lock; a user's name may have an @", () => {
    const by = { pid: 7, timestamp: "2026-01-01T00:00:00Z" };
    expect(locksIn(`locked by 2 lock(s)\n${line("ops@ci-1")}${line("a@corp.example@host")}`)).toEqual([
      { ...by, username: "ops", hostname: "ci-1" },
      { ...by, username: "a@corp.example", hostname: "host" },
    ]);
    expect(locksIn(`${line("@host")}${line("ops@")}${line("ops")}`)).toEqual([]);
  });

  it("take time in proportion to their length", () => {
    const begun = performance.now();
    expect(locksIn(`created by ${"@".repeat(200_000)}`)).toEqual([]);
    expect(performance.now() - begun).toBeLessThan(2000);
  });
});

it("vnfm says who holds a stack and at what", async () => {
  const { pid, username, hostname: host, timestamp } = lock;
  const holder = { pid, user: username, host, since: timestamp };
  const stack = {
    folder,
    backend: `file://${folder}`,
    qualifiedName: "organization/vnfm/held",
  } as PulumiStack;
  const held = (by: object) => {
    write("locks/organization/vnfm/held/1.json", JSON.stringify({ ...lock, ...by }));
    return holderOf(stack);
  };
  expect(await held({ hostname: "elsewhere" })).toEqual({ ...holder, host: "elsewhere" });
  write("up", "");
  const engine = (verb: object) =>
    spawn("bash", ["-c", "exec -a pulumi tail up -f"], {
      cwd: join(folder, ".pulumi"),
      env: { PATH: process.env["PATH"], ...verb },
    });
  const [ours, other] = [engine({ VNFM_VERB: "scale vnf-a" }), engine({})];
  try {
    await until(10, "the engines", () =>
      Promise.resolve([ours, other].every((one) => commandLine(one.pid ?? 0)?.[0] === "pulumi")),
    );
    expect(await held({ pid: ours.pid })).toEqual({ ...holder, pid: ours.pid, verb: "vnfm scale vnf-a" });
    expect(await held({ pid: other.pid })).toEqual({ ...holder, pid: other.pid, verb: "pulumi up" });
  } finally {
    [ours, other].forEach((one) => one.kill("SIGKILL"));
  }
  expect(describeHolder({ ...holder, pid: 4, verb: "pulumi up" })).toBe(
    `process 4 of u on ${host} since 2026-01-01T00:00:00Z (pulumi up)`,
  );
});

it("vnfm takes a lock of another machine as held", () => {
  expect(isHeld({ ...lock, hostname: "elsewhere" })).toBe(true);
});

describe("a stack in a shared store", () => {
  const PATH = process.env["PATH"] ?? "";
  const stack = {
    folder,
    name: "site",
    qualifiedName: "organization/vnfm/site",
    backend: "postgres://vnfm:secret@db/states",
  };

  /** Has the CLI say this on standard error, and fail. */
  const cliSays = (text: string): void => {
    writeFileSync(join(folder, "said"), text);
    const program = `#!/bin/sh\necho "$@" >${folder}/asked\ncat ${folder}/said >&2\nexit 255\n`;
    writeFileSync(join(folder, "pulumi"), program);
    chmodSync(join(folder, "pulumi"), 0o755);
  };

  beforeEach(() => (process.env["PATH"] = `${folder}:${PATH}`));
  afterEach(() => (process.env["PATH"] = PATH));

  it("has the locks that the engine tells of who would take it", async () => {
    cliSays(`error: the stack is currently locked by 2 lock(s). Either wait for the other process(es) to end
  postgres://vnfm:secret@db/states/.pulumi/locks/1.json: created by ci@runner-3 (pid 77) at 2026-11-27T10:00:00Z
  postgres://vnfm:secret@db/states/.pulumi/locks/2.json: created by me@home (pid 4) at 2026-11-27T11:00:00Z\n`);
    expect(await readLocks(stack)).toEqual([
      { username: "ci", hostname: "runner-3", pid: 77, timestamp: "2026-11-27T10:00:00Z" },
      { username: "me", hostname: "home", pid: 4, timestamp: "2026-11-27T11:00:00Z" },
    ]);
    expect(readFileSync(join(folder, "asked"), "utf8")).toBe(
      "stack rename site --stack organization/vnfm/site --non-interactive --color never\n",
    );
  });

  it("has none where the engine gets as far as the name, which is taken", async () => {
    cliSays("error: a stack named site already exists\n");
    expect(await readLocks(stack)).toEqual([]);
  });

  it("is a fault without the password where the store does not answer", async () => {
    cliSays("error: unable to open bucket postgres://vnfm:secret@db/states: connection refused\n");
    await expect(readLocks(stack)).rejects.toThrow(
      "pulumi stack rename ended with status 255: error: unable to open bucket postgres://...@db/states: connection refused",
    );
  });

  it("has no lock of a process that has ended, and taken it away, since it was told of", async () => {
    const ended = `created by me@${hostname()} (pid 4194304) at 2026-11-27T11:00:00Z`;
    cliSays(`error: the stack is currently locked by 1 lock(s).\n  s3://states/1.json: ${ended}\n`);
    expect(await readLocks(stack)).toHaveLength(1);
    const program = readFileSync(join(folder, "pulumi"), "utf8");
    const once = `echo 'error: a stack named site already exists' >${folder}/next; mv ${folder}/next ${folder}/said\n`;
    writeFileSync(join(folder, "pulumi"), program.replace("exit", `${once}exit`));
    expect(await readLocks(stack)).toEqual([]);
  });

  it("is not asked for of Pulumi Cloud", async () => {
    cliSays("error: 400\n");
    expect(await readLocks({ ...stack, backend: "https://app.pulumi.com/me" })).toEqual([]);
  });
});
