import { execFileSync, spawnSync } from "node:child_process";
import fc from "fast-check";
import { asRoot } from "../../../components/remote/reaching";
import { SCRIPTS } from "../../../components/remote/scripts";
import { scriptText } from "../../../components/remote/script-text";
import { shellAssignments, shellQuote } from "../../../components/remote/shell";

describe("shellAssignments", () => {
  it("gives any text to a shell unchanged, and runs none of it", () => {
    const texts = ["$(reboot)", "`reboot`", "'; reboot; '", "a\nb\n", '"\\', "${HOME}", "-n", "ünï", ""];
    for (const text of texts) {
      const output = execFileSync("bash", ["-s"], {
        input: `${shellAssignments({ value: text })}printf %s. "$value"`,
        encoding: "utf8",
      });
      expect(output).toBe(`${text}.`);
    }
  });

  it("quotes any text as one word", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        fc.pre(!text.includes("\0"));
        const inner = shellQuote(text).replaceAll(`'\\''`, "");
        expect(inner.startsWith("'") && inner.endsWith("'") && !inner.slice(1, -1).includes("'")).toBe(true);
      }),
    );
  });

  it("refuses a name that is no variable, and a NUL", () => {
    expect(() => shellAssignments({ "a b": "" })).toThrow('"a b" is not a name of a shell variable');
    expect(() => shellQuote("a\0b")).toThrow("NUL");
  });
});

it("a script on a server has an environment of its own, and begins after what the login shell prints", () => {
  const command = `echo in .bashrc; printf 'no end of line'; ${asRoot("create", 10, "mark")}`;
  const stdout = execFileSync("bash", ["-c", command.replace("sudo -n ", "")], {
    input: 'echo "$1 ${HTTP_PROXY-no proxy} ${BASH_ENV-no file} $HOME"\n',
    env: { ...process.env, HTTP_PROXY: "http://proxy.example", BASH_ENV: "/dev/null" },
    encoding: "utf8",
  });
  expect(stdout).toBe("in .bashrc\nno end of line\nmark\ncreate no proxy no file /root\n");
});

it.each([
  ["255", 1],
  ["3", 3],
  ["0", 0],
])(
  "a script that ends with %s has run, so its command ends with %i, and not as a client that failed",
  (ends, status) => {
    const command = asRoot("create", 10).replace("sudo -n ", "");
    expect(spawnSync("bash", ["-c", command], { input: `exit ${ends}` }).status).toBe(status);
  },
);

it("a command with a time limit is killed if it does not end by itself", () => {
  const limits = [...SCRIPTS.map(scriptText), asRoot("create", 60)].flatMap(
    (text) => text.match(/\btimeout [-"\d].*/g) ?? [],
  );
  expect(limits.length).toBeGreaterThan(5);
  expect(limits.filter((limit) => !/^timeout -k \d+ /.test(limit))).toEqual([]);
});
