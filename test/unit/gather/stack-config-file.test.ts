import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectConfig, stackConfigFile } from "../../../components/gather/stack-config-file";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "vnfm-config-place-"))));
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

/** The path from the folder of the project. */
const placeOf = () => stackConfigFile("site", folder).slice(folder.length + 1);

it.each([
  ["Pulumi.yaml", "name: vnfm", "Pulumi.site.yaml"],
  ["Pulumi.yaml", "stackConfigDir: stacks", "stacks/Pulumi.site.yaml"],
  ["Pulumi.yaml", "stackConfigDir: ./a/../stacks/", "stacks/Pulumi.site.yaml"],
  ["Pulumi.yaml", "stackConfigDir: /stacks", "stacks/Pulumi.site.yaml"],
  ["Pulumi.yaml", "config: stacks", "stacks/Pulumi.site.yaml"],
  ["Pulumi.yaml", "config: {vnfm:vnfs: {value: {}}}", "Pulumi.site.yaml"],
  ["Pulumi.yml", "stackConfigDir: stacks", "stacks/Pulumi.site.yml"],
  ["Pulumi.json", '{"stackConfigDir": "stacks"}', "stacks/Pulumi.site.json"],
])("Pulumi takes the stack config of %s with %j from %s", (name, text, place) => {
  writeFileSync(join(folder, name), text);
  expect(placeOf()).toBe(place);
});

it("a folder without a project has the stack config beside it", () => {
  expect(placeOf()).toBe("Pulumi.site.yaml");
});

it("another file that is named by the environment takes the place of the rule", () => {
  writeFileSync(join(folder, "Pulumi.yaml"), "stackConfigDir: stacks");
  jest.replaceProperty(process, "env", { ...process.env, PULUMI_OPTION_CONFIG_FILE: "other.yaml" });
  expect(placeOf()).toBe("other.yaml");
});

it("the project's config is a map, or the former name of the folder", () => {
  writeFileSync(join(folder, "Pulumi.yaml"), "config: {a:b: 1}");
  expect(projectConfig(folder)).toEqual({ "a:b": 1 });
  writeFileSync(join(folder, "Pulumi.yaml"), "config: stacks");
  expect(projectConfig(folder)).toEqual({});
});
