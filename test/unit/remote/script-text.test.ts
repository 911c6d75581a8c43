/** What the scripts are that servers get, beside the files. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { condensed, scriptText, withFunctions } from "../../../components/remote/script-text";

const folder = "components/remote/scripts";
const scripts = readdirSync(folder);
const read = (file: string) => readFileSync(join(folder, file), "utf8");

const hasAwk = ["api-server.sh", "authorized-keys.sh", "functions.sh", "kubernetes-version.sh"];

/** As bash has read it. */
const understood = (script: string) =>
  execFileSync("bash", ["-s"], { input: `it() {\n${script}\n}\ndeclare -f it`, encoding: "utf8" });

it.each(scripts.filter((script) => !hasAwk.includes(script)))("%s is to bash what its file is", (script) => {
  expect(understood(condensed(read(script)))).toBe(understood(read(script)));
});

it.each(hasAwk)("%s is so but for the indentation of an awk program", (script) => {
  const [now, before] = [condensed(read(script)), read(script)].map(understood);
  expect(now).not.toBe(before);
  expect(now?.replaceAll(/^\s+/gm, "")).toBe(before?.replaceAll(/^\s+/gm, ""));
});

it("has neither comments nor indentation", () => {
  const text = scripts.map((script) => scriptText(script)).join("");
  expect(text.split("\n").filter((line) => /^([ \t]|#)/.test(line))).toEqual([]);
});

it("gets the functions that it names, and those that these name", () => {
  const functions = ["one", "two", "three", "four"].map((name, i, all) => ({
    name,
    text: `${name}() { ${i === 1 ? all[2] : ":"}; }\n`,
  }));
  expect(withFunctions("say done\ntwo\n", functions)).toBe(
    "three() { :; }\ntwo() { three; }\nsay done\ntwo\n",
  );
});

it("leaves no function out of those that scripts share", () => {
  const shared = [...read("functions.sh").matchAll(/^(\w+)\(\)/gm)].map(([, name]) => name);
  const text = scriptText("functions.sh");
  expect(shared.length).toBeGreaterThan(10);
  expect(shared.filter((name) => !text.includes(`\n${name}() {`))).toEqual([]);
});
