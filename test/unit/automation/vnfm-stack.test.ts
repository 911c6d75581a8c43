/** The operations of a VnfmStack, on a stack whose engine is stood in for: the config is a file, and the state in files. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import {
  ApplyFault,
  Fault,
  HeldFault,
  RefusedFault,
  Secret,
  SettingsFault,
  UsageFault,
  VnfmStack,
  type RunEvent,
} from "../../../automation";
import { EngineFault } from "../../../automation/stack/engine-run";
import { PulumiStack, type EngineRun } from "../../../automation/stack/pulumi";
import type { Vnfs } from "../../../automation/stack/stack-config";
import type { PendingOperation } from "../../../automation/stack/state";
import type { Step } from "../../../automation/stack/steps";
import { clusterVnf, haClusterVnf, webCnf } from "../../support/configs";
import { kubeconfig } from "../fixtures";
import { inRepository } from "./in-repository";
import { objectOf, step, urn, vnf, vnfc } from "./steps";

const BEFORE = `# of the site
config:
  vnfm:vnfs:
    vnf-a: ${JSON.stringify(clusterVnf(1))} # the cluster
`;

let folder: string;
let file: string;
/** What the engine would do. */
let steps: readonly Step[];
/** What the engine was run with, by the text of the stack config then. */
let ups: [text: string, run: EngineRun | undefined][];
let up: () => Promise<void>;
let onPreview: () => void;
/** Operations of a run that was cut off. */
let pending: readonly PendingOperation[];
let stack: VnfmStack;
/** Text that the CLI writes into a file without a secrets provider. */
let setSecretAdds: object;
/** What of the stack was read, in its order. */
let reads: string[];

const text = () => readFileSync(file, "utf8");
const vnfs = () => (parse(text()) as { config: Record<string, Vnfs> }).config["vnfm:vnfs"] ?? {};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "vnfm-stack-"));
  file = join(folder, "Pulumi.site.yaml");
  writeFileSync(file, BEFORE);
  steps = [...vnf(), ...vnfc("create", "workerNode-2", "member")];
  ups = [];
  up = () => Promise.resolve();
  onPreview = () => undefined;
  pending = [];
  setSecretAdds = {};
  reads = [];
  const read = <T>(what: string, value: T): Promise<T> => {
    reads.push(what);
    return Promise.resolve(value);
  };
  const stand: Partial<PulumiStack> = {
    folder,
    name: "site",
    qualifiedName: "organization/vnfm/site",
    backend: `file://${folder}`,
    configFile: file,
    settings: () => read("settings", inRepository({ vnfs: vnfs() })),
    preview: () => {
      onPreview();
      return read("preview", { steps, warnings: ["vnfm:vnfs.vnf-a: a warning"] });
    },
    up: (_, run) => {
      ups.push([text(), run]);
      return up();
    },
    // as the CLI does, which keeps the other keys
    setSecret: (configFile, path, secret) => {
      const [, key = "", i = ""] = /^(.*)\[(\d+)\]$/.exec(path) ?? [];
      const data = parse(readFileSync(configFile, "utf8")) as { config?: Record<string, object[]> };
      const list = data.config?.[key] ?? [];
      list[Number(i)] = { secure: `v1:${Buffer.from(secret).toString("base64")}` };
      writeFileSync(configFile, stringify({ ...data, ...setSecretAdds, config: { [key]: list } }));
      return Promise.resolve();
    },
    state: () => read("encrypted state", { deployment: { pending_operations: pending } }),
    plainState: () => read("state", { deployment: {} }),
  };
  jest.spyOn(PulumiStack, "open").mockResolvedValue(stand as PulumiStack);
  stack = await VnfmStack.open({ folder, stack: "site" });
});
afterEach(() => rmSync(folder, { recursive: true }));

/** The fault of a run that has to fail. */
async function faultOf<T extends Fault>(
  run: Promise<unknown>,
  type: new (...args: never[]) => T,
): Promise<T> {
  const thrown: unknown = await run.catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(type);
  return thrown as T;
}

const web = { ...webCnf("web", { vim: "vnf-a" }), package: "vnf-packages/web-cnf" } as never;

