/** What others have written cannot do anything to the operator's terminal. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { print, printLines } from "../../automation/command-line/terminal";
import { printable, printableLine } from "../../components/base/printable";

const SCRIPTS = ["deploy/objects/scripts", "kube/client"].map((folder) =>
  join(__dirname, "../../components", folder),
);

afterEach(() => jest.restoreAllMocks());

it.each([
  ["an escape of ANSI", "\u001b[2Ja", "\\u001b[2Ja"],
  ["a control of C1", "\u009b2Ja", "\\u009b2Ja"],
  ["a backspace, DEL and a bell", "a\b\u007f\u0007", "a\\u0008\\u007f\\u0007"],
  ["a change of direction", "a\u202eb\u2066c", "a\\u202eb\\u2066c"],
  ["a separator of Unicode", "a\u2028b\u2029", "a\\u2028b\\u2029"],
  ["a lone carriage return", "all is well\rno", "all is well\\u000dno"],
  ["what is no control", "ünïcödé \t🙂 \\u001b", "ünïcödé \t🙂 \\u001b"],
])("%s is shown", (_, text, shown) => {
  expect(printable(text)).toBe(shown);
  expect(printableLine(text)).toBe(shown);
});

it("a line break stays in a message, and is shown in a line", () => {
  expect(printable("a\r\nb\nc")).toBe("a\nb\nc");
  expect(printableLine("a\nb")).toBe("a\\u000ab");
});

it("JSON stays what it is", () => {
  const text = fc.string({
    unit: fc.integer({ min: 0, max: 0x2100 }).map((one) => String.fromCodePoint(one)),
  });
  fc.assert(
    fc.property(text, (value) => {
      const shown = printable(JSON.stringify({ value }, undefined, 2));
      expect(JSON.parse(shown)).toEqual({ value });
      expect(shown).not.toMatch(/[^\n\P{Cc}]|\p{Bidi_Control}/u);
    }),
  );
});

it("the command line has a line for each line of a message, and one for a name with line breaks", () => {
  const written: string[] = [];
  jest.spyOn(process.stdout, "write").mockImplementation((text) => written.push(String(text)) > 0);
  print({ json: false }, "vnf-a: evil\n\u001b[32mvnf-b: as declared");
  printLines({ json: false }, "vnfm: two\nlines");
  expect(written).toEqual(["vnf-a: evil\\u000a\\u001b[32mvnf-b: as declared\n", "vnfm: two\n", "lines\n"]);
});

it("scripts that node runs write nothing else", () => {
  const files = SCRIPTS.flatMap((folder) => readdirSync(folder).map((file) => join(folder, file)));
  const writes = files
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => readFileSync(file, "utf8").match(/\.write\(.*/g) ?? []);
  const others = writes.filter((write) => !write.startsWith(".write(printable("));
  // what the program reads: JSON, hashes, and what was waited for
  expect(new Set(others)).toEqual(
    new Set([
      ".write(state);",
      ".write(await act(new KubeApi(access), names));",
      '.write((await apply(input, before)).join("\\n"));',
      '.write(lines.flat().join("\\n"));',
      ".write(JSON.stringify(problems));",
      ".write(JSON.stringify(status ?? {}));",
    ]),
  );
});
