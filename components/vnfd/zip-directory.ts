import { readSync } from "node:fs";

/** A file or folder in the central directory of a zip (PKWARE APPNOTE 4.3.12). */
export interface ZipEntry {
  readonly name: string;
  readonly rawName: Buffer;
  readonly flags: number;
  readonly method: number;
  readonly crc32: number;
  readonly compressedSize: number;
  readonly size: number;
  /** Unix file type bits (S_IFMT) if the zip was created on Unix; else 0. */
  readonly fileType: number;
  readonly headerOffset: number;
}

/** An error about a file that is no zip, or is damaged; the message is for the operator. */
export class ZipError extends Error {}

const END = 0x06054b50;
const END64 = 0x06064b50;
const END64_LOCATOR = 0x07064b50;
const ENTRY = 0x02014b50;
const MAX_DIRECTORY = 16 * 1024 * 1024;

/** Reads exactly `length` bytes of the file from `position`. */
export function readAt(fd: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const n = readSync(fd, buffer, done, length - done, position + done);
    if (n === 0) throw new ZipError("the zip is truncated");
    done += n;
  }
  return buffer;
}

/** Reads all entries of the central directory, and its offset in the file. */
export function readDirectory(
  fd: number,
  fileSize: number,
  maxEntries: number,
): { entries: ZipEntry[]; start: number } {
  const { count, size, start } = findDirectory(fd, fileSize);
  if (count > maxEntries) throw new ZipError(`has ${count} entries; at most ${maxEntries} are allowed`);
  if (size > MAX_DIRECTORY || start + size > fileSize) throw new ZipError("the zip's directory is damaged");
  const directory = readAt(fd, start, size);
  const entries: ZipEntry[] = [];
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + 46 > size || directory.readUInt32LE(at) !== ENTRY) {
      throw new ZipError("the zip's directory is damaged");
    }
    const nameEnd = at + 46 + directory.readUInt16LE(at + 28);
    const extraEnd = nameEnd + directory.readUInt16LE(at + 30);
    const end = extraEnd + directory.readUInt16LE(at + 32);
    if (end > size) throw new ZipError("the zip's directory is damaged");
    entries.push(
      readEntry(
        directory.subarray(at, at + 46),
        directory.subarray(at + 46, nameEnd),
        directory.subarray(nameEnd, extraEnd),
      ),
    );
    at = end;
  }
  return { entries, start };
}

/** Finds the end record, which is last in a zip: its comment must end exactly at the end of the file. */
function findDirectory(fd: number, fileSize: number): { count: number; size: number; start: number } {
  const tailSize = Math.min(fileSize, 22 + 0xffff);
  const tail = readAt(fd, fileSize - tailSize, tailSize);
  for (let at = tailSize - 22; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END || at + 22 + tail.readUInt16LE(at + 20) !== tailSize) continue;
    const count = tail.readUInt16LE(at + 10);
    const size = tail.readUInt32LE(at + 12);
    const start = tail.readUInt32LE(at + 16);
    const locator = at >= 20 && tail.readUInt32LE(at - 20) === END64_LOCATOR;
    if (!locator) return { count, size, start };
    const position = bigNumber(tail, at - 12);
    if (position + 56 > fileSize) throw new ZipError("the zip's directory is damaged");
    const end64 = readAt(fd, position, 56);
    if (end64.readUInt32LE(0) !== END64) throw new ZipError("the zip's directory is damaged");
    return { count: bigNumber(end64, 32), size: bigNumber(end64, 40), start: bigNumber(end64, 48) };
  }
  throw new ZipError("is not a zip");
}

function readEntry(fixed: Buffer, rawName: Buffer, extra: Buffer): ZipEntry {
  let name: string;
  try {
    name = new TextDecoder("utf-8", { fatal: true }).decode(rawName);
  } catch {
    throw new ZipError(`has a file name that is not UTF-8: ${JSON.stringify(rawName.toString("latin1"))}`);
  }
  const madeOn = fixed.readUInt8(5);
  const unix = madeOn === 3 || madeOn === 19;
  // values of 32 bits that do not fit stand in the ZIP64 extra field, in this order
  const wide = [fixed.readUInt32LE(24), fixed.readUInt32LE(20), fixed.readUInt32LE(42)];
  const zip64 = extraField(extra, 0x0001);
  let at = 0;
  const [size, compressedSize, headerOffset] = wide.map((value) => {
    if (value !== 0xffffffff) return value;
    if (zip64 === undefined || at + 8 > zip64.length) throw new ZipError("the zip's directory is damaged");
    at += 8;
    return bigNumber(zip64, at - 8);
  }) as [number, number, number];
  return {
    name,
    rawName,
    flags: fixed.readUInt16LE(8),
    method: fixed.readUInt16LE(10),
    crc32: fixed.readUInt32LE(16),
    compressedSize,
    size,
    fileType: unix ? (fixed.readUInt32LE(38) >>> 16) & 0o170000 : 0,
    headerOffset,
  };
}

function extraField(extra: Buffer, id: number): Buffer | undefined {
  for (let at = 0; at + 4 <= extra.length;) {
    const end = at + 4 + extra.readUInt16LE(at + 2);
    if (extra.readUInt16LE(at) === id) return extra.subarray(at + 4, end);
    at = end;
  }
  return undefined;
}

function bigNumber(buffer: Buffer, at: number): number {
  const value = buffer.readBigUInt64LE(at);
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw new ZipError("the zip's directory is damaged");
  return Number(value);
}
