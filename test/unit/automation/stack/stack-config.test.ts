import * as fc from "fast-check";
import { parse, stringify } from "yaml";
import { editText } from "../../../../automation/stack/config-text";
import { editValue, patchEdits, type Edit, type Vnfs } from "../../../../automation/stack/stack-config";
import { DEV_STACK } from "../../../support/dev-stack";

const scale = (vnf: string, key: string, value: number): Edit => ({ vnf, path: ["scale", key], value });
const heal = (vnf: string, key: string, value: string): Edit => ({ vnf, path: ["heal", key], value });
const config = (...lines: string[]) =>
  ["config:", "  vnfm:vnfs:", ...lines.map((line) => `    ${line}`), ""].join("\n");

describe("the repository's stack config", () => {
  it("has one number changed and every other byte kept", () => {
    expect(editText(DEV_STACK, [scale("vnf-a", "worker_instance", 2)])).toBe(
      DEV_STACK.replace(
        "scale: {worker_instance: 1} # two workers",
        "scale: {worker_instance: 2} # two workers",
      ),
    );
  });

  it("gets an aspect beside another", () => {
    expect(editText(DEV_STACK, [scale("vnf-a", "master_instance", 2)])).toBe(
      DEV_STACK.replace("{worker_instance: 1}", "{worker_instance: 1, master_instance: 2}"),
    );
  });

  it("gets a setting that the instance had not", () => {
    expect(editText(DEV_STACK, [heal("vnf-a", "workerNode-1", "2026-11-21T10:00:00.000Z")])).toBe(
      DEV_STACK.replace(
        "    vnf-a:\n      package: vnf-packages/kubernetes-cluster\n      flavour: simple\n",
        '$&      heal: {workerNode-1: "2026-11-21T10:00:00.000Z"}\n',
      ),
    );
    expect(editText(DEV_STACK, [scale("vnf-b", "api_aspect", 2)])).toBe(
      DEV_STACK.replace("      vim: vnf-a\n", "$&      scale: {api_aspect: 2}\n"),
    );
  });
});

describe("an edit", () => {
  const cases: readonly (readonly [string, string[], Edit[], string[]])[] = [
    [
      "keeps a comment behind the value",
      ["a:", "  scale:", "    x: 1 # one", "    # next", "    y: 0"],
      [scale("a", "x", 3)],
      ["a:", "  scale:", "    x: 3 # one", "    # next", "    y: 0"],
    ],
    [
      "adds to a block mapping, behind its comments",
      ["a:", "  scale:", "    x: 1 # one", "  vim: b"],
      [scale("a", "y", 2)],
      ["a:", "  scale:", "    x: 1 # one", "    y: 2", "  vim: b"],
    ],
    [
      "adds before a mapping of many lines",
      ["a:", "  images:", "    x: y"],
      [scale("a", "x", 1)],
      ["a:", "  scale: {x: 1}", "  images:", "    x: y"],
    ],
    [
      "leaves the comments of the first setting with it",
      ["a:", "  # of the images,", "  # all", "  images:", "    x: y"],
      [scale("a", "x", 1)],
      ["a:", "  scale: {x: 1}", "  # of the images,", "  # all", "  images:", "    x: y"],
    ],
    ["fills an empty mapping", ["a:", "  scale: {}"], [scale("a", "x", 1)], ["a:", "  scale: {x: 1}"]],
    [
      "fills a setting without a value",
      ["a:", "  scale: # later", "  vim: b"],
      [scale("a", "x", 1)],
      ["a:", "  scale: {x: 1} # later", "  vim: b"],
    ],
    [
      "fills null",
      ["a:", "  scale: ~", "  vim: b"],
      [scale("a", "x", 1)],
      ["a:", "  scale: {x: 1}", "  vim: b"],
    ],
    [
      "adds to an instance in flow style",
      ["a: {package: p, vim: b}"],
      [scale("a", "x", 1)],
      ["a: {package: p, vim: b, scale: {x: 1}}"],
    ],
    [
      "replaces a quoted token",
      ["a:", "  heal: {'w-1': '2026'}"],
      [heal("a", "w-1", "2027")],
      ["a:", "  heal: {'w-1': \"2027\"}"],
    ],
    [
      "reaches a setting however deep",
      ["a:", "  p:", "    q: {r: 1, s: v1}", "  vim: b"],
      [{ vnf: "a", path: ["p", "q", "s"], value: "v2" }],
      ["a:", "  p:", '    q: {r: 1, s: "v2"}', "  vim: b"],
    ],
    [
      "makes what is missing on the way to it",
      ["a:", "  package: p"],
      [{ vnf: "a", path: ["p", "q", "s"], value: 1 }],
      ["a:", "  package: p", "  p: {q: {s: 1}}"],
    ],
    [
      "makes several in turn",
      ["a:", "  package: p"],
      [heal("a", "w-1", "t"), heal("a", "w-2", "t")],
      ["a:", "  package: p", '  heal: {w-1: "t", w-2: "t"}'],
    ],
  ];

  it.each(cases)("%s", (_, before, edits, after) => {
    expect(editText(config(...before), edits)).toBe(config(...after));
  });

  it("works in a file of CRLF lines and without a last line end", () => {
    const before = "config:\r\n  vnfm:vnfs:\r\n    a:\r\n      package: p";
    expect(editText(before, [scale("a", "x", 1)])).toBe(`${before}\r\n      scale: {x: 1}`);
  });

  it.each([
    ["an alias", ["base: &base", "  package: p", "a: *base"]],
    ["a setting behind an alias", ["b:", "  scale: &s {x: 1}", "a:", "  scale: *s"]],
    ["what a merge key brings beside it", ["b: &b", "  scale: {x: 1, y: 1}", "a:", "  <<: *b", "  vim: c"]],
    ["what a merge key brings elsewhere", ["a: &a", "  scale: {x: 1}", "b:", "  <<: *a"]],
    ["an instance of a merge key", ["<<: {a: {package: p, scale: {x: 1}}}", "b: {}"]],
    ["a list", ["a: [1]"]],
  ])("refuses %s", (_, lines) => {
    expect(() => editText(config(...lines), [scale("a", "x", 2)])).toThrow(
      "vnfm:vnfs.a.scale.x: cannot be set in the file automatically; set it to 2 by hand",
    );
  });

  it("refuses a file that is no YAML", () => {
    expect(() => editText("config: {", [scale("a", "x", 2)])).toThrow("the stack config is not valid YAML");
  });

  it("means the same in the text and in the value", () => {
    const name = fc.constantFrom("a", "b", "c-1");
    const vnf = fc.record(
      { package: fc.string(), scale: fc.dictionary(name, fc.nat(9)), vim: fc.string() },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(vnf, name, fc.nat(9), fc.integer({ min: 1, max: 8 }), (instance, key, value, indent) => {
        const text = JSON.stringify({ config: { "vnfm:vnfs": { v: instance } } }, null, indent);
        const edited = parse(editText(text, [scale("v", key, value)])) as { config: Record<string, Vnfs> };
        expect(edited.config["vnfm:vnfs"]).toEqual(
          editValue({ vnfs: { v: instance } }, [scale("v", key, value)]).vnfs,
        );
      }),
    );
  });
});