describe("secrets of an instance", () => {
  const sealed = (secret: string) => ({ secure: `v1:${Buffer.from(secret).toString("base64")}` });
  const release = {
    helmreleasename: "db",
    helmchartfile_path: "Files/charts/web",
    values: { auth: { password: new Secret("hidden-2"), user: "db" }, ports: [new Secret("5432"), 80] },
    secret_values: { token: "hidden-3" },
  };
  const { additionalParams } = web as { additionalParams: object };
  const vim = { kubeconfig: kubeconfig("c") };
  const withSecrets = (changes: object) =>
    ({
      ...(web as object),
      vim,
      additionalParams: { ...additionalParams, using_helm_install_param: [{ ...release, ...changes }] },
    }) as never;

  it("are encrypted in the stack config: each Secret, and each text of a setting that is a secret", async () => {
    writeFileSync(file, `encryptionsalt: v1:salt\n${BEFORE}`);
    await stack.instantiate("web", withSecrets({}));
    expect(vnfs()["web"]).toEqual({
      ...(web as object),
      vim: { kubeconfig: sealed(vim.kubeconfig) },
      additionalParams: {
        ...additionalParams,
        using_helm_install_param: [
          {
            ...release,
            values: { auth: { password: sealed("hidden-2"), user: "db" }, ports: [sealed("5432"), 80] },
            secret_values: { token: sealed("hidden-3") },
          },
        ],
      },
    });
    expect(text().startsWith(`encryptionsalt: v1:salt\n${BEFORE}`)).toBe(true);
    expect(text()).not.toMatch(/hidden|c-token/);
  });

  it("are encrypted by an update, which changes nothing else", async () => {
    const login = {
      k8s_cluster_installation_param: { master_node: { username: "ubuntu", password: new Secret("hidden") } },
    };
    await stack.update("vnf-a", { additionalParams: login });
    const { k8s_cluster_installation_param: params } = vnfs()["vnf-a"]?.["additionalParams"] as {
      k8s_cluster_installation_param: { master_node: object };
    };
    expect(params.master_node).toMatchObject({ username: "ubuntu", password: sealed("hidden") });
    expect(text()).toContain("} # the cluster\n");
    expect(text()).not.toContain("hidden");
  });

  it("are refused where they would be plain in the state", async () => {
    const fault = await faultOf(
      stack.instantiate("web", { ...(web as object), readyTimeout: new Secret("17m") } as never),
      SettingsFault,
    );
    expect(fault.faults).toEqual([
      "vnfm:vnfs.web.readyTimeout: is encrypted, and would be unencrypted in the state; set it without --secret",
    ]);
    expect([text(), ups]).toEqual([BEFORE, []]);
  });

  it("are in no fault that asks to write them by hand", async () => {
    writeFileSync(file, "vnfs: &vnfs {}\nconfig: {'vnfm:vnfs': *vnfs}\n");
    const fault = await faultOf(stack.instantiate("web", withSecrets({})), Fault);
    expect(fault.message).toMatch(/by hand/);
    expect(fault.message).not.toMatch(/hidden|c-token|5432/);
  });

  it("are refused where the stack config does not say what encrypts", async () => {
    setSecretAdds = { encryptionsalt: "v1:another" };
    const fault = await faultOf(stack.instantiate("web", withSecrets({})), Fault);
    expect(fault.message).toBe(
      "the stack config does not contain the encryption settings of its secrets (encryptionsalt, encryptedkey, secretsprovider): " +
        "create them with 'pulumi config set --secret'",
    );
    expect([text(), ups]).toEqual([BEFORE, []]);
  });
});

