import { createHash } from "node:crypto";
import { loadPackage } from "../../../components/vnfd/package";
import { faultsOf, folderOf, vnfd, type Files } from "./support";

const digest = (algorithm: string, content: string) => createHash(algorithm).update(content).digest("hex");
const meta = "TOSCA-Metadata/TOSCA.meta";
const first = "TOSCA-Meta-File-Version: 1.0\nEntry-Definitions: Definitions/vnfd.yaml\n";
const faults = (files: Files) => faultsOf(() => loadPackage(folderOf(files)));
const files = (text: string, others: Files = {}) => ({
  [meta]: text,
  "Definitions/vnfd.yaml": vnfd,
  "Scripts/a.sh": "text",
  ...others,
});
const withMeta = (text: string, others: Files = {}) => faults(files(text, others));
const warnings = (text: string, others: Files = {}) => loadPackage(folderOf(files(text, others))).warnings;

test.each([
  ["SHA-224", "sha224"],
  ["SHA-256", "sha256"],
  ["SHA-512", "sha512"],
  ["sha256", "sha256"],
])("a right %s digest, in either case, with line ends of Windows", (name, algorithm) => {
  const hash = digest(algorithm, "text").toUpperCase();
  const text = `${first}\nName: Scripts/a.sh\nAlgorithm: ${name}\nHash: ${hash}\n`;
  expect(warnings(text)).toEqual([]);
  expect(warnings(text.replaceAll("\n", "\r\n"))).toEqual([]);
});

test.each<[string, string, string[]]>([
  [
    "a wrong digest",
    `${first}\nName: Scripts/a.sh\nAlgorithm: SHA-256\nHash: ${"0".repeat(64)}\n`,
    [
      `${meta}:4: Scripts/a.sh: Hash: the file has the SHA-256 digest ${digest("sha256", "text")}, not ${"0".repeat(64)}`,
    ],
  ],
  [
    "an algorithm that is none",
    `${first}\nName: Scripts/a.sh\nAlgorithm: MD5\nHash: 00\n`,
    [`${meta}:4: Scripts/a.sh: Algorithm: "MD5" is not known; use one of SHA-224, SHA-256, SHA-384, SHA-512`],
  ],
  [
    "a digest without algorithm",
    `${first}\nName: Scripts/a.sh\nHash: 00\n`,
    [`${meta}:4: Scripts/a.sh: Algorithm: "" is not known; use one of SHA-224, SHA-256, SHA-384, SHA-512`],
  ],
  [
    "files that are absent",
    `${first}\nName: Scripts/b.sh\nAlgorithm: SHA-256\nHash: 00\n\nName: Files/images/b.qcow2\n`,
    [
      `${meta}:4: Scripts/b.sh: is not in the package`,
      `${meta}:8: Files/images/b.qcow2: is not in the package`,
    ],
  ],
  [
    "entries without empty lines between them, of which the first two are wrong",
    `${first}Name: Scripts/b.sh\nName: Scripts/a.sh\nAlgorithm: SHA-256\nHash: 00\nName: Scripts/a.sh\nAlgorithm: SHA-256\nHash: ${digest("sha256", "text")}\n`,
    [
      `${meta}:3: Scripts/b.sh: is not in the package`,
      `${meta}:4: Scripts/a.sh: Hash: the file has the SHA-256 digest ${digest("sha256", "text")}, not 00`,
    ],
  ],
  [
    "names after the digests",
    `${first}\nAlgorithm: SHA-256\nHash: 00\nName: Scripts/a.sh\n`,
    [`${meta}:4: Scripts/a.sh: Hash: the file has the SHA-256 digest ${digest("sha256", "text")}, not 00`],
  ],
  [
    "a name from the root, in the form of a shell",
    `${first}\nName: ./Scripts/a.sh\nAlgorithm: SHA-256\nHash: 00\n`,
    [`${meta}:4: ./Scripts/a.sh: Hash: the file has the SHA-256 digest ${digest("sha256", "text")}, not 00`],
  ],
  [
    "an algorithm without a digest",
    `${first}\nName: Scripts/a.sh\nAlgorithm: SHA-256\n`,
    [`${meta}:4: Scripts/a.sh: Hash: is missing next to Algorithm: SHA-256; the file is not compared`],
  ],
  ["what is elsewhere", `${first}\nName: https://example.com/b.sh\nAlgorithm: SHA-256\nHash: 00\n`, []],
])("a digest in TOSCA.meta: %s", (_, text, expected) => {
  expect(warnings(text)).toEqual(expected);
});

test.each<[string, string, string[]]>([
  [
    "no entry",
    "TOSCA-Meta-File-Version: 1.0\n",
    [
      `${meta}: Entry-Definitions: is missing; it must contain the path of the VNFD, such as Definitions/vnfd.yaml`,
    ],
  ],
  [
    "an entry that is absent",
    "Entry-Definitions: Definitions/vnf.yaml\n",
    [
      `${meta}: Entry-Definitions: Definitions/vnf.yaml is not in the package; did you mean "Definitions/vnfd.yaml"?`,
    ],
  ],
  [
    "an entry outside",
    "Entry-Definitions: ../vnfd.yaml\n",
    [`${meta}:1: Entry-Definitions: "../vnfd.yaml": the path has ".."`],
  ],
  ["a continued line", "Entry-Definitions: Definitions/\n  vnfd.yaml\n", []],
  ["a byte order mark", "\uFEFFEntry-Definitions: Definitions/vnfd.yaml\n", []],
  ["a path in the form of a shell", "Entry-Definitions: ./Definitions/vnfd.yaml\n", []],
])("TOSCA.meta: %s", (_, text, expected) => {
  expect(withMeta(text)).toEqual(expected);
});

