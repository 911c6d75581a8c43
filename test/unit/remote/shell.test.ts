import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import {
  asRoot,
  resultIn,
  RESULT_MARK,
  shellAssignments,
  shellQuote,
} from "../../../components/remote/shell";

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
    expect(() => shellAssignments({ "a b": "" })).toThrow('"a b" is no name of a shell variable');
    expect(() => shellQuote("a\0b")).toThrow("NUL");
  });
});

describe("a script on a server", () => {
  it("has an environment of its own, and gives a result without what the login shell prints", () => {
    const command = `echo in .bashrc; printf 'no end of line'; ${asRoot("create", "10s")}`;
    const stdout = execFileSync("bash", ["-c", command.replace("exec sudo -n", "exec")], {
      input: 'echo "$1 ${HTTP_PROXY-no proxy} ${BASH_ENV-no file} $HOME"\n',
      env: { ...process.env, HTTP_PROXY: "http://proxy.example", BASH_ENV: "/dev/null" },
      encoding: "utf8",
    });
    expect(stdout).toMatch(/^in \.bashrc\nno end of line\n/);
    expect(resultIn(stdout)).toBe("create no proxy no file /root");
  });

  it("gives all that there is where another script has looked for its result already", () => {
    expect(resultIn("a\nb\n")).toBe("a\nb");
    expect(resultIn(`\n${RESULT_MARK}\n`)).toBe("");
  });
});

it("what has a limit of time is killed where it does not end by itself", () => {
  const folder = join(__dirname, "../../../components/remote/scripts");
  const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));
  const limits = [...texts, asRoot("create", "25m")].flatMap(
    (text) => text.match(/\btimeout [-"\d].*/g) ?? [],
  );
  expect(limits.length).toBeGreaterThan(5);
  expect(limits.filter((limit) => !/^timeout (-k \d+ |--foreground -s KILL )/.test(limit))).toEqual([]);
});
