/**
 * Decodes public OpenPGP keys to their binary form: from armored text, or from base64 of the binary form.
 * @returns undefined for other texts, or if it contains other packets than those of public keys
 */
export function publicKeys(text: string): Buffer | undefined {
  const blocks = text
    .split(/^-----END PGP PUBLIC KEY BLOCK-----\s*$/m)
    .filter((block) => block.trim() !== "");
  const keys = blocks.map(decode);
  return keys.length > 0 && keys.every(isPublicKey) ? Buffer.concat(keys) : undefined;
}

/** Decodes an armored block without its tail line (RFC 9580, 6.2), or plain base64; empty for other texts. */
function decode(block: string): Buffer {
  const lines = block.split("\n").map((line) => line.trim());
  const data = lines.filter((line) => !NOT_DATA.test(line)).join("");
  return Buffer.from(/^[A-Za-z0-9+/]+={0,2}$/.test(data) ? data : "", "base64");
}

/** Lines of an armored block without data: header line, armor headers such as `Comment: text`, checksum. */
const NOT_DATA = /^(-----BEGIN PGP PUBLIC KEY BLOCK-----|[A-Za-z]+: .*|=[A-Za-z0-9+/]{4})$/;

/**
 * Returns true if the first packet is a public key, by its header in OpenPGP's own format or in that of PGP 2 (4.2).
 */
function isPublicKey([header = 0]: Buffer): boolean {
  const type = (header & 0x40) === 0 ? (header & 0x3f) >> 2 : header & 0x3f;
  return (header & 0x80) !== 0 && type === 6;
}
