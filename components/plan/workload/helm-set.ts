import { isFields } from "../../kube/objects/object";
import { mapValues, type Values } from "./chart-values";

/**
 * Merges the values of one `--set` of Helm, such as `a.b=1,hosts={x,y},list[0].name=z`, into others. It follows Helm's
 * parser (helm.sh/helm/v3/pkg/strvals) character by character, so that some texts that look wrong are accepted, such as
 * a key without a name, which sets nothing.
 * @returns the error text if the text is invalid
 */
export function setValues(values: Values, text: string): Values | string {
  const changed = mapValues(values, (leaf) => leaf) as Tree;
  try {
    new Reader(text).readInto(changed);
    return changed;
  } catch (error) {
    if (error instanceof SetFault) return error.message;
    throw error;
  }
}

type Tree = Record<string, unknown>;

class SetFault extends Error {}

/** True if the reader has reached the end of the text. */
type Ended = boolean;

const MAX_INDEX = 65536;
const MAX_NESTED = 30;

const COMMA = 'a comma in a value is written "\\,"';

class Reader {
  readonly #runes: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#runes = Array.from(text);
  }

  readInto(values: Tree): void {
    while (!this.#key(values, 0));
  }

  /** Reads a key and its value. */
  #key(data: Tree, nested: number): Ended {
    const { text: key, stop } = this.#until("=[,.");
    switch (stop) {
      case undefined:
        if (key !== "") throw new SetFault(`key "${key}" has no value; ${COMMA}`);
        return true;
      case "[": {
        const index = this.#index();
        const list = Object.hasOwn(data, key) ? data[key] : [];
        if (!Array.isArray(list)) throw new SetFault(`"${key}" is not a list`);
        const ended = this.#item(list, index, nested);
        put(data, key, list);
        return ended;
      }
      case "=": {
        const ended = this.#at >= this.#runes.length;
        put(data, key, this.#value());
        return ended;
      }
      case ",":
        throw new SetFault(`key "${key}" has no value; ${COMMA}`);
      default: {
        if (nested === MAX_NESTED) throw new SetFault(`a key has more than ${MAX_NESTED} levels`);
        const inner = Object.hasOwn(data, key) ? data[key] : {};
        if (!isTree(inner)) throw new SetFault(`"${key}" is not a map`);
        const ended = this.#key(inner, nested + 1);
        const isEmpty = Object.keys(inner).length === 0;
        if (isEmpty && !ended) throw new SetFault(`key map "${key}" has no value`);
        if (!isEmpty) put(data, key, inner);
        return ended;
      }
    }
  }

  /** Reads the text after the index of a list, into the list. */
  #item(list: unknown[], index: number, nested: number): Ended {
    const { text, stop } = this.#until("[.=");
    if (text !== "") throw new SetFault(`unexpected data at end of array index: "${text}"`);
    switch (stop) {
      case undefined:
        return true;
      case "=":
        putAt(list, index, this.#value());
        return false;
      case "[": {
        const next = this.#index();
        const inner = list[index] ?? [];
        if (!Array.isArray(inner)) throw new SetFault(`item ${index} of a list is not a list`);
        const ended = this.#item(inner, next, nested);
        if (!ended) putAt(list, index, inner);
        return ended;
      }
      default: {
        let inner: Tree = {};
        const there = list[index];
        if (isTree(there)) inner = there;
        else if (index < list.length) list[index] = inner;
        const ended = this.#key(inner, nested);
        if (!ended) putAt(list, index, inner);
        return ended;
      }
    }
  }

  #index(): number {
    const { text, stop } = this.#until("]");
    const index = /^[+-]?\d+$/.test(text) ? Number(text) : undefined;
    if (stop === undefined || index === undefined || index < 0)
      throw new SetFault(`"${text}" is not an index of a list, which is a number from 0 on, in brackets`);
    return index;
  }

  #value(): unknown {
    if (this.#runes[this.#at] !== "{") return typed(this.#until(",").text);
    this.#at++;
    const list: unknown[] = [];
    for (;;) {
      const { text, stop } = this.#until(",}");
      if (stop === undefined) throw new SetFault("list must terminate with '}'");
      list.push(typed(text));
      if (stop === ",") continue;
      if (this.#runes[this.#at] === ",") this.#at++;
      return list;
    }
  }

  /**
   * Reads up to one of the stops, and the stop itself; undefined at the end of the text. A backslash escapes the next
   * character.
   */
  #until(stops: string): { readonly text: string; readonly stop: string | undefined } {
    let text = "";
    for (;;) {
      const rune = this.#runes[this.#at++];
      if (rune === undefined || stops.includes(rune)) return { text, stop: rune };
      text += rune === "\\" ? (this.#runes[this.#at++] ?? "") : rune;
    }
  }
}

function isTree(value: unknown): value is Tree {
  return isFields(value);
}

/** Sets a key. An assignment would set the prototype for the key `__proto__`. */
function put(data: Tree, key: string, value: unknown): void {
  if (key === "") return;
  Object.defineProperty(data, key, { value, configurable: true, enumerable: true, writable: true });
}

function putAt(list: unknown[], index: number, value: unknown): void {
  if (index > MAX_INDEX) throw new SetFault(`index ${index} of a list is over ${MAX_INDEX}`);
  while (list.length < index) list.push(null);
  list[index] = value;
}

/**
 * Converts the text of a value as Helm does: true, false and null in any case, and whole numbers of 64 bits that start
 * with no 0.
 */
function typed(text: string): unknown {
  if (/^true$/iu.test(text)) return true;
  if (/^false$/iu.test(text)) return false;
  if (/^null$/iu.test(text)) return null;
  if (text !== "0" && !/^([1-9]|[+-]\d)\d*$/.test(text)) return text;
  const number = BigInt(text.replace(/^\+/, ""));
  if (BigInt.asIntN(64, number) !== number) return text;
  if (!Number.isSafeInteger(Number(number)))
    throw new SetFault(
      `${text} is rounded when it is passed to the chart, because it exceeds 2^53; write it under values as a string`,
    );
  return Number(number);
}
