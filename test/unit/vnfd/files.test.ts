import {
  createWriteStream,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { ZipFile } from "yazl";
import { openFolder } from "../../../components/vnfd/files-folder";
import { openZip } from "../../../components/vnfd/files-zip";
import { PackageFault } from "../../../components/vnfd/model";
import { loadPackage } from "../../../components/vnfd/package";
import { faultsOf, fileOf, folderOf, temporaryFolder, vnfd, zipOf, type Entry } from "./support";

const MiB = 1024 * 1024;
const limit = 256 * MiB;

describe("zip", () => {
  test("a package zipped by another program loads as its folder does", async () => {
    const zip = new ZipFile();
    zip.addBuffer(Buffer.from(vnfd), "vnfd.yaml");
    zip.addBuffer(Buffer.from("#!/bin/sh\n"), "Scripts/run.sh", { compress: false });
    zip.addEmptyDirectory("Files/");
    zip.end();
    const path = join(temporaryFolder(), "package.csar");
    await pipeline(zip.outputStream, createWriteStream(path));
    const loaded = loadPackage(path);
    expect(loaded.vnfd).toEqual(loadPackage(folderOf({ "vnfd.yaml": vnfd })).vnfd);
    expect(loaded.files.list()).toEqual(["vnfd.yaml", "Scripts/run.sh"]);
    expect(loaded.files.read("Scripts/run.sh").toString()).toBe("#!/bin/sh\n");
    expect(loaded.files.has("Files/")).toBe(false);
  });

  test("ZIP64 sizes, an archive comment, an empty file", () => {
    const files = openZip(zipOf([{ name: "a", data: "text", zip64: true }, { name: "b" }], "a comment"));
    expect(files.read("a").toString()).toBe("text");
    expect(files.read("b")).toHaveLength(0);
  });

  test.each<[string, Entry[], string[]]>([
    ["absolute", [{ name: "/etc/passwd" }], ["/etc/passwd: the path is absolute"]],
    ["drive", [{ name: "C:/x" }], ["C:/x: the path is absolute"]],
    ["parent", [{ name: "a/../../x" }], ['a/../../x: the path has ".."']],
    [
      "backslash",
      [{ name: "..\\x" }],
      ["..\\x: the path has a backslash; a package's paths have forward slashes"],
    ],
    ["NUL", [{ name: "a\0b" }], ["a\\u0000b: the path has a NUL character"]],
    ["no name", [{ name: "" }], ["the path is empty"]],
    ["device", [{ name: "d", mode: 0o020666 }], ["d: is neither a file nor a folder"]],
    [
      "a deflated size over 2 GiB",
      [{ name: "a", compressedSize: 2 ** 31 + 1 }],
      ["a: has 2147483649 bytes in the zip; at most 268435456 are allowed", "a: overlaps the next entry"],
    ],
    ["twice", [{ name: "a" }, { name: "a" }], ["a: appears twice in the zip"]],
    [
      "a name that would write to a terminal",
      [{ name: "../\u001b[2J\nall is well\u202e" }],
      ['../\\u001b[2J\\u000aall is well\\u202e: the path has ".."'],
    ],
    ["file and folder", [{ name: "a" }, { name: "a/b" }], ["a/b: is inside a, which is a file"]],
    ["encrypted", [{ name: "a", flags: 1 }], ["a: is encrypted; use an unencrypted package"]],
    ["method", [{ name: "a", method: 12 }], ["a: has compression method 12; use deflate (8) or none (0)"]],
    [
      "stored, wrong size",
      [{ name: "a", data: "x", stored: true, declaredSize: 2 }],
      ["a: is stored with a wrong size"],
    ],
    [
      "bomb",
      [{ name: "a", data: Buffer.alloc(2 * MiB) }],
      [
        `a: inflates ${deflateRawSync(Buffer.alloc(2 * MiB)).length} bytes to 2097152; at most 100-fold is allowed`,
      ],
    ],
    [
      "large",
      [{ name: "a", data: "x", declaredSize: limit + 1 }],
      [
        `a: has ${limit + 1} bytes; at most ${limit} are allowed`,
        `the files have ${limit + 1} bytes together, images not counted; at most ${limit} are allowed`,
      ],
    ],
    [
      "shared data",
      [
        { name: "a", data: "text" },
        { name: "b", data: "text", offset: 0 },
      ],
      ["a: overlaps the next entry"],
    ],
    [
      "all at once",
      [{ name: "/a" }, { name: "b", flags: 1 }],
      ["/a: the path is absolute", "b: is encrypted; use an unencrypted package"],
    ],
    [
      "not UTF-8",
      [{ name: Buffer.from([0xff]) }],
      ['has a file name that is not UTF-8: "\\u00ff"'.replace("\\u00ff", "ÿ")],
    ],
  ])("refused: %s", (_, entries, expected) => {
    expect(faultsOf(() => openZip(zipOf(entries)))).toEqual(expected);
  });

  test("a link is refused where it is read, and hides no other file", () => {
    const files = openZip(
      zipOf([
        { name: "l", data: "/etc/passwd", mode: 0o120777 },
        { name: "a", data: "text" },
      ]),
    );
    expect(faultsOf(() => files.read("l"))).toEqual(["l: is a link; a package can contain only files"]);
    expect(files.read("a").toString()).toBe("text");
  });

  test("refused: too many entries", () => {
    const entries = Array.from({ length: 10_001 }, (_, i) => ({ name: `f${i}`, stored: true }));
    expect(faultsOf(() => openZip(zipOf(entries)))).toEqual(["has 10001 entries; at most 10000 are allowed"]);
    expect(openZip(zipOf(entries.slice(1))).list()).toHaveLength(10_000);
  });

  test.each<[string, Entry, string]>([
    [
      "more than declared",
      { name: "a", data: "longer", declaredSize: 3 },
      "a: inflates to more than the 3 bytes that the zip declares",
    ],
    [
      "less than declared",
      { name: "a", data: "short", declaredSize: 9 },
      "a: inflates to 5 bytes; the zip declares 9",
    ],
    ["checksum", { name: "a", data: "text", crc: 1 }, "a: is damaged: its checksum is wrong"],
    [
      "no deflate",
      { name: "a", data: "text", stored: true, method: 8 },
      "a: is damaged: it does not inflate",
    ],
    [
      "another local name",
      { name: "a", localName: "b" },
      "a: the zip's directory and its files do not match",
    ],
  ])("refused when read: %s", (_, entry, expected) => {
    const files = openZip(zipOf([entry]));
    expect(faultsOf(() => files.read("a"))).toEqual([expected]);
  });

  test("a file that is not in it", () => {
    const files = openZip(zipOf([{ name: "Files/a.yaml" }]));
    expect(faultsOf(() => files.read("Files/b.yaml"))).toEqual([
      "Files/b.yaml: is not in the package; there is Files/a.yaml",
    ]);
  });

  test("images are neither counted nor inflated before they are read", () => {
    const image = { name: "Files/images/disk.qcow2", data: "x", declaredSize: limit + 1 };
    const path = zipOf([image, { name: "vnfd.yaml", data: vnfd }]);
    expect(loadPackage(path).files.has(image.name)).toBe(true);
    expect(faultsOf(() => loadPackage(path).files.read(image.name))).toEqual([
      `Files/images/disk.qcow2: has ${limit + 1} bytes; at most ${limit} are allowed`,
    ]);
  });

  test.each([
    ["empty", Buffer.alloc(0)],
    ["text", Buffer.from("this is not a zip")],
    [
      "something after the end record",
      Buffer.concat([readFileSync(zipOf([{ name: "a" }])), Buffer.from("more")]),
    ],
  ])("refuses a file that is no zip: %s", (_, content) => {
    expect(faultsOf(() => openZip(fileOf(content)))).toEqual(["is not a zip"]);
  });

  test("a directory that points nowhere", () => {
    const content = readFileSync(zipOf([{ name: "a" }]));
    const end = content.length - 22;
    const changed = (at: number, value: number) => {
      const copy = Buffer.from(content);
      copy.writeUInt32LE(value, end + at);
      return faultsOf(() => openZip(fileOf(copy)));
    };
    expect(changed(16, 0xfffffff0)).toEqual(["the zip's directory is damaged"]);
    expect(changed(12, 0xfffffff0)).toEqual(["the zip's directory is damaged"]);
    expect(changed(8, 0x00050005)).toEqual(["the zip's directory is damaged"]);
    expect(changed(16, 3)).toEqual(["the zip's directory is damaged"]);
  });

  test("a zip with bytes changed at random opens or has faults, and never fails otherwise", () => {
    const content = readFileSync(
      zipOf([
        { name: "vnfd.yaml", data: vnfd },
        { name: "b/c", data: "text", zip64: true },
      ]),
    );
    let refused = 0;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(content.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        fc.boolean(),
        (changes, nearEnd) => {
          const copy = Buffer.from(content);
          for (const [at, value] of changes) copy[nearEnd ? copy.length - 1 - (at % 200) : at] = value;
          const path = fileOf(copy);
          try {
            const files = openZip(path);
            files.list().forEach((f) => files.read(f));
          } catch (e) {
            expect(e).toBeInstanceOf(PackageFault);
            refused++;
          }
        },
      ),
      { numRuns: 300 },
    );
    expect(refused).toBeGreaterThan(50);
  });
});

