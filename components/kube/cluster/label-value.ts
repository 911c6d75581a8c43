/**
 * Converts a name in Nova to a valid label value: at most 63 of the characters A-Z a-z 0-9 - _ . that begins and ends
 * with one of A-Z a-z 0-9.
 */
export function labelValue(text: string): string {
  return text
    .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[._-]+/, "")
    .slice(0, 63)
    .replace(/[._-]+$/, "");
}
