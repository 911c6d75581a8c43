import { isIP } from "node:net";
import { Address4, Address6 } from "ip-address";
import { Fault } from "../fault";

/** A block of IPv4 or IPv6 addresses. */
export interface Cidr {
  /** Canonical form, without host bits: `192.168.0.0/16`. */
  readonly text: string;
  readonly version: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
}

/**
 * Parses `address/prefix length`.
 * @returns undefined for other texts
 */
export function parseCidr(text: string): Cidr | undefined {
  if (!/^[0-9a-fA-F.:]+\/\d{1,3}$/.test(text)) return undefined;
  const version = text.includes(":") ? 6 : 4;
  try {
    const address = version === 4 ? new Address4(text) : new Address6(text);
    const first = address.startAddress();
    return {
      text: `${first.correctForm()}/${address.subnetMask}`,
      version,
      first: first.bigInt(),
      last: address.endAddress().bigInt(),
    };
  } catch {
    return undefined;
  }
}

/** Parses an address as a CIDR that contains only this address. @returns undefined if the text is not an address */
export function parseAddress(text: string): Cidr | undefined {
  const version = isIP(text);
  return version === 0 ? undefined : parseCidr(`${text}/${version === 4 ? 32 : 128}`);
}

/** Returns true if two texts are the same address, in any notation. */
export function isSameAddress(address: string, other: string | undefined): boolean {
  return other !== undefined && parseAddress(address)?.text === parseAddress(other)?.text;
}

/**
 * Checks an address from a cloud, because it is passed to SSH, to shells and to files of nodes.
 *
 * @param subject name for the error, such as `port p`
 * @throws Fault if the text is not an address
 */
export function ipAddress(text: string, subject: string): string {
  if (parseAddress(text) !== undefined) return text;
  const shown = JSON.stringify(text.slice(0, 60));
  throw new Fault(`${subject}: the cloud returned ${shown} as its address, which is not an IP address`);
}

/** Returns true if two ranges share an address. */
export function overlap(a: Range, b: Range): boolean {
  return a.version === b.version && a.first <= b.last && b.first <= a.last;
}

/** A range of addresses of one version. It is empty if `first` comes after `last`. */
export type Range = Pick<Cidr, "version" | "first" | "last">;

/** Returns the addresses from `start` to `end`. @returns undefined if one of the texts is not an address */
export function rangeOf(start: string, end: string): Range | undefined {
  const [from, to] = [parseAddress(start), parseAddress(end)];
  if (from === undefined || to === undefined || from.version !== to.version) return undefined;
  return { version: from.version, first: from.first, last: to.last };
}

/**
 * Returns true if an address is in the range from `start` to `end`.
 * @returns false if one of the texts is not an address
 */
export function isBetween(address: string, start: string, end: string): boolean {
  const [one, range] = [parseAddress(address), rangeOf(start, end)];
  return one !== undefined && range !== undefined && overlap(one, range);
}

/** Counts the CIDRs of a prefix length in a larger CIDR. */
export function blocksIn(block: Cidr, prefix: number): number {
  return 2 ** (prefix - prefixLength(block));
}

/**
 * Returns one of the CIDRs that blocksIn counts, as `address/prefix length`. IPv4 only.
 * @param index from 0
 */
export function blockAt({ first }: Cidr, prefix: number, index: number): string {
  const start = first + (BigInt(index) << BigInt(32 - prefix));
  return `${Address4.fromBigInt(start).correctForm()}/${prefix}`;
}

/** Returns an address of a CIDR; the first has index 0. */
export function addressAt({ version, first }: Cidr, index: bigint): string {
  const address = first + index;
  return (version === 4 ? Address4.fromBigInt(address) : Address6.fromBigInt(address)).correctForm();
}

/** Prefix length of a CIDR: 16 for `192.168.0.0/16`. */
export function prefixLength({ text }: Cidr): number {
  return Number(text.slice(text.indexOf("/") + 1));
}

/**
 * Returns true if an address is in a CIDR.
 * @returns false if one of the texts is invalid
 */
export function isIn(address: string, cidr: string): boolean {
  const [one, block] = [parseAddress(address), parseCidr(cidr)];
  return one !== undefined && block !== undefined && overlap(one, block);
}

/** Formats `address:port`, with IPv6 addresses in brackets. */
export function endpoint(address: string, port: number): string {
  return `${address.includes(":") ? `[${address}]` : address}:${port}`;
}
