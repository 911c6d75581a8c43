import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { assertHasVnfs, ConfigFile } from "../../../../automation/stack/config-file";

const folder = mkdtempSync(join(tmpdir(), "vnfm-config-file-"));
const path = join(folder, "Pulumi.site.yaml");
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => writeFileSync(path, "before"));

const text = () => readFileSync(path, "utf8");

it("the stack config tries a text out beside the file", async () => {
  const seen = await new ConfigFile(path).tryOut("after", (other) =>
    Promise.resolve([
      readFileSync(other, "utf8"),
      statSync(other).mode & 0o777,
      other.endsWith("Pulumi.site.yaml"),
    ]),
  );
  expect(seen).toEqual(["after", 0o600, true]);
  expect(text()).toBe("before");
});

it("the stack config writes as a whole, keeps the mode, and puts back", () => {
  chmodSync(path, 0o640);
  const file = new ConfigFile(path);
  file.write("after");
  expect([text(), statSync(path).mode & 0o777]).toEqual(["after", 0o640]);
  file.putBack("after");
  expect([text(), readdirSync(folder)]).toEqual(["before", ["Pulumi.site.yaml"]]);
});

it("the stack config leaves a link a link", () => {
  const linked = mkdtempSync(join(folder, "linked-"));
  symlinkSync(path, join(linked, "Pulumi.site.yaml"));
  new ConfigFile(join(linked, "Pulumi.site.yaml")).write("after");
  expect(text()).toBe("after");
});

it("the stack config writes through no link that waits at the name of a part", () => {
  const victim = join(folder, "victim");
  writeFileSync(victim, "theirs");
  symlinkSync(victim, join(folder, `.Pulumi.site.yaml.${process.pid}`));
  new ConfigFile(path).write("after");
  expect([text(), readFileSync(victim, "utf8")]).toEqual(["after", "theirs"]);
});

it("the stack config does not write over what somebody else has edited", () => {
  const file = new ConfigFile(path);
  writeFileSync(path, "theirs");
  expect(() => file.write("after")).toThrow("was edited in the meantime: run again");
  file.putBack("after");
  expect(text()).toBe("theirs");
});

it("the stack config says that there is no such file", () => {
  expect(() => new ConfigFile(join(folder, "none"))).toThrow("the stack config cannot be read: ENOENT");
});

describe("assertHasVnfs", () => {
  const faultOf = (project: string, text: string) => {
    writeFileSync(join(folder, "Pulumi.yaml"), project);
    try {
      return assertHasVnfs({ path, text }, folder);
    } catch (error) {
      return (error as Error).message;
    }
  };
  const fault = (source: string) =>
    `${path} has no vnfm:vnfs: the stack gets it from ${source}; ` +
    "edit it there and run 'vnfm up', or move it to this file";

  it("lets settings of the file be edited, also where the project has them too", () => {
    expect(faultOf("config: {vnfm:vnfs: {value: {}}}", "config: {vnfm:vnfs: {a: {}}}")).toBeUndefined();
  });

  it.each([
    ["config: {vnfm:vnfs: {value: {a: {}}}}", "", "'config' of Pulumi.yaml, which applies to all stacks"],
    [
      "config: {vnfm:vnfs: {value: {a: {}}}}",
      "config: {}",
      "'config' of Pulumi.yaml, which applies to all stacks",
    ],
    ["name: vnfm", "environment: [site]", "elsewhere, such as its 'environment'"],
    ["config: folder", "encryptionsalt: v1", "elsewhere, such as its 'environment'"],
  ])("names where the settings come from, with the project %j and the file %j", (project, text, source) => {
    expect(faultOf(project, text)).toBe(fault(source));
  });
});
