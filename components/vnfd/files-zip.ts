import { closeSync, fstatSync, openSync } from "node:fs";
import { crc32, inflateRawSync } from "node:zlib";
import { limits } from "../base/limits";
import { PackageFault, type Fault, type PackageFiles } from "./model";
import { nearest } from "./nearest";
import { fromRoot, isImage, unsafePath } from "./paths";
import { readAt, readDirectory, ZipError, type ZipEntry } from "./zip-directory";

/**
 * Opens a package that is a CSAR zip (SOL004 4.1). Only the directory of the zip is read at once; a file is inflated on
 * demand, never beyond the size in the directory.
 *
 * vnfm reads the directory itself because yauzl has no synchronous API, and adm-zip and fflate load the whole archive,
 * including images of many GiB, into memory. Inflating and checksums are node's own.
 *
 * @param location name of the package in errors
 * @throws PackageFault
 */
export function openZip(location: string, path = location): PackageFiles {
  const zip = { location, path };
  const entries = withFile(zip, "", (fd) => {
    const { entries: found, start } = readDirectory(fd, fstatSync(fd).size, limits.entries);
    const entries = found
      .filter(({ name }) => name !== "./")
      .map((entry) => ({ ...entry, name: fromRoot(entry.name) }));
    const faults = checkEntries(entries, start);
    if (faults.length > 0) throw new PackageFault(location, faults);
    return new Map(entries.filter((e) => !isFolder(e)).map((e) => [e.name, e]));
  });
  return {
    list: () => [...entries.keys()],
    has: (file) => entries.has(file),
    read: (file) =>
      withFile(zip, file, (fd) => {
        const entry = entries.get(file);
        if (entry === undefined) {
          throw new ZipError(`is not in the package${nearest(file, [...entries.keys()])}`);
        }
        return readFile(fd, entry);
      }),
  };
}

function withFile<T>(
  { location, path }: { readonly location: string; readonly path: string },
  file: string,
  use: (fd: number) => T,
): T {
  const fd = openSync(path, "r");
  try {
    return use(fd);
  } catch (e) {
    if (!(e instanceof ZipError)) throw e;
    throw new PackageFault(location, [{ file, node: "", property: "", message: e.message }]);
  } finally {
    closeSync(fd);
  }
}

const LINK = 0o120000;

const isFolder = (e: ZipEntry) => e.name.endsWith("/");

function checkEntries(entries: readonly ZipEntry[], directoryStart: number): Fault[] {
  const faults: Fault[] = [];
  const add = (file: string, message: string) => void faults.push({ file, node: "", property: "", message });
  const names = new Set<string>();
  const safe: ZipEntry[] = [];
  let total = 0;
  for (const entry of entries) {
    const unsafe = unsafePath(entry.name);
    const message = unsafe ?? checkType(entry) ?? (isImage(entry.name) ? undefined : checkSize(entry));
    if (message !== undefined) add(entry.name.slice(0, limits.pathLength), message);
    if (unsafe === undefined) safe.push(entry);
    const name = entry.name.replace(/\/$/, "");
    if (names.has(name)) add(entry.name, "appears twice in the zip");
    names.add(name);
    if (!isImage(entry.name)) total += entry.size;
  }
  if (total > limits.packageBytes) {
    add(
      "",
      `the files have ${total} bytes together, images not counted; at most ${limits.packageBytes} are allowed`,
    );
  }
  const files = new Set(entries.filter((e) => !isFolder(e)).map((e) => e.name));
  for (const { name } of safe) {
    for (let at = name.indexOf("/"); at >= 0; at = name.indexOf("/", at + 1)) {
      if (files.has(name.slice(0, at))) add(name, `is inside ${name.slice(0, at)}, which is a file`);
    }
  }
  // entries that share their data are how a small zip declares very much
  const byOffset = [...entries].sort((a, b) => a.headerOffset - b.headerOffset);
  byOffset.forEach((entry, i) => {
    const end = entry.headerOffset + 30 + entry.rawName.length + entry.compressedSize;
    if (end > (byOffset[i + 1]?.headerOffset ?? directoryStart)) add(entry.name, "overlaps the next entry");
  });
  return faults;
}

function checkType(entry: ZipEntry): string | undefined {
  if (entry.flags & 0x2041) return "is encrypted; use an unencrypted package";
  // a link is a fault where something reads it
  if (![0, 0o100000, 0o040000, LINK].includes(entry.fileType)) return "is neither a file nor a folder";
  if (entry.method !== 0 && entry.method !== 8) {
    return `has compression method ${entry.method}; use deflate (8) or none (0)`;
  }
  if (entry.method === 0 && entry.size !== entry.compressedSize) return "is stored with a wrong size";
  return undefined;
}

function checkSize(entry: ZipEntry): string | undefined {
  const most = limits.packageBytes;
  if (entry.size > most) return `has ${entry.size} bytes; at most ${most} are allowed`;
  if (entry.compressedSize > most)
    return `has ${entry.compressedSize} bytes in the zip; at most ${most} are allowed`;
  if (entry.size > limits.ratioFrom && entry.size > limits.ratio * entry.compressedSize) {
    return `inflates ${entry.compressedSize} bytes to ${entry.size}; at most ${limits.ratio}-fold is allowed`;
  }
  return undefined;
}

function readFile(fd: number, entry: ZipEntry): Buffer {
  if (entry.fileType === LINK) throw new ZipError("is a link; a package can contain only files");
  const size = checkSize(entry);
  if (size !== undefined) throw new ZipError(size);
  const header = readAt(fd, entry.headerOffset, 30);
  const nameLength = header.readUInt16LE(26);
  const name = readAt(fd, entry.headerOffset + 30, nameLength);
  if (header.readUInt32LE(0) !== 0x04034b50 || !name.equals(entry.rawName)) {
    throw new ZipError("the zip's directory and its files do not match");
  }
  const start = entry.headerOffset + 30 + nameLength + header.readUInt16LE(28);
  const data = readAt(fd, start, entry.compressedSize);
  const content = entry.method === 0 ? data : inflate(data, entry.size);
  if (content.length !== entry.size) {
    throw new ZipError(`inflates to ${content.length} bytes; the zip declares ${entry.size}`);
  }
  if (crc32(content) !== entry.crc32) throw new ZipError("is damaged: its checksum is wrong");
  return content;
}

function inflate(data: Buffer, size: number): Buffer {
  try {
    return inflateRawSync(data, { maxOutputLength: Math.max(size, 1) });
  } catch (e) {
    if ((e as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") {
      throw new ZipError(`inflates to more than the ${size} bytes that the zip declares`);
    }
    throw new ZipError("is damaged: it does not inflate");
  }
}
