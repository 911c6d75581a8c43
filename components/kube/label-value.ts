/** A name of Nova's as the value of a label: at most 63 of A-Z a-z 0-9 - _ . that begin and end with A-Z a-z 0-9. */
export function labelValue(text: string): string {
  return text
    .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[._-]+/, "")
    .slice(0, 63)
    .replace(/[._-]+$/, "");
}