describe("an instance", () => {
  it("is added to the stack config and made", async () => {
    const events: RunEvent[] = [];
    const outcome = await stack.instantiate("web", web, { onEvent: (event) => events.push(event) });
    expect(outcome.changes.map(({ action, subject }) => [action, subject.vnfc])).toEqual([
      ["create", "workerNode-2"],
    ]);
    expect(text().startsWith(`${BEFORE}    web:\n`)).toBe(true);
    expect(vnfs()["web"]).toEqual(web);
    expect(ups).toEqual([[text(), { env: { VNFM_VERB: "instantiate web" }, signal: undefined }]]);
    expect(events.map(({ kind, text: said }) => [kind, said])).toEqual([
      [
        "preview",
        "warning: vnfm:vnfs.vnf-a: a warning\nvnf-a: workerNode-2 is added and joins the cluster\nnothing else changes",
      ],
    ]);
  });

  it("is not added if it exists already, nor if it has errors", async () => {
    const taken = await faultOf(stack.instantiate("vnf-a", web), UsageFault);
    expect(taken.faults).toEqual([
      "the stack config already has an instance vnf-a: update it, or use another name",
    ]);
    const wrong = await faultOf(
      stack.instantiate("other", { ...(web as object), readyTimeout: 5, scal: 1 } as never),
      SettingsFault,
    );
    expect(wrong.faults).toEqual([
      expect.stringContaining("vnfm:vnfs.other.readyTimeout: "),
      expect.stringContaining("vnfm:vnfs.other.scal: unknown"),
    ]);
    expect(wrong.findings.map(({ place }) => place)).toEqual([
      ["vnfm:vnfs", "other", "readyTimeout"],
      ["vnfm:vnfs", "other", "scal"],
    ]);
    const none = await faultOf(stack.instantiate("other", "settings" as never), UsageFault);
    expect(none.message).toBe("the settings of an instance must be a map");
    expect([text(), ups]).toEqual([BEFORE, []]);
  });

  it("gets other settings by a merge patch", async () => {
    await stack.update("vnf-a", { scale: { worker_instance: 2 }, placementPolicy: "soft" });
    expect(vnfs()["vnf-a"]).toEqual({
      ...clusterVnf(1),
      scale: { worker_instance: 2 },
      placementPolicy: "soft",
    });
    await stack.update("vnf-a", { placementPolicy: null });
    expect(vnfs()["vnf-a"]).toEqual({ ...clusterVnf(1), scale: { worker_instance: 2 } });
    await faultOf(stack.update("vnf-x", {}), UsageFault);
  });

  it("is taken out of the stack config, with all that it is made of", async () => {
    await stack.instantiate("web", web);
    const ofWeb = JSON.parse(
      JSON.stringify(objectOf("delete", "Deployment web/web")).replaceAll("vnf-b", "web"),
    ) as Step[];
    // the provider is of no instance, and not the operator's to ask for
    steps = [...ofWeb, step("delete", "pulumi:providers:kubernetes", "helm-charts")];
    await stack.terminate("web");
    expect(text()).toBe(BEFORE);
    expect(ups.map(([, run]) => run?.env)).toEqual([
      { VNFM_VERB: "instantiate web" },
      { VNFM_VERB: "terminate web" },
    ]);
  });

  it("is not taken out while another is on it", async () => {
    await stack.instantiate("web", web);
    const before = text();
    const { faults } = await faultOf(stack.terminate("vnf-a"), Fault);
    expect(faults).toEqual([
      "vnf-a is the target cluster of web. Nothing was changed. Terminate these first, one after the other, or remove all of " +
        "them and vnf-a from vnfm:vnfs, and run 'vnfm up'",
    ]);
    expect(text()).toBe(before);
  });
});

describe("what was not asked for", () => {
  beforeEach(() => (steps = [...vnf(), ...vnfc("delete", "workerNode-1", "member")]));

  it("is refused, and nothing is changed", async () => {
    const { faults, preview } = await faultOf(
      stack.update("vnf-a", { placementPolicy: "soft" }),
      RefusedFault,
    );
    expect(faults).toEqual(["vnf-a: workerNode-1 is drained, leaves the cluster, its server is deleted"]);
    expect(preview.changes).toHaveLength(1);
    expect([text(), ups]).toEqual([BEFORE, []]);
  });

  it("is done where the answer was given before", async () => {
    const seen: (string | undefined)[] = [];
    await stack.update(
      "vnf-a",
      { placementPolicy: "soft" },
      { confirm: ({ unrequested }) => seen.push(...unrequested.map(({ subject }) => subject.vnfc)) > 0 },
    );
    expect(seen).toEqual(["workerNode-1"]);
    expect(ups).toHaveLength(1);
  });

  it("is what a terminated instance is made of, and of no other", async () => {
    await faultOf(stack.instantiate("web", web), RefusedFault);
    steps = [];
    await stack.instantiate("web", web);
    steps = [...vnf(), ...vnfc("delete", "workerNode-1", "member")];
    await faultOf(stack.terminate("web"), RefusedFault);
  });
});