describe("an instance", () => {
  const settings = { package: "p", additionalParams: { "lcm-kubernetes-def-files": ["f"], word: "yes" } };
  const put = (vnf: string, value: object | undefined): Edit => ({ vnf, path: [], value });

  it("is added at the end of the others, and every other byte is kept", () => {
    const text = "config:\n  vnfm:vnfs:\n    a: {package: p} # first\n    # more\n  other:x: 1\n";
    expect(editText(text, [put("tenant", { ...settings, vim: "a" })])).toBe(
      "config:\n  vnfm:vnfs:\n    a: {package: p} # first\n    tenant:\n      package: p\n      additionalParams:\n" +
        '        lcm-kubernetes-def-files:\n          - f\n        word: "yes"\n      vim: a\n    # more\n  other:x: 1\n',
    );
  });

  it.each([
    [
      "config:\n  vnfm:vnfs: {} # none\n",
      "config:\n  vnfm:vnfs:\n    a:\n      vim: b\n      x:\n        - 1 # none\n",
    ],
    ["config:\n  vnfm:vnfs:\n", "config:\n  vnfm:vnfs:\n    a:\n      vim: b\n      x:\n        - 1\n"],
    ["config: {'vnfm:vnfs': {}}\n", "config: {'vnfm:vnfs': {a: {vim: \"b\", x: [1]}}}\n"],
    [
      "config:\r\n  vnfm:vnfs:\r\n    b: {package: p}",
      "config:\r\n  vnfm:vnfs:\r\n    b: {package: p}\r\n    a:\r\n      vim: b\r\n      x:\r\n        - 1",
    ],
  ])("is added to %j", (text, edited) => {
    expect(editText(text, [put("a", { vim: "b", x: [1] })])).toBe(edited);
  });

  it.each([
    [
      "between others",
      ["a: {package: p} # first", "v: # gone", "  package: q", "# of b", "b: {}"],
      ["a: {package: p} # first", "# of b", "b: {}"],
    ],
    ["as the last one", ["a: {}", "v:", "  scale:", "    x: 1 # gone"], ["a: {}"]],
    ["in flow style, the first", ["# one line", "v: {package: p}", "a: {}"], ["# one line", "a: {}"]],
  ])("is taken out %s, and every other byte is kept", (_, before, after) => {
    expect(editText(config(...before), [put("v", undefined)])).toBe(config(...after));
  });

  it("is taken out as the only one, and leaves an empty mapping", () => {
    const text = "config:\n  vnfm:vnfs:\n    v:\n      package: p\n  other:x: 1\n";
    expect(editText(text, [put("v", undefined)])).toBe("config:\n  vnfm:vnfs: {}\n  other:x: 1\n");
    expect(editText("config: {'vnfm:vnfs': {v: {}, a: {}}}", [put("v", undefined)])).toBe(
      "config: {'vnfm:vnfs': {a: {}}}",
    );
    expect(editText("config: {'vnfm:vnfs': {a: {}, v: {}}}", [put("v", undefined)])).toBe(
      "config: {'vnfm:vnfs': {a: {}}}",
    );
  });

  it.each([
    ["that another is an alias of", ["v: &v {package: p}", "a: *v"]],
    ["of a merge key", ["<<: {v: {package: p}}", "a: {}"]],
  ])("%s is not taken out", (_, lines) => {
    expect(() => editText(config(...lines), [put("v", undefined)])).toThrow(
      "vnfm:vnfs.v: cannot be removed from the file automatically; remove it by hand",
    );
  });

  it("is not written into a merge key, and the message has the text to write by hand", () => {
    const text = config("<<: {v: {package: p}}", "a: {}");
    expect(() => editText(text, [{ vnf: "v", path: ["scale"], value: { x: 1, y: 1 } }])).toThrow(
      'vnfm:vnfs.v.scale: cannot be added to the file automatically; add it by hand:\nx: 1\n"y": 1\n',
    );
  });
});

