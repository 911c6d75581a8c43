/** Packages that are small and would take a reader minutes, or its memory. */
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openFolder } from "../../../components/vnfd/files-folder";
import { openZip } from "../../../components/vnfd/files-zip";
import { loadPackage } from "../../../components/vnfd/package";
import { bytesOf } from "../../../components/vnfd/scalar";
import { within } from "../../support/within";
import { faultsOf, folderOf, packageOf, replaced, temporaryFolder, vnfd, zipOf } from "./support";

const lines = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => line(i)).join("\n");

/** Faults of a package with that at the end of its VNFD. */
const faultsWith = (end: string) => within(3, () => faultsOf(() => loadPackage(packageOf(vnfd + end))));

/** The same with that in front of its node templates. */
const faultsWithTemplates = (text: string, ...changes: [string, string][]) =>
  within(3, () =>
    faultsOf(() =>
      loadPackage(packageOf(replaced(["  node_templates:\n", `  node_templates:\n${text}\n`], ...changes))),
    ),
  );

test("a size with blanks", () => {
  expect(within(1, () => bytesOf(`1${" ".repeat(80_000)}!`, "MB"))).toBeUndefined();
});

test("a line of TOSCA.meta with blanks", () => {
  const files = {
    "TOSCA-Metadata/TOSCA.meta": `Entry-Definitions: vnfd.yaml\nX:${" ".repeat(80_000)}a\u2028b\n`,
    "vnfd.yaml": vnfd,
  };
  expect(within(2, () => faultsOf(() => loadPackage(folderOf(files))))).toEqual([]);
});

test("one file that the manifest lists thousands of times", () => {
  const block = (algorithm: string) => `Source: big\nAlgorithm: ${algorithm}\nHash: 0\n`;
  const folder = folderOf({ "vnfd.yaml": vnfd, big: "", "vnfd.mf": lines(900, () => block("SHA-512")) });
  truncateSync(join(folder, "big"), 8 * 1024 * 1024);
  const { warnings } = within(3, () => loadPackage(folder));
  expect(warnings).toHaveLength(900);
});

test("a manifest that lists thousands of files that are not there", () => {
  const mf = lines(5_000, (i) => `Source: f${i}\n`);
  const faults = within(2, () => faultsOf(() => loadPackage(folderOf({ "vnfd.yaml": vnfd, "vnfd.mf": mf }))));
  expect(faults).toEqual(["has more than 1000 errors or warnings; the rest was not read"]);
});

test("an import whose name is nearly that of ETSI's types", () => {
  const name = `etsi_nfv_sol001_${"types".repeat(30_000)}`;
  const [fault = ""] = within(2, () =>
    faultsOf(() => loadPackage(packageOf(replaced(["etsi_nfv_sol001_vnfd_types.yaml", name])))),
  );
  expect(fault.slice(-60)).toMatch(/is not in the package; there is no other$/);
});

test("thousands of imports that are not there", () => {
  const files: Record<string, string> = {};
  for (let i = 0; i < 1_050; i++) files[`Definitions/a${i}.yaml`] = "";
  files["vnfd.yaml"] = vnfd.replace(
    "imports:\n",
    `imports:\n${lines(1_050, (i) => `  - Definitions/b${i}.yaml`)}\n`,
  );
  const folder = folderOf(files);
  const faults = within(3, () => faultsOf(() => loadPackage(folder)));
  expect(faults[0]).toBe("has more than 1000 errors or warnings; the rest was not read");
});

test("mappings that each merge the one before", () => {
  const merges = lines(1_500, (i) => `  - &m${i} {${i === 0 ? "" : `<<: *m${i - 1}, `}k${i}: 1}`);
  expect(faultsWith(`\nx:\n${merges}\n`)).toEqual([
    expect.stringMatching(
      /^vnfd\.yaml:\d+: column \d+: has aliases that expand to more than 1048576 bytes, which is the limit$/,
    ),
    expect.stringMatching(/is nested deeper than 200 levels, which is the limit$/),
    expect.stringMatching(/has more than 2000 anchors and aliases, which is the limit$/),
  ]);
});

test("aliases that double what they stand for", () => {
  const doubled = lines(60, (i) => `  - &d${i} ${i === 0 ? "[1]" : `[*d${i - 1}, *d${i - 1}]`}`);
  expect(faultsWith(`\nx:\n${doubled}\n`)).toEqual([
    expect.stringMatching(
      /column \d+: has aliases that expand to more than 1048576 bytes, which is the limit$/,
    ),
  ]);
});

test("thousands of aliases", () => {
  expect(faultsWith(`\nx:\n  - &a 1\n${lines(30_000, () => "  - *a")}\n`)).toEqual([
    expect.stringMatching(/column \d+: has more than 2000 anchors and aliases, which is the limit$/),
  ]);
});

test("aliases of a large file", () => {
  const many = lines(20_000, (i) => `  k${i}: ${i}`);
  const aliases = lines(1_900, () => "  - *a");
  expect(faultsWith(`\nx:\n${many}\ny:\n  - &a 1\n${aliases}\n`)).toEqual([]);
});

test("a mapping of half a megabyte", () => {
  expect(faultsWith(`\nx:\n${lines(40_000, (i) => `  k${i}: 1`)}\n`)).toEqual([]);
});

