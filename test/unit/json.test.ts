import { spawnSync } from "node:child_process";
import { programArguments } from "../../components/remote/program-command";
import { Fault } from "../../components/base/fault";
import { jsonData, jsonOrText } from "../../components/base/json";

test.each<[string, RegExp]>([
  ["hunter2", /^x is no JSON$/],
  ['{"password": hunter2}', /^x is no JSON(: line 1, column \d+)?$/],
  ['{\n"password": "hunter2"\n"b": 1}', /^x is no JSON: line 3, column 1$/],
])("the fault of %j has nothing of it", (text, expected) => {
  const read = () => jsonData(text, "x");
  expect(read).toThrow(Fault);
  expect(read).toThrow(expected);
});

test("a value of the stack config that is a text stays one", () => {
  expect(jsonOrText("hunter2")).toBe("hunter2");
  expect(jsonOrText('{"a": [1]}')).toEqual({ a: [1] });
});

test("a script says nothing of its input where that is no JSON", () => {
  const script = programArguments("deploy/objects/scripts/post-object");
  const { stderr } = spawnSync(process.execPath, script, { input: "hunter2", encoding: "utf8" });
  expect(stderr).toContain("the input of this script is no JSON");
  expect(stderr).not.toContain("hunter2");
});