describe("a merge patch of an instance", () => {
  const present = { package: "p", scale: { x: 1, y: 2 }, images: { m: "a" }, list: [1, 2] };

  it("is the edits of what it changes", () => {
    expect(
      patchEdits("v", present, {
        package: "q",
        scale: { x: null, z: 3 },
        list: [3],
        flavors: { m: "f", n: null },
        none: null,
      }),
    ).toEqual([
      { vnf: "v", path: ["package"], value: "q" },
      { vnf: "v", path: ["scale", "x"], value: undefined },
      { vnf: "v", path: ["scale", "z"], value: 3 },
      { vnf: "v", path: ["list"], value: [3] },
      { vnf: "v", path: ["flavors"], value: { m: "f" } },
    ]);
  });

  it("changes the settings that it names in the file, and keeps the others byte by byte", () => {
    const before = [
      "v:",
      "  package: p # of the site",
      "  scale: {x: 1, y: 2}",
      "  # by VDU",
      "  images:",
      "    m: 'a'",
      "    n: b # kept",
      "  list: [1, 2]",
    ];
    const patch = { package: "q", scale: { x: null }, images: { m: { secure: "v1:x" } }, list: [{ a: 1 }] };
    expect(
      editText(config(...before), patchEdits("v", { ...present, images: { m: "a", n: "b" } }, patch)),
    ).toBe(
      config(
        "v:",
        '  package: "q" # of the site',
        "  scale: {y: 2}",
        "  # by VDU",
        "  images:",
        '    m: {secure: "v1:x"}',
        "    n: b # kept",
        "  list:",
        "    - a: 1",
      ),
    );
  });

  it("takes a text in lines out whole, and keeps the line after it", () => {
    const before = ["v:", "  note: |-", "    a", "    b", "w: {}"];
    expect(editText(config(...before), patchEdits("v", { note: "a\nb" }, { note: { x: "" } }))).toBe(
      config("v:", '  note: {x: ""}', "w: {}"),
    );
  });

  it("means the same in the text and in the value", () => {
    const key = fc.constantFrom("a", "b", "c-1", "yes", "1");
    const leaf = fc.oneof(fc.constantFrom(null, true, 1, "yes", "1:20", "", " x", "a\nb", "#"), fc.string());
    const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.array(leaf, { maxLength: 2 }),
        fc.dictionary(key, tie("tree")),
      ),
    }));
    const map = fc.dictionary(key, tree, { maxKeys: 4 });
    const form = fc.constantFrom<(value: object) => string>(
      (value) => JSON.stringify(value),
      (value) => JSON.stringify(value, undefined, 2),
      (value) => stringify(value),
      (value) => stringify(value, { indent: 4, collectionStyle: "flow" }),
    );
    fc.assert(
      fc.property(map, map, form, (instance, patch, write) => {
        const clean = JSON.parse(JSON.stringify(instance)) as object;
        const edits = patchEdits("v", clean, patch);
        const text = write({ config: { "vnfm:vnfs": { u: {}, v: clean, w: { x: 1 } } } });
        const edited = parse(editText(text, edits)) as { config: Record<string, Vnfs> };
        const { vnfs } = editValue({ vnfs: { u: {}, v: clean as Vnfs[string], w: { x: 1 } } }, edits);
        expect(edited.config["vnfm:vnfs"]).toEqual(vnfs);
      }),
      { numRuns: 100 },
    );
  });
});

it.each(["constructor", "toString", "__proto__"])(
  "an edit sets a key %s that every object has as any other",
  (key) => {
    const { vnfs: edited } = editValue({ vnfs: { v: { package: "p" } } }, [
      scale("v", key, 2),
      heal(key, "a-1", "t"),
    ]);
    expect(JSON.parse(JSON.stringify(edited))).toEqual(
      JSON.parse(`{"v": {"package": "p", "scale": {"${key}": 2}}, "${key}": {"heal": {"a-1": "t"}}}`),
    );
  },
);
