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
