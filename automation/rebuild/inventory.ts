import { nameOfUrn, typeOfUrn } from "../stack/steps";

/** Resources that the update for a lost state has found, has not found, cannot use, takes for done, and has generated again. */
export class Inventory {
  readonly #found = new Set<string>();
  readonly #missing = new Set<string>();
  readonly #renewed = new Set<string>();
  readonly #unreadable = new Set<string>();
  readonly #unproven = new Set<string>();

  /** URNs of the resources that no longer exist. */
  get missing(): ReadonlySet<string> {
    return this.#missing;
  }

  /** Names of keys that are generated again, because only the lost state had the former ones. */
  get renewed(): readonly string[] {
    return [...this.#renewed];
  }

  /** URNs of what may exist, but cannot be used again, because only the lost state had its secret. */
  get unreadable(): ReadonlySet<string> {
    return this.#unreadable;
  }

  /** Names of scripts that are taken for done, which the former state does not have with this data. */
  get unproven(): readonly string[] {
    return [...this.#unproven];
  }

  /** Returns true if a resource of that type and id was found. */
  has(type: string, id: string | undefined): boolean {
    return this.#found.has(`${type} ${id}`);
  }

  found(urn: string, id: string): void {
    this.#found.add(`${typeOfUrn(urn)} ${id}`);
  }

  renew(urn: string): void {
    this.#renewed.add(nameOfUrn(urn));
  }

  takesForDone(urn: string): void {
    this.#unproven.add(nameOfUrn(urn));
  }

  lacks(urn: string): void {
    this.#missing.add(urn);
  }

  lacksSecret(urn: string): void {
    this.#unreadable.add(urn);
  }
}