test("a mapping of half a megabyte with a key that is there twice", () => {
  expect(faultsWith(`\nx:\n${lines(40_000, (i) => `  k${i}: 1`)}\n  k7: 2\n`)).toEqual([
    expect.stringMatching(/^vnfd\.yaml:\d+: column 3: a key appears twice in a mapping$/),
  ]);
});

test("mappings in each other", () => {
  expect(faultsWith(`\nx: ${"{a: ".repeat(250)}1${"}".repeat(250)}\n`)).toEqual([
    expect.stringMatching(
      /^vnfd\.yaml:\d+: column \d+: is nested deeper than 200 levels, which is the limit$/,
    ),
  ]);
});

test("a file with nothing but errors", () => {
  const faults = within(3, () => faultsOf(() => loadPackage(packageOf("}\n".repeat(30_000)))));
  expect(faults).toHaveLength(20);
});

test("types that are derived from each other", () => {
  const types = lines(5_000, (i) => `  t${i}: { derived_from: t${i + 1} }`);
  const templates = lines(500, (i) => `    N${i}: { type: t${i} }`);
  const faults = faultsWithTemplates(templates, ["node_types:\n", `node_types:\n${types}\n`]);
  expect(faults[0]).toMatch(
    /^vnfd\.yaml:\d+: N0: type: t0 is derived through more than 20 types, which is the limit$/,
  );
  expect(faults).toHaveLength(500);
});

test("thousands of names that are mistyped", () => {
  const templates = lines(
    4_000,
    (i) => `    VDU${i}x: { type: tosca.nodes.nfv.VduCp, requirements: [virtual_binding: VD${i}x] }`,
  );
  const [first] = within(3, () =>
    faultsOf(() =>
      loadPackage(packageOf(replaced(["  node_templates:\n", `  node_templates:\n${templates}\n`]))),
    ),
  );
  expect(first).toBe("has more than 1000 errors or warnings; the rest was not read");
});

test("a list that is too long", () => {
  expect(
    faultsWithTemplates(`    N: { type: tosca.nodes.nfv.VduCp, requirements: [${"{},".repeat(10_001)}] }`),
  ).toContainEqual(
    expect.stringMatching(/^vnfd\.yaml:\d+: N: requirements: has 10001 entries; at most 10000 are allowed$/),
  );
});

test("the same property passed over in thousands of places", () => {
  const templates = lines(
    9_000,
    (i) => `    L${i}: { type: tosca.nodes.nfv.VnfVirtualLink, properties: { odd: 1 } }`,
  );
  expect(faultsWithTemplates(templates)).toEqual([]);
});

test("two links in each folder", () => {
  const folder = temporaryFolder();
  for (let i = 0; i < 40; i++) {
    mkdirSync(join(folder, `d${i}`));
    if (i === 0) continue;
    for (const name of ["a", "b"]) symlinkSync(`../d${i - 1}`, join(folder, `d${i}`, name));
  }
  expect(within(3, () => faultsOf(() => openFolder(folder))).at(-1)).toMatch(
    /: the package has more than 10000 files and folders$/,
  );
});

test("names of many slashes in a zip", () => {
  const deep = (i: number) => `${i}/`.repeat(15_000);
  const zip = zipOf(Array.from({ length: 60 }, (_, i) => ({ name: `${deep(i + 1)}f`, data: "" })));
  const faults = within(2, () => faultsOf(() => openZip(zip)));
  expect(faults).toHaveLength(60);
  expect(faults[0]).toBe(
    `${deep(1).slice(0, 1_000)}: the path has 30001 characters; at most 1000 are allowed`,
  );
});

test("TOSCA files that are too large together", () => {
  const half = `# ${"x".repeat(1024 * 1024)}\n`;
  const files = { "vnfd.yaml": `imports: [ b.yaml ]\n${half}`, "b.yaml": half };
  const folder = folderOf({ "TOSCA-Metadata/TOSCA.meta": "Entry-Definitions: vnfd.yaml\n", ...files });
  expect(faultsOf(() => loadPackage(folder))).toEqual([
    `b.yaml: has 2097178 bytes; a package's TOSCA files together may have at most 2097152`,
  ]);
});

test("a manifest that is too large", () => {
  const mf = "x".repeat(4 * 1024 * 1024 + 1);
  expect(faultsOf(() => loadPackage(folderOf({ "vnfd.yaml": vnfd, "vnfd.mf": mf })))).toEqual([
    "vnfd.mf: has 4194305 bytes; TOSCA.meta or a manifest may have at most 4194304",
  ]);
});

test("a folder whose files are too large together", () => {
  const folder = folderOf({ "vnfd.yaml": vnfd, a: "", b: "" });
  for (const name of ["a", "b"]) truncateSync(join(folder, name), 200 * 1024 * 1024);
  expect(faultsOf(() => openFolder(folder))).toEqual([
    expect.stringMatching(
      /^the files have 4194\d{5} bytes together, images not counted; at most 268435456 are allowed$/,
    ),
  ]);
});

test("user data that are too large", () => {
  const folder = packageOf(
    replaced([
      "        name: one\n",
      "        name: one\n        boot_data: { content_or_file_data: { source_path: big } }\n",
    ]),
  );
  writeFileSync(join(folder, "big"), "x".repeat(1024 * 1024 + 1));
  expect(faultsOf(() => loadPackage(folder))).toEqual([
    expect.stringMatching(/: big has 1048577 bytes; user data may have at most 1048576$/),
  ]);
});
