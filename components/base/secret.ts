import { printableLine } from "./printable";

/** A value that has no others in it. */
export type Scalar = string | number | boolean;

/**
 * A secret value of the settings, mostly a text. It prints as [secret] everywhere; only `reveal()` and `revealScalar()`
 * give it out, and what is revealed goes straight into a Pulumi secret.
 */
export class Secret {
  readonly #value: Scalar;

  constructor(value: Scalar) {
    this.#value = value;
  }

  /** The value as a text. */
  reveal(): string {
    return String(this.#value);
  }

  /** The value in its own type, for what tells the number 80 from the text "80". */
  revealScalar(): Scalar {
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

/** A text with `[secret]` in the place of each of the secrets. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return maskOf(secrets)(text);
}

/**
 * Hides secrets in messages. One of four characters or more is hidden wherever it stands; a shorter one, `true` and
 * `false` only as a word of their own: a 1 in an address says nothing of a secret that is 1.
 */
export function maskOf(secrets: readonly string[]): (text: string) => string {
  // the longest one first, or its end would be shown; in one go, or a short one would be found in [secret]
  const forms = [...new Set(secrets.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  if (forms.length === 0) return (text) => text;
  const pattern = new RegExp(forms.map(patternOf).join("|"), "g");
  return (text) => text.replaceAll(pattern, "[secret]");
}

/** A secret as a message may have it: as it is, in quotes, with its control characters shown, or read as a number. */
function formsOf(secret: string): string[] {
  const inQuotes = JSON.stringify(secret).slice(1, -1);
  const digits = secret.replaceAll("_", "");
  const numbers = /\d/.test(digits) ? [Number(digits), octal(digits)].filter(Number.isFinite) : [];
  const forms = [secret, inQuotes, printableLine(secret), printableLine(inQuotes), ...numbers.map(String)];
  return forms.filter((form) => form !== "");
}

/** Reads digits as the octal number that YAML 1.1 takes them for. */
function octal(digits: string): number {
  return /^[-+]?0[0-7]+$/.test(digits) ? parseInt(digits, 8) : NaN;
}

function patternOf(form: string): string {
  const escaped = form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  const isShort = form.length < 4 || form === "true" || form === "false";
  return isShort ? `(?<![\\w.])${escaped}(?!\\.?\\w)` : escaped;
}
