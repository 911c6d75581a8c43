import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChartFault } from "../../components/gather/chart-files";
import { asFault, Fault } from "../../components/base/fault";
import { SettingsFault, together } from "../../components/base/settings-fault";
import { PackageFault } from "../../components/vnfd/model";
import { settingsFault } from "./places";

const thrownBy = (use: () => unknown): unknown => {
  try {
    return use();
  } catch (error) {
    return asFault(error);
  }
};

describe("what the system refuses", () => {
  let folder: string;
  beforeAll(() => (folder = mkdtempSync(join(tmpdir(), "fault-"))));
  afterAll(() => rmSync(folder, { recursive: true }));

  it("is a fault with the file and the reason", () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    expect(thrownBy(() => readFileSync(join(file, "in")))).toEqual(
      new Fault(`${file}/in: cannot be used (open, ENOTDIR): a part of its path is not a folder`),
    );
    expect(thrownBy(() => writeFileSync(folder, ""))).toEqual(
      new Fault(`${folder}: cannot be used (open, EISDIR): it is a folder`),
    );
    // in a container /dev/full may be missing
    const full = thrownBy(() => writeFileSync(openSync("/dev/full", "w"), "text"));
    expect((full as Fault).message).toMatch(/cannot be used \((write, ENOSPC\): the disk is full|open, )/);
  });

  it.each([
    ["EACCES", "permission denied"],
    ["EROFS", "the file system is read-only"],
  ])("is a fault of %s too", (code, why) => {
    const error = Object.assign(new Error(code), { code, syscall: "open", path: "f" });
    expect(asFault(error)).toEqual(new Fault(`f: cannot be used (open, ${code}): ${why}`));
  });

  it.each([
    new Fault("one"),
    new TypeError("x is undefined"),
    undefined,
    Object.assign(new Error("refused"), { code: "ECONNREFUSED", syscall: "connect" }),
  ])("and nothing else: %s", (error) => {
    expect(asFault(error)).toBe(error);
  });
});

it("faults of packages and charts are the operator's to mend", () => {
  expect(new PackageFault("p", [])).toBeInstanceOf(Fault);
  expect(new ChartFault({ place: ["vnfm:vnfs", "c"], message: "m" })).toBeInstanceOf(Fault);
});

describe("what is wrong, each by itself,", () => {
  it("is the message of a fault, each line of one of the stack config, and each finding of one of a package", () => {
    expect(new Fault("one\nof two lines").faults).toEqual(["one\nof two lines"]);
    expect(settingsFault("a: x", "b: y").faults).toEqual(["a: x", "b: y"]);
    const finding = { file: "vnfd.yaml", node: "CP1", property: "", message: "is missing" };
    expect(new PackageFault("p", [finding]).faults).toEqual(["vnfd.yaml: CP1: is missing"]);
  });

  it("is read from the message of a fault of the stack config, and from no other text", () => {
    const fault = settingsFault("vnfm:vnfs.a: is wrong:\n    an example", "b: y");
    expect(SettingsFault.read(fault.message)).toEqual(fault);
    expect(SettingsFault.read(fault.message)?.faults).toEqual(fault.faults);
    expect(SettingsFault.read("the stack config is not valid:")).toBeUndefined();
    expect(SettingsFault.read("No valid host was found\n  a: x")).toBeUndefined();
  });
});

const fails = (...faults: string[]) => Promise.reject<number>(settingsFault(...faults));

describe("several checks together", () => {
  it("give the results of all", async () => {
    expect(await together([Promise.resolve(1), Promise.resolve("two")])).toEqual([1, "two"]);
  });

  it("have the faults of all in one error, each once", async () => {
    const checks = together([fails("a", "b"), Promise.resolve(1), fails("b", "c")]);
    await expect(checks).rejects.toEqual(settingsFault("a", "b", "c"));
  });

  it("have another error only where the stack config has no fault", async () => {
    const quota = Promise.reject<number>(new Fault("the quota does not suffice"));
    await expect(together([quota, fails("a")])).rejects.toEqual(settingsFault("a"));
    const other = Promise.reject<number>(new Fault("the quota does not suffice"));
    await expect(together([Promise.resolve(1), other])).rejects.toEqual(
      new Fault("the quota does not suffice"),
    );
  });

  it("have the other faults of all, each once, and an error of the program alone", async () => {
    const refused = (message: string) => Promise.reject<number>(new Fault(message));
    await expect(together([refused("no quota"), refused("no zone"), refused("no quota")])).rejects.toEqual(
      new Fault("no quota\nno zone"),
    );
    const bug = new TypeError("x is not a function");
    await expect(together([refused("no quota"), Promise.reject<number>(bug)])).rejects.toBe(bug);
  });
});