describe("a run that fails", () => {
  it("says all that is wrong, each by itself, and leaves the stack config as edited", async () => {
    up = () => Promise.reject(new EngineFault(["one", "No valid host was found"]));
    const fault = await faultOf(stack.update("vnf-a", { placementPolicy: "soft" }), ApplyFault);
    expect(fault.faults).toEqual([
      "one",
      "No valid host was found",
      expect.stringContaining("no compute host has room"),
    ]);
    expect(fault.message).toContain(
      "the stack config stays as edited: the next run, or 'pulumi up', continues",
    );
    expect(fault.preview.changes).toHaveLength(1);
    expect(vnfs()["vnf-a"]?.["placementPolicy"]).toBe("soft");
  });

  it("does not begin once it is to stop", async () => {
    await expect(
      stack.update("vnf-a", { placementPolicy: "soft" }, { signal: AbortSignal.abort() }),
    ).rejects.toThrow("stopped before the update");
    expect([text(), ups]).toEqual([BEFORE, []]);
  });

  it("passes on what nobody expects as it is", async () => {
    up = () => Promise.reject(new RangeError("a bug"));
    await expect(stack.update("vnf-a", { placementPolicy: "soft" })).rejects.toThrow(RangeError);
  });

  it("has what the system refuses as a fault too", async () => {
    rmSync(file);
    mkdirSync(file);
    const { faults } = await faultOf(stack.update("vnf-a", {}), Fault);
    expect(faults).toEqual(["a file: cannot be used (read, EISDIR): it is a folder"]);
  });
});

describe("recover", () => {
  it("gives what a run that was cut off has left, as it tells it", async () => {
    const lines: string[] = [];
    const onEvent = ({ text: line }: RunEvent) => lines.push(line);
    expect(await stack.recover({ onEvent })).toEqual({ findings: [] });
    expect(lines).toEqual(["nothing was interrupted"]);
    const command = urn("command:local:Command", "vnf-a-init");
    pending = [{ type: "updating", resource: { urn: command, type: "command:local:Command", custom: true } }];
    const text = "vnf-a-init: updating was interrupted; the next update repeats it";
    expect(await stack.recover({ onEvent })).toEqual({ findings: [{ urn: command, text }] });
    expect(lines).toEqual(["nothing was interrupted", text]);
  });
});

