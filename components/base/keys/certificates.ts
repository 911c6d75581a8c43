const BEGIN = /^-----BEGIN /gm;
const CERTIFICATE =
  /^-----BEGIN CERTIFICATE-----[ \t]*\r?\n[A-Za-z0-9+/=\s]+^-----END CERTIFICATE-----[ \t]*\r?$/gm;

/**
 * Returns true if a text is certificates in PEM and nothing else, as its other blocks, a private key above all, would
 * reach where certificates are for all to read. What stands around the blocks is a comment to every reader.
 */
export function isCertificates(text: string): boolean {
  const certificates = text.match(CERTIFICATE)?.length ?? 0;
  return certificates > 0 && certificates === text.match(BEGIN)?.length;
}
