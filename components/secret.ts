/**
 * A secret value of the settings. It prints as [secret] everywhere; only `reveal()` gives it out, and what
 * is revealed goes straight into a Pulumi secret.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return "[secret]";
  }

  toJSON(): string {
    return "[secret]";
  }
}

/** All that is secret in a value, with what is in its maps and lists. */
export function secretsIn(value: unknown): string[] {
  if (value instanceof Secret) return [value.reveal()];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(secretsIn) : [];
}

/** A text with `[secret]` in the place of each of the secrets, the longest one first. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const found = secrets.filter((secret) => secret !== "").sort((a, b) => b.length - a.length);
  // in one go, or a short secret would be found in [secret]
  const pattern = found.map((secret) => secret.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&")).join("|");
  return pattern === "" ? text : text.replaceAll(new RegExp(pattern, "g"), "[secret]");
}
