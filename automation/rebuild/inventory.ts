import { nameOfUrn } from "../stack/steps";

/** Findings of an update that makes a lost state again. */
export class Inventory {
  readonly #found = new Set<string>();
  readonly #missing = new Set<string>();
  readonly #renewed = new Set<string>();

  /** URNs of the resources that no longer exist. */
  get missing(): ReadonlySet<string> {
    return this.#missing;
  }

  /** Names of the keys that are made anew, as they were only in the state. */
  get renewed(): readonly string[] {
    return [...this.#renewed];
  }

  /** Returns true if a resource of that type and id was found. */
  has(type: string, id: string | undefined): boolean {
    return this.#found.has(`${type} ${id}`);
  }

  found(urn: string, id: string): void {
    this.#found.add(`${typeOf(urn)} ${id}`);
  }

  renew(urn: string): void {
    this.#renewed.add(nameOfUrn(urn));
  }

  lacks(urn: string): void {
    this.#missing.add(urn);
  }
}

/** The type in a URN, without those of its parents. */
export function typeOf(urn: string): string {
  return urn.split("::")[2]?.split("$").at(-1) ?? "";
}
