import { isIP } from "node:net";
import { Address4, Address6 } from "ip-address";
import { Fault } from "../fault";

/** A block of IPv4 or IPv6 addresses. */
export interface Cidr {
  /** In canonical form, host bits cleared: `192.168.0.0/16`. */
  readonly text: string;
  readonly version: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
}

/** Reads `address/prefix length`. @returns undefined if the text is no CIDR. */
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

/** Returns true if they are one address, however they are written. */
export function isSameAddress(address: string, other: string | undefined): boolean {
  return other !== undefined && parseAddress(address)?.text === parseAddress(other)?.text;
}

/**
 * Checks an address from a cloud, because it is passed to SSH, to shells and to files of nodes.
 *
 * @param subject such as `port p`, for the error
 * @throws Fault if it is anything else
 */
export function ipAddress(text: string, subject: string): string {
  if (parseAddress(text) !== undefined) return text;
  const shown = JSON.stringify(text.slice(0, 60));
  throw new Fault(`${subject}: the cloud returned ${shown} as its address, which is not an IP address`);
}

/** Returns true if the two blocks share an address. */
export function overlap(a: Range, b: Range): boolean {
  return a.version === b.version && a.first <= b.last && b.first <= a.last;
}

/** Addresses of one version, in which `first` may come after `last`. */
export type Range = Pick<Cidr, "version" | "first" | "last">;

/** Returns the addresses from `start` to `end`. @returns undefined if one of the texts is not an address */
export function rangeOf(start: string, end: string): Range | undefined {
  const [from, to] = [parseAddress(start), parseAddress(end)];
  if (from === undefined || to === undefined || from.version !== to.version) return undefined;
  return { version: from.version, first: from.first, last: to.last };
}

/**
 * Returns true if an address is one of those from `start` to `end`. @returns false where one of the texts is no address
 */
export function isBetween(address: string, start: string, end: string): boolean {
  const [one, range] = [parseAddress(address), rangeOf(start, end)];
  return one !== undefined && range !== undefined && overlap(one, range);
}

/** Counts the blocks with a prefix of that length in a larger block. */
export function blocksIn(block: Cidr, prefix: number): number {
  return 2 ** (prefix - prefixLength(block));
}

/** Returns one of the blocks that blocksIn counts, as `address/prefix length`. IPv4 only; the first has index 0. */
export function blockAt({ first }: Cidr, prefix: number, index: number): string {
  const start = first + (BigInt(index) << BigInt(32 - prefix));
  return `${Address4.fromBigInt(start).correctForm()}/${prefix}`;
}

/** Returns an address of a block; the first has index 0. */
export function addressAt({ version, first }: Cidr, index: bigint): string {
  const address = first + index;
  return (version === 4 ? Address4.fromBigInt(address) : Address6.fromBigInt(address)).correctForm();
}

/** Number of leading bits that all addresses of a block share: 16 for `192.168.0.0/16`. */
export function prefixLength({ text }: Cidr): number {
  return Number(text.slice(text.indexOf("/") + 1));
}

/** Returns true if an address is in a block. @returns false where one of the texts is neither */
export function isIn(address: string, cidr: string): boolean {
  const [one, block] = [parseAddress(address), parseCidr(cidr)];
  return one !== undefined && block !== undefined && overlap(one, block);
}

/** `address:port`, with IPv6 in brackets. */
export function endpoint(address: string, port: number): string {
  return `${address.includes(":") ? `[${address}]` : address}:${port}`;
}
