/** What the scripts are that servers get, beside the files. */
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { questionsTo, SCRIPTS, type Question } from "../../../components/remote/scripts";
import { scriptHash, scriptText } from "../../../components/remote/script-text";

/** Scripts that are no steps by themselves: others take them in, or a program runs them for a step. */
const NO_STEPS = [
  ...["admit-node.sh", "prelude.sh", "control-plane-archive.sh", "control-plane-etcd.sh"],
  ...["control-plane-snapshot.sh", "snapshot-bucket.sh"],
];

/** The functions that a text defines. */
const functionsOf = (text: string) => [...text.matchAll(/^(\w+)\(\) /gm)].map(([, name]) => name ?? "");

it("are all in the table", () => {
  const files = readdirSync("components/remote/scripts").filter((file) => file.endsWith(".sh"));
  expect([...SCRIPTS, ...NO_STEPS].sort()).toEqual(files.sort());
});

it.each(SCRIPTS)("%s has a function for each question, and no other", (script) => {
  const all: readonly Question[] = ["check", "use", "vote", "kept", "agree", "begun", "expiry", "holds"];
  const functions = functionsOf(scriptText(script));
  expect(all.filter((question) => functions.includes(question)).sort()).toEqual(
    [...questionsTo(script)].sort(),
  );
});

it.each(SCRIPTS)("%s is whole: bash reads it, and it takes in no file on the server", (script) => {
  const text = scriptText(script);
  execFileSync("bash", ["-n"], { input: text });
  expect(text).not.toMatch(/^ *(\.|source) /m);
});

it("a script has a file that it takes in by two ways once", () => {
  const functions = functionsOf(scriptText("control-plane-copy.sh"));
  expect(new Set(functions).size).toBe(functions.length);
});

it("a script has a function that no other function and no script replaces, but for update", () => {
  for (const script of SCRIPTS) {
    const functions = functionsOf(scriptText(script)).filter((name) => name !== "update");
    expect([script, functions]).toEqual([script, [...new Set(functions)]]);
  }
});

it("a script has a hash that tells it from others", () => {
  expect(scriptHash("install-cni.sh")).toMatch(/^[0-9a-f]{12}$/);
  expect(new Set(SCRIPTS.map(scriptHash)).size).toBe(SCRIPTS.length);
});
