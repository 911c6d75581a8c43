import { apiAccess } from "../../components/kube/access/api-access";
import { readYaml } from "../../components/kube/manifests/yaml";
import { ajv } from "../../components/settings/ajv";
import { yamlData, yamlDocument } from "../../components/base/yaml/yaml";
import { Fault } from "../../components/base/fault";
import { within } from "../support/within";

/** What a reader throws, which must be a fault. */
function faultOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(Fault);
    return (error as Error).message;
  }
  throw new Error("nothing was thrown");
}

test.each([
  [
    "a text in quotes",
    "b: 'c\n",
    "line 2, column 4: a colon, comma, quote, bracket, dash or space is missing",
  ],
  [
    "a text in double quotes in a list",
    'b:\n- "c\n',
    "line 3, column 3: a colon, comma, quote, bracket, dash or space is missing",
  ],
  [
    "a list in brackets",
    "b: [c,\n",
    "line 2, column 4: the indentation is wrong, or a bracket is missing; line 3, column 4: a key has several lines; a colon or a quote is missing",
  ],
])("%s without an end is a fault where it begins", (_, beginning, fault) => {
  expect(faultOf(() => yamlData(`a: 1\n${beginning}c: d\ne: f\n\n`, "x"))).toBe(
    `x is not valid YAML: ${fault}`,
  );
});

