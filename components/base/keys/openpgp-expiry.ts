import { createHash } from "node:crypto";
import { timestamp } from "../expiry";

/**
 * Returns the time when the last public key in a keyring expires, by RFC 9580. The expiry of keys that do not have
 * version 4, or a form that no exporter writes, is unknown.
 *
 * @param keyring keys in binary form, as by `publicKeys`
 * @returns ISO 8601; undefined if it is unknown, or if a key does not expire
 */
export function keyringExpiry(keyring: Buffer): string | undefined {
  const ends = keysOf(packetsOf(keyring)).map(keyExpiry);
  if (!ends.every((end) => end !== undefined)) return undefined;
  return ends.length === 0 ? undefined : timestamp(Math.max(...ends) * 1000);
}

interface Packet {
  readonly tag: number;
  readonly body: Buffer;
}

/** A public key with its self-signatures. */
interface Key {
  readonly body: Buffer;
  readonly signatures: readonly Signature[];
}

interface Signature {
  readonly type: number;
  /** Time of creation, in seconds since the epoch. */
  readonly created: number;
  /** Expiry in seconds after the key's creation; 0 means never. */
  readonly keyExpires: number;
}

const PUBLIC_KEY = 6;
const SIGNATURE = 2;

/** Splits bytes into packets, up to the first one of unknown length (4.2). */
function packetsOf(bytes: Buffer): Packet[] {
  const packets: Packet[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const header = bytes[offset] ?? 0;
    const isNew = (header & 0x40) !== 0;
    const tag = isNew ? header & 0x3f : (header & 0x3f) >> 2;
    const [size, length] = isNew ? newLength(bytes, offset + 1) : oldLength(bytes, offset + 1, header & 3);
    const begin = offset + 1 + size;
    if (length === undefined || begin + length > bytes.length) return [];
    packets.push({ tag, body: bytes.subarray(begin, begin + length) });
    offset = begin + length;
  }
  return packets;
}

type Length = readonly [size: number, length: number | undefined];

/** Parses a length of packets and subpackets (4.2.1, 5.2.3.7). Undefined for partial lengths, which keys do not use. */
function newLength(bytes: Buffer, offset: number): Length {
  const [first = 0, second = 0] = bytes.subarray(offset, offset + 2);
  if (first < 192) return [1, first];
  if (first < 224) return [2, (first - 192) * 256 + second + 192];
  return first === 255 && offset + 5 <= bytes.length ? [5, bytes.readUInt32BE(offset + 1)] : [1, undefined];
}

function oldLength(bytes: Buffer, offset: number, kind: number): Length {
  const size = [1, 2, 4][kind];
  if (size === undefined || offset + size > bytes.length) return [0, undefined];
  return [size, bytes.readUIntBE(offset, size)];
}

function keysOf(packets: readonly Packet[]): Key[] {
  const begins = packets.flatMap(({ tag }, i) => (tag === PUBLIC_KEY ? [i] : []));
  return begins.map((begin, i) => {
    const { body = Buffer.of() } = packets[begin] ?? {};
    const id = keyId(body);
    const ofKey = packets.slice(begin + 1, begins[i + 1]).filter(({ tag }) => tag === SIGNATURE);
    return { body, signatures: ofKey.flatMap((packet) => signatureOf(packet.body, id) ?? []) };
  });
}

/** Fingerprint of a version 4 key (5.5.4.2). */
function keyId(body: Buffer): Buffer {
  const length = Buffer.of(0x99, body.length >> 8, body.length & 0xff);
  return createHash("sha1").update(length).update(body).digest().subarray(-8);
}

const CREATED = 2;
const KEY_EXPIRES = 9;
const ISSUER = 16;
const ISSUER_FINGERPRINT = 33;

/** Parses a self-signature of version 4. */
function signatureOf(body: Buffer, issuer: Buffer): Signature | undefined {
  if (body[0] !== 4 || body.length < 8) return undefined;
  const hashedEnd = 6 + body.readUInt16BE(4);
  if (hashedEnd + 2 > body.length) return undefined;
  const hashed = subpackets(body.subarray(6, hashedEnd));
  const others = subpackets(body.subarray(hashedEnd + 2, hashedEnd + 2 + body.readUInt16BE(hashedEnd)));
  const all = [...hashed, ...others];
  const isOwn = [ISSUER, ISSUER_FINGERPRINT].some((kind) => valueOf(all, kind)?.subarray(-8).equals(issuer));
  return isOwn
    ? { type: body[1] ?? 0, created: number(hashed, CREATED), keyExpires: number(hashed, KEY_EXPIRES) }
    : undefined;
}

/** Reads subpackets. The tag is the subpacket's type, without the bit that marks it as critical. */
function subpackets(bytes: Buffer): Packet[] {
  const found: Packet[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const [size, length] = newLength(bytes, offset);
    if (!length) break;
    const body = bytes.subarray(offset + size, offset + size + length);
    found.push({ tag: (body[0] ?? 0) & 0x7f, body: body.subarray(1) });
    offset += size + length;
  }
  return found;
}

function valueOf(all: readonly Packet[], kind: number): Buffer | undefined {
  return all.find(({ tag }) => tag === kind)?.body;
}

function number(all: readonly Packet[], kind: number): number {
  const value = valueOf(all, kind);
  return value?.length === 4 ? value.readUInt32BE() : 0;
}

const DIRECT_KEY = 0x1f;
const CERTIFICATIONS = [0x10, 0x11, 0x12, 0x13];

/**
 * Returns the expiry in seconds since the epoch. Like in GnuPG, the newest signature with an expiry counts: one over
 * the key itself, else one over a user id.
 */
function keyExpiry({ body, signatures }: Key): number | undefined {
  if (body[0] !== 4 || body.length < 5) return undefined;
  const newest = [...signatures].sort((a, b) => b.created - a.created);
  const signature =
    newest.find(({ type, keyExpires }) => type === DIRECT_KEY && keyExpires > 0) ??
    newest.find(({ type }) => CERTIFICATIONS.includes(type));
  return signature === undefined || signature.keyExpires === 0
    ? undefined
    : body.readUInt32BE(1) + signature.keyExpires;
}