test("other definitions are read beside the entry", () => {
  const entry = vnfd.replace(/node_types:[\s\S]*?(?=topology_template:)/, "");
  const [types = ""] = /node_types:[\s\S]*?(?=topology_template:)/.exec(vnfd) ?? [];
  const read = (others: string) =>
    loadPackage(
      folderOf({
        [meta]: `${first}Other-Definitions: ${others}\n`,
        "Definitions/vnfd.yaml": entry,
        "Definitions/types.yaml": types,
      }),
    );
  for (const others of ["Definitions/types.yaml", '"./Definitions/types.yaml"'])
    expect(read(others).vnfd.provider).toBe("Acme");
  expect(read("Definitions/type.yaml, Definitions/types.yaml").warnings).toEqual([
    `${meta}:1: Other-Definitions: Definitions/type.yaml is not in the package; did you mean "Definitions/types.yaml"?`,
  ]);
});

test("the digest of an image is not taken", () => {
  const text = `${first}\nName: Files/images/a.qcow2\nAlgorithm: SHA-256\nHash: 00\n`;
  expect(warnings(text, { "Files/images/a.qcow2": "disk" })).toEqual([]);
});

const manifest = (hash: string) =>
  `metadata:\n  vnf_product_name: x\n\nSource: Scripts/a.sh\nAlgorithm: SHA-256\nHash: ${hash}\n\n-----BEGIN CMS-----\nSource: Scripts/a.sh\nHash: 11\n-----END CMS-----\n`;
const wrong = (file: string) =>
  `${file}:4: Scripts/a.sh: Hash: the file has the SHA-256 digest ${digest("sha256", "text")}, not 00`;

test("digests of the manifest, up to its signature", () => {
  const text = `${first}ETSI-Entry-Manifest: vnfd.mf\n`;
  expect(warnings(text, { "vnfd.mf": manifest(digest("sha256", "text")) })).toEqual([]);
  expect(warnings(text, { "vnfd.mf": manifest("00") })).toEqual([wrong("vnfd.mf")]);
});

test.each(["ETSI-Entry-Manifest", "Entry-Manifest"])("a manifest without empty lines, named by %s", (key) => {
  const listed = (name: string, hash: string) => `Source: ${name}\nAlgorithm: SHA-256\nHash: ${hash}\n`;
  const right = digest("sha256", "text");
  const mf = `metadata:\n  vnf_product_name: x\n${listed("Scripts/a.sh", "00")}${listed("Scripts/b.sh", right)}${listed("Scripts/a.sh", right)}`;
  expect(warnings(`${first}${key}: ./vnfd.mf\n`, { "vnfd.mf": `\uFEFF${mf}` })).toEqual([
    `vnfd.mf:3: Scripts/a.sh: Hash: the file has the SHA-256 digest ${right}, not 00`,
    "vnfd.mf:6: Scripts/b.sh: is not in the package",
  ]);
});

test("a manifest that nothing names", () => {
  expect(warnings(first, { "vnfd.mf": manifest("00") })).toEqual([
    `vnfd.mf: is not read: ${meta} has no ETSI-Entry-Manifest, the path of the manifest`,
  ]);
});

test("a manifest that TOSCA.meta names and that is absent, or has another name than the VNFD", () => {
  const key = `${meta}: ETSI-Entry-Manifest`;
  const text = `${first}ETSI-Entry-Manifest: Definitions/vnf.mf\n`;
  expect(warnings(text, { "vnfd.mf": manifest("00") })).toEqual([
    `${key}: Definitions/vnf.mf is not in the package; there is vnfd.mf; no digests are compared with a manifest`,
    `vnfd.mf: is not read: ETSI-Entry-Manifest of ${meta} is the path of the manifest`,
  ]);
  expect(warnings(text, { "Definitions/vnf.mf": manifest("00") })).toEqual([
    `${key}: Definitions/vnf.mf is read, although the manifest of Definitions/vnfd.yaml should have the name vnfd.mf`,
    wrong("Definitions/vnf.mf"),
  ]);
});

test("a package without TOSCA.meta has its manifest in the root, with the name of the VNFD", () => {
  const without = (others: Files) =>
    loadPackage(folderOf({ "vnfd.yaml": vnfd, "Scripts/a.sh": "text", ...others })).warnings;
  expect(without({ "vnfd.mf": manifest(digest("sha256", "text")) })).toEqual([]);
  expect(without({ "vnfd.mf": manifest("00"), "vnf.mf": manifest("00") })).toEqual([
    `vnf.mf: is not read: the manifest of a package without ${meta} has the name of its VNFD, vnfd.mf`,
    wrong("vnfd.mf"),
  ]);
});

test.each<[string, Files, string]>([
  ["no VNFD", { "README.md": "" }, "is missing, and there is no VNFD (a .yaml file) in the package's root"],
  [
    "two",
    { "a.yaml": vnfd, "b.yml": vnfd },
    "is missing, and the package's root has more than one .yaml file: a.yaml, b.yml",
  ],
  [
    "a folder too many",
    { [`pkg/${meta}`]: first },
    `is missing, but there is pkg/${meta}: pack the content of pkg/, not the folder itself`,
  ],
])("without TOSCA.meta: %s", (_, files, message) => {
  expect(faults(files)).toEqual([`${meta}: ${message}`]);
});
