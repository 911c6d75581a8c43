/** What is told of a run of the engine that fails. */
import type { EngineEvent } from "@pulumi/pulumi/automation";
import { SettingsFault } from "../../../../automation/fault";
import { EngineFault, ourWarning, runEngine } from "../../../../automation/stack/engine-run";
import { HeldFault } from "../../../../automation/stack/lock";
import { settingsFault } from "../../places";

const HELD = "ConcurrentUpdateError";
jest.mock("@pulumi/pulumi/automation", () => ({
  ConcurrentUpdateError: class extends Error {
    override name = "ConcurrentUpdateError";
  },
}));

const diagnostic = (message: string, urn = "") =>
  ({ diagnosticEvent: { severity: "error", message, urn, color: "never" } }) as EngineEvent;

/** The fault of a run that tells these events, prints a text, and fails. */
async function faultOf(events: readonly EngineEvent[], stderr = "", name = ""): Promise<unknown> {
  const { ConcurrentUpdateError } = jest.requireMock<{ ConcurrentUpdateError: new () => Error }>(
    "@pulumi/pulumi/automation",
  );
  return runEngine(
    ({ onEvent, onError }) => {
      events.forEach(onEvent);
      onError(stderr);
      return Promise.reject(name === HELD ? new ConcurrentUpdateError() : new Error("pulumi has failed"));
    },
    () => undefined,
  ).catch((error: unknown) => error);
}

it("the error has each error once, with the resource that it is of and without colours", async () => {
  const urn = "urn:pulumi:s::vnfm::vnfm:index:Vnf$openstack:compute/instance:Instance::vnf-a-server";
  const stack = "urn:pulumi:s::vnfm::pulumi:pulumi:Stack::vnfm-s";
  const events = [
    diagnostic("<{%fg 1%}>no host<{%reset%}>\n", urn),
    diagnostic("update failed", stack),
    diagnostic("update failed", stack),
  ];
  expect(await faultOf(events)).toEqual(new EngineFault(["vnf-a-server: no host", "update failed"]));
});

it("the error is one of the stack config where the program has thrown that", async () => {
  const fault = settingsFault("vnfm:vnfs.a.vim: x", "vnfm:vnfs.b.vim: y");
  const found = await faultOf([diagnostic(`${fault.message}\n`)]);
  expect(found).toBeInstanceOf(SettingsFault);
  expect((found as SettingsFault).findings).toEqual([
    { place: ["vnfm:vnfs", "a", "vim"], message: "x" },
    { place: ["vnfm:vnfs", "b", "vim"], message: "y" },
  ]);
});

it("the error is what the CLI prints where the engine has told nothing, or else the error", async () => {
  expect(await faultOf([], "error: no plugin\n")).toEqual(new EngineFault(["error: no plugin"]));
  expect(await faultOf([])).toEqual(new EngineFault(["pulumi has failed"]));
});

it("the error says who holds the stack of a backend that is elsewhere", async () => {
  const said = `error: the stack is currently locked by 1 lock(s). Either wait for the other process(es) to end or delete the lock file with \`pulumi cancel\`.
  postgres://vnfm:secret@db/states/.pulumi/locks/organization/vnfm/s/1.json: created by ci@runner-3 (pid 77) at 2026-11-27T10:00:00Z`;
  const fault = (await faultOf([], said, HELD)) as HeldFault;
  expect(fault).toBeInstanceOf(HeldFault);
  expect([fault.message, fault.holder]).toEqual([
    "the stack is locked by process 77 of ci on runner-3 since 2026-11-27T10:00:00Z: " +
      "wait for it, for example with --wait 10m; if that run has certainly ended, run 'vnfm recover --yes'",
    { pid: 77, user: "ci", host: "runner-3", since: "2026-11-27T10:00:00Z" },
  ]);
  expect(((await faultOf([], "[409] Conflict", HELD)) as HeldFault).holder).toBeUndefined();
});

it("the error does not tell the password of the backend", async () => {
  const said = "error: unable to open bucket postgres://vnfm:secret@db/states: refused\n";
  expect(await faultOf([], said)).toEqual(
    new EngineFault(["error: unable to open bucket postgres://...@db/states: refused"]),
  );
});

it("the error tells of warnings that are of the program, and of no others", () => {
  const warning = (message: string, urn = "") =>
    ourWarning({ severity: "warning", message, urn, color: "never" });
  expect(warning("vnfm:vnfs.a: x")).toBe("vnfm:vnfs.a: x");
  expect(warning("x", "urn:pulumi:s::vnfm::vnfm:index:Vnf::a")).toBe("x");
  expect(warning("deprecated", "urn:pulumi:s::vnfm::kubernetes:core/v1:Pod::a")).toBeUndefined();
  expect(ourWarning({ severity: "info", message: "vnfm:vnfs.a: x", color: "never" })).toBeUndefined();
});