describe("a stack that another run holds", () => {
  const holder = { pid: 4, user: "ci", host: "elsewhere", since: "2026-11-27T10:00:00Z" };
  const HELD =
    "the stack is locked by process 4 of ci on elsewhere since 2026-11-27T10:00:00Z: " +
    "wait for it, for example with --wait 10m; if that run has certainly ended, run 'vnfm recover --yes'";
  let lock: string;

  beforeEach(() => {
    const locks = join(folder, ".pulumi/locks/organization/vnfm/site");
    mkdirSync(locks, { recursive: true });
    lock = join(locks, "1.json");
    const { pid, user: username, host: hostname, since: timestamp } = holder;
    writeFileSync(lock, JSON.stringify({ pid, username, hostname, timestamp }));
  });

  it("asks once whether a run on another machine is dead, however long it is waited for", async () => {
    const isDead = jest.fn(() => false);
    await expect(stack.recover({ isDead, wait: 2.5 })).rejects.toThrow(HeldFault);
    expect(isDead.mock.calls).toEqual([[holder]]);
  });

  it("says who it is, at once", async () => {
    const fault = await faultOf(stack.update("vnf-a", { placementPolicy: "soft" }), HeldFault);
    expect([fault.message, fault.holder]).toEqual([HELD, holder]);
  });

  it("is waited for", async () => {
    const events: RunEvent[] = [];
    const onEvent = (event: RunEvent) => {
      events.push(event);
      if (event.kind === "held") rmSync(lock);
    };
    await stack.update("vnf-a", { placementPolicy: "soft" }, { wait: 60, onEvent });
    expect(events.map(({ kind }) => kind)).toEqual(["held", "preview"]);
    expect(events[0]).toEqual({
      kind: "held",
      holder,
      text: "waiting: locked by process 4 of ci on elsewhere since 2026-11-27T10:00:00Z",
    });
    expect(ups).toHaveLength(1);
  });

  it("is waited for by a check too, which says so", async () => {
    const { message } = await faultOf(stack.check(), HeldFault);
    expect(message).toBe(HELD);
    const onEvent = () => rmSync(lock);
    expect(await stack.check(undefined, { wait: 60, onEvent })).toEqual({
      ...{ checks: 0, findings: [], snapshots: [] },
    });
  });

  it("is waited for where the other run has begun to edit the stack config", async () => {
    rmSync(lock);
    const edited = BEFORE.replace("the cluster", "edited");
    let previews = 0;
    onPreview = () => {
      previews++;
      if (previews === 1) writeFileSync(file, edited);
    };
    const events: RunEvent[] = [];
    await stack.update(
      "vnf-a",
      { placementPolicy: "soft" },
      { wait: 60, onEvent: (event) => events.push(event) },
    );
    expect(events.map(({ kind }) => kind)).toEqual(["preview", "held", "preview"]);
    expect(events[1]?.text).toBe(`waiting: ${file} was edited in the meantime: run again`);
    expect(text()).toContain("# edited");
    expect(ups).toHaveLength(1);
  });

  it("is waited for no longer than was said, and not once the run is to stop", async () => {
    const begin = Date.now();
    await expect(stack.update("vnf-a", {}, { wait: 0.2 })).rejects.toThrow(HELD);
    const stop = new AbortController();
    const onEvent = () => stop.abort();
    const waiting = stack.update("vnf-a", {}, { wait: 60, onEvent, signal: stop.signal });
    await expect(waiting).rejects.toThrow(`stopped: ${HELD}`);
    expect(Date.now() - begin).toBeLessThan(10_000);
    await expect(stack.update("vnf-a", {}, { wait: "10m" as never })).rejects.toThrow(
      "wait: 10m is not a number of seconds",
    );
  });

  it("is asked for again where somebody was faster, with the config that there was", async () => {
    rmSync(lock);
    const message =
      "the stack is currently locked by 1 lock(s).\n  s3://b/l.json: created by ci@elsewhere (pid 4) at 2026-11-27T10:00:00Z";
    const texts: string[] = [];
    up = () => (ups.length === 1 ? Promise.reject(new HeldFault(message)) : Promise.resolve());
    const onEvent = ({ kind }: RunEvent) => kind === "held" && texts.push(text());
    await stack.update("vnf-a", { placementPolicy: "soft" }, { wait: 60, onEvent });
    expect(texts).toEqual([BEFORE]);
    expect(ups).toHaveLength(2);
  });
});

it("the operation upgrades to something, and as many workers at a time as there can be", async () => {
  writeFileSync(file, BEFORE.replace(/vnf-a:.*/, `vnf-a: ${JSON.stringify(haClusterVnf(3, 3))}`));
  await expect(stack.upgrade("vnf-a", {})).rejects.toThrow(
    "an upgrade needs another version, package, image or template",
  );
  await expect(stack.upgrade("vnf-a", { to: "v1.34.4", batch: "2" as never })).rejects.toThrow(
    "batch: 2 is not a number of at least 1",
  );
});

it.each<[string, () => Promise<unknown>, readonly string[]]>([
  ["a scale of workers", () => stack.scale("vnf-a", [{ aspect: "worker_instance", by: 1 }]), ["state"]],
  ["a scale of masters", () => stack.scale("vnf-a", [{ aspect: "master_instance", by: 1 }]), ["state"]],
  ["a heal of a worker", () => stack.heal("vnf-a", ["workerNode-1"]), []],
  ["a heal of masters", () => stack.heal("vnf-a", ["masterNode-1", "masterNode-2"]), ["state"]],
  ["an upgrade of a single run", () => stack.upgrade("vnf-a", { images: { workerNode: "x" } }), ["state"]],
])("the operation reads what %s decides by once, and previews once", async (_, operation, others) => {
  writeFileSync(file, BEFORE.replace(/vnf-a:.*/, `vnf-a: ${JSON.stringify(haClusterVnf(3, 3))}`));
  await operation();
  expect(reads).toEqual(["settings", ...others, "preview"]);
  expect(ups).toHaveLength(1);
});

it("previews the next run and changes nothing", async () => {
  expect(await stack.preview()).toEqual({
    changes: [
      expect.objectContaining({
        action: "create",
        subject: { vnf: "vnf-a", vnfc: "workerNode-2", kind: "vnfc", key: "" },
      }),
    ],
    stays: {},
    warnings: ["vnfm:vnfs.vnf-a: a warning"],
  });
  expect([text(), ups]).toEqual([BEFORE, []]);
});
