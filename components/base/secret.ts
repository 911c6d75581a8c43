import { printableLine } from "./printable";

/** A single value: no map and no list. */
export type Scalar = string | number | boolean;

/**
 * A secret value of the settings, mostly a string. It prints as [secret] everywhere. Only `reveal()` and
 * `revealScalar()` return the value; callers must convert it to a Pulumi secret at once.
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

  /** Returns the value in its own type, for uses that distinguish the number 80 from the string "80". */
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

/** Lists the secrets in a value, at any depth. */
export function secretsIn(value: unknown): string[] {
  if (value instanceof Secret) return [value.reveal()];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(secretsIn) : [];
}

/** Replaces secrets in a text by `[secret]`. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return maskOf(secrets)(text);
}

/**
 * Returns a function that hides secrets in messages. A secret of four or more characters is hidden everywhere; shorter
 * ones, `true` and `false` only as whole words: a 1 in an address does not reveal a secret that is 1.
 */
export function maskOf(secrets: readonly string[]): (text: string) => string {
  // the longest one first, or its end would be shown; in one go, or a short one would be found in [secret]
  const forms = [...new Set(secrets.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  if (forms.length === 0) return (text) => text;
  const pattern = new RegExp(forms.map(patternOf).join("|"), "g");
  return (text) => text.replaceAll(pattern, "[secret]");
}

/** Lists the forms of a secret in messages: plain, quoted, with escaped control characters, or read as a number. */
function formsOf(secret: string): string[] {
  const inQuotes = JSON.stringify(secret).slice(1, -1);
  const digits = secret.replaceAll("_", "");
  const numbers = /\d/.test(digits) ? [Number(digits), octal(digits)].filter(Number.isFinite) : [];
  const forms = [secret, inQuotes, printableLine(secret), printableLine(inQuotes), ...numbers.map(String)];
  return forms.filter((form) => form !== "");
}

/** Parses digits as the octal number that they are in YAML 1.1. */
function octal(digits: string): number {
  return /^[-+]?0[0-7]+$/.test(digits) ? parseInt(digits, 8) : NaN;
}

function patternOf(form: string): string {
  const escaped = form.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  const isShort = form.length < 4 || form === "true" || form === "false";
  return isShort ? `(?<![\\w.])${escaped}(?!\\.?\\w)` : escaped;
}