describe("folder", () => {
  test("names with forward slashes, .git left out, contents read when asked for", () => {
    const folder = folderOf({ "b/c.yaml": "1", "a.yaml": "2", ".git/config": "x" });
    const files = openFolder(folder);
    expect(files.list()).toEqual(["a.yaml", "b/c.yaml"]);
    writeFileSync(join(folder, "a.yaml"), "changed");
    expect(files.read("a.yaml").toString()).toBe("changed");
    expect(faultsOf(() => files.read("../a.yaml"))).toEqual([
      '../a.yaml: is not in the package; did you mean "a.yaml"?',
    ]);
  });

  test("links that leave the package or lead nowhere are refused where they are read", () => {
    const outside = folderOf({ secret: "x" });
    const folder = folderOf({ "files/a": "inside" });
    symlinkSync("files/a", join(folder, "link"));
    symlinkSync("files", join(folder, "alias"));
    expect(openFolder(folder).read("link").toString()).toBe("inside");
    expect(openFolder(folder).read("alias/a").toString()).toBe("inside");
    symlinkSync(join(outside, "secret"), join(folder, "out"));
    symlinkSync("nowhere", join(folder, "broken"));
    symlinkSync("..", join(folder, "files/up"));
    symlinkSync("../files", join(folder, "files/loop"));
    rmSync(join(folder, "alias"));
    const files = openFolder(folder);
    expect(files.read("link").toString()).toBe("inside");
    expect(files.list()).toEqual(["files/a", "link", "broken", "files/loop", "files/up", "out"]);
    const read = ["broken", "files/loop", "files/up/a", "out"].filter((path) => files.has(path));
    expect(read.flatMap((path) => faultsOf(() => files.read(path)))).toEqual([
      "broken: is a link to a file that does not exist",
      "files/loop: is a link to a folder that it is in",
      "files/up: is a link to a target outside the package",
      "out: is a link to a target outside the package",
    ]);
  });

  test("large files are not read into memory", () => {
    const folder = folderOf({ "Files/images/disk": "" });
    truncateSync(join(folder, "Files/images/disk"), limit + 1);
    expect(faultsOf(() => openFolder(folder).read("Files/images/disk"))).toEqual([
      `Files/images/disk: has ${limit + 1} bytes; files over ${limit} are not read into memory`,
    ]);
  });

  test("too many files", () => {
    const folder = temporaryFolder();
    // each link to a folder has all of its files once more
    mkdirSync(join(folder, "f"));
    for (let i = 0; i < 101; i++) writeFileSync(join(folder, "f", `${i}`), "");
    for (let i = 0; i < 100; i++) symlinkSync("f", join(folder, `${i}`));
    expect(faultsOf(() => openFolder(folder))).toEqual([
      expect.stringMatching(/: the package has more than 10000 files and folders$/),
    ]);
  });

  test("neither a folder nor a file", () => {
    expect(() => loadPackage("/nowhere/at/all")).toThrow(
      "VNF package /nowhere/at/all is not valid:\n  there is no such folder or zip",
    );
  });
});
