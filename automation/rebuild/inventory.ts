import { Fault } from "../fault";
import { nameOfUrn } from "../stack/steps";

/** End of the error about a resource that does not exist any more. */
export const MISSING = "no longer exists";

/** Findings of an update that makes a lost state again. */
export class Inventory {
  readonly #found = new Set<string>();
  readonly #missing = new Set<string>();
  readonly #renewed = new Set<string>();

  /** Names of the resources that no longer exist. */
  get missing(): readonly string[] {
    return [...this.#missing];
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

  /** The error for the engine about a resource that does not exist. */
  lacks(urn: string): Fault {
    this.#missing.add(nameOfUrn(urn));
    return new Fault(`${nameOfUrn(urn)} ${MISSING}`);
  }
}

/** The type in a URN, without those of its parents. */
export function typeOf(urn: string): string {
  return urn.split("::")[2]?.split("$").at(-1) ?? "";
}