describe("errors have nothing of the text", () => {
  const SECRET = "hunter2";
  test.each<[string, string, string]>([
    [
      "a password that begins with @",
      `a: 1\npassword: @${SECRET}\n`,
      "x is not valid YAML: line 2, column 11: a string without quotes begins with a character that YAML reserves, such as @; quote it",
    ],
    [
      "a password with a colon and a blank",
      `password: ${SECRET}: x\n`,
      "x is not valid YAML: line 1, column 11: a mapping or a list begins on the line of a key; quote a string that contains a colon and a space",
    ],
    [
      "a password that looks like an alias",
      `password: *${SECRET}\n`,
      "x is not valid YAML: line 1, column 11: an alias has no anchor before it; quote a string that begins with *",
    ],
    [
      "a password that looks like a tag",
      `password: !${SECRET}\n`,
      "x is not valid YAML: line 1, column 11: a tag is not known, or does not fit its value; quote a string that begins with !",
    ],
    [
      "an escape that there is none of",
      `password: "${SECRET}\\q"\n`,
      "x is not valid YAML: line 1, column 19: a backslash in double quotes begins an unknown escape; use single quotes",
    ],
    [
      "a key twice",
      `${SECRET}: 1\n${SECRET}: 2\n`,
      "x is not valid YAML: line 2, column 1: a key appears twice in a mapping",
    ],
    [
      "two documents",
      `a: 1\n---\n${SECRET}: 1\n`,
      "x is not valid YAML: line 2, column 1: there is more than one document",
    ],
    [
      "all of them",
      `a: @${SECRET}\nb: @${SECRET}\n`,
      "x is not valid YAML: line 1, column 4: a string without quotes begins with a character that YAML reserves, such as @; quote it; " +
        "line 2, column 4: a string without quotes begins with a character that YAML reserves, such as @; quote it",
    ],
  ])("%s", (_, text, expected) => {
    expect(faultOf(() => yamlData(text, "x"))).toBe(expected);
    expect(faultOf(() => yamlDocument(text, "x"))).toBe(expected);
    expect(expected).not.toContain(SECRET);
  });

  test("even for a text without an end", () => {
    expect(faultOf(() => yamlData("a: &b [*b]", "x"))).toBe(
      "x is not valid YAML: line 1, column 8: an alias contains itself",
    );
  });

  test("even for a text with too many aliases", () => {
    const bomb = [
      "a0: &a0 [x, x]",
      ...[...Array(30).keys()].map((i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`),
    ];
    expect(faultOf(() => yamlData(bomb.join("\n"), "x"))).toBe(
      "x is not valid YAML: line 14, column 18: has aliases that expand to more than 1048576 bytes, which is the limit",
    );
  });

  test("a number in a manifest, which may be a variable's", () => {
    const faults: { line: number | undefined; message: string }[] = [];
    readYaml("a: 12345678901234567890\nb: .inf\nc: !!binary aGk=\nd: *no\n", faults);
    expect(faults).toEqual([
      { line: 1, message: "an integer is too large to be kept exactly; quote it if it is a string" },
      { line: 2, message: "Kubernetes cannot store infinity or NaN" },
      { line: 3, message: "Kubernetes does not support !!binary; write the base64 as a string" },
    ]);
  });

  test("nothing is written to the terminal", () => {
    const warned = jest.spyOn(process, "emitWarning").mockImplementation();
    yamlData("? {a: 1}\n: 2\n", "x");
    faultOf(() => yamlData("a: !hunter2 b\n", "x"));
    expect(warned).not.toHaveBeenCalled();
    warned.mockRestore();
  });
});

describe("a small text is read at once", () => {
  const lines = (count: number, line: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => line(i)).join("\n");
  const keys = lines(40_000, (i) => `k${i}: 1`);
  const refused = (text: string) => within(3, () => faultOf(() => yamlData(text, "x")));

  test("with thousands of keys", () => {
    expect(within(3, () => Object.keys(yamlData(keys, "x") as object))).toHaveLength(40_000);
  });

  test("with a key of thousands twice", () => {
    expect(refused(`${keys}\nk7: 2\n`)).toBe(
      "x is not valid YAML: line 40001, column 1: a key appears twice in a mapping",
    );
  });

  test("with aliases of a large text", () => {
    const text = `${keys}\na: &a 1\nb: [${"*a, ".repeat(1_900)}]\n`;
    expect(within(3, () => yamlData(text, "x"))).toMatchObject({ b: Array<number>(1_900).fill(1) });
  });

  test("with too many aliases", () => {
    expect(refused(`a: &a 1\nb:\n${lines(30_000, () => "- *a")}`)).toBe(
      "x is not valid YAML: line 2002, column 3: has more than 2000 anchors and aliases, which is the limit",
    );
  });

  test("with mappings in each other", () => {
    expect(refused("{a: ".repeat(250) + "1" + "}".repeat(250))).toBe(
      "x is not valid YAML: line 1, column 802: is nested deeper than 200 levels, which is the limit",
    );
  });

  test("with thousands of errors, of which the first are told", () => {
    expect(refused("a: @\n".repeat(10_000)).split("; line ")).toHaveLength(20);
    expect(refused("a: 1\n".repeat(10_000)).split("; line ")).toHaveLength(20);
    expect(refused("a: *b\n".repeat(1_000)).split("; line ")).toHaveLength(20);
    expect(refused(`a: &b\n${"- *b\n".repeat(1_000)}`).split("; line ")).toHaveLength(20);
  });
});

test("a merge key of something else than mappings", () => {
  expect(faultOf(() => yamlData("a: 1\n<<: 2\n", "x"))).toBe(
    "x is not valid YAML: line 1, column 1: has a merge key (<<) for something other than a mapping; quote it if it is a key",
  );
});

describe("a kubeconfig", () => {
  const whole = `current-context: c
contexts: [{name: c, context: {cluster: k, user: u}}]
clusters: [{name: k, cluster: {server: "https://k"}}]
users: [{name: u, user: {token: secret}}]
`;
  const isValid = (text: string) => ajv.validate({ type: "string", format: "kubeconfig" }, text);

  test("is read if it is complete", () => {
    expect(isValid(whole)).toBe(true);
    expect(apiAccess(whole)).toEqual({
      cluster: { server: "https://k" },
      user: { token: "secret" },
      namespace: undefined,
    });
  });

  test("is refused if it is broken after the address of the cluster", () => {
    const broken = whole.replace("token: secret", "token: @secret");
    expect(isValid(broken)).toBe(false);
    expect(faultOf(() => apiAccess(broken))).toBe(
      "the kubeconfig is not valid YAML: line 4, column 33: a string without quotes begins with a character that YAML reserves, such as @; quote it",
    );
  });
});

test("closing brackets at the beginning of a line and merge keys are read as others read them", () => {
  expect(yamlData("a: [\n  1\n]\nb: &b {c: 1, d: 2}\ne:\n  <<: *b\n  d: 3\n", "x")).toEqual({
    a: [1],
    b: { c: 1, d: 2 },
    e: { c: 1, d: 3 },
  });
});
