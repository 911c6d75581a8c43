const BEGIN = /^-----BEGIN /gm;
const CERTIFICATE =
  /^-----BEGIN CERTIFICATE-----[ \t]*\r?\n[A-Za-z0-9+/=\s]+^-----END CERTIFICATE-----[ \t]*\r?$/gm;

/**
 * Returns true if a text contains certificates in PEM and no other PEM blocks: a private key, for example, would be
 * copied to files that everyone may read. PEM parsers ignore text around the blocks.
 */
export function isCertificates(text: string): boolean {
  const certificates = text.match(CERTIFICATE)?.length ?? 0;
  return certificates > 0 && certificates === text.match(BEGIN)?.length;
}
