import { limits } from "../../base/limits";
import type { YamlFault, Filled } from "./yaml";
import { Secret } from "../../base/secret";
import { hasMark } from "../objects/attributes";
import { caseOf, lengthOf, partOf, replaced, without, type Substitution } from "./substitution";

/**
 * Variables of manifests, in the forms that clusterctl resolves (its yamlprocessor, which is
 * github.com/drone/envsubst): `${X}`; `${X:=default}`, `${X=default}` and `${X:-default}`, which mean the same there
 * and use the default also for an empty value; `${ X }`; a default with variables in it; `$$` for a dollar sign; and
 * changes of the value: `${#X}`, `${X^}`, `${X^^}`, `${X,}`, `${X,,}`, `${X:1}`, `${X:1:2}`, `${X#a}`, `${X##a}`,
 * `${X%a}`, `${X%%a}`, `${X/a/b}`, `${X//a/b}`, `${X/#a/b}` and `${X/%a/b}`, with plain texts.
 *
 * A value of the operator is data: it is inserted into a YAML scalar after the YAML is parsed, so it cannot change the
 * structure. A default belongs to the manifest and may be any YAML. vnfm is stricter than clusterctl in two cases: each
 * occurrence needs its own default, while clusterctl uses an empty string for `${X}` after an `${X:=default}`; and
 * `${X:?word}` and `${X:+word}`, which envsubst treats as defaults, are rejected.
 */
export class Variables {
  readonly #values: ReadonlyMap<string, string | Secret>;
  readonly #named = new Set<string>();

  /** @param values of variables, by name */
  constructor(values: Readonly<Record<string, string | number | boolean | Secret>>) {
    const entries = Object.entries(values);
    this.#values = new Map(
      entries.map(([name, value]) => [name, value instanceof Secret ? value : String(value)]),
    );
  }

  /** Names of the variables in the manifests that were read so far. */
  get named(): ReadonlySet<string> {
    return this.#named;
  }

  /** Returns the value of a variable, and records that a manifest contains it. */
  use(name: string): string | Secret | undefined {
    this.#named.add(name);
    return this.#values.get(name);
  }
}

/** A manifest with its variables resolved. */
export interface ResolvedText {
  /** YAML with placeholders for the operator's values. */
  readonly text: string;
  /** Replaces the placeholders in a scalar; undefined if it has none. */
  readonly fill: (scalar: string) => Filled | undefined;
}

/** Resolves the variables of a manifest. A variable with neither value nor default is an error. */
export function resolveVariables(text: string, variables: Variables, faults: YamlFault[]): ResolvedText {
  // YAML allows characters for private use anywhere in a scalar: use one more than the text has in sequence
  const longest = [...text.matchAll(/\uE000+/g)].reduce((most, [run]) => Math.max(most, run.length), 0);
  const begin = "\uE000".repeat(longest + 1);
  const end = "\uE001";
  const values: (string | Secret)[] = [];
  const mark = (value: string | Secret): string => `${begin}${values.push(value) - 1}${end}`;
  const lineAt = (at: number): number => text.slice(0, at).split("\n").length;
  let failed = 0;
  const fail = (at: number, message: string): void => {
    failed++;
    if (failed <= limits.textFaults) faults.push({ line: lineAt(at), message });
  };
  const marks = new RegExp(`${begin}(\\d+)${end}`, "g");
  return {
    text: new Resolver(text, variables, mark, fail).whole(),
    fill: (scalar) => {
      if (!scalar.includes(begin)) return undefined;
      const used = [...scalar.matchAll(marks)].map(([, i]) => values[Number(i)]);
      return {
        text: scalar.replaceAll(marks, (_, i) => plain(values[Number(i)])),
        secret: used.some((value) => value instanceof Secret),
      };
    },
  };
}

/** Maximum depth of defaults in defaults. */
const MOST_NESTED = 20;

function plain(value: string | Secret = ""): string {
  return value instanceof Secret ? value.reveal() : value;
}

const unescaped = (word: string): string => word.replaceAll(/\\([^])/g, "$1");

const NAME = /\s*([A-Za-z0-9_]+)/y;
const DEFAULT = /:=|:-|=/y;
const END = /\s*\}/y;
const LENGTH = /#([A-Za-z0-9_]+)\}/y;
const CASE = /(\^\^?|,,?)\}/y;
const PART = /:\s*(-?\d+)(?::\s*(\d+))?\s*\}/y;
const WITHOUT = /(##?|%%?)([^}$]*)\}/y;
const REPLACED = /(\/[/#%]?)((?:\\[^]|[^/}$\\])+)\/((?:\\[^]|[^}$\\])*)\}/y;

class Resolver {
  #at = 0;
  #nested = 0;
  constructor(
    private readonly text: string,
    private readonly variables: Variables,
    private readonly mark: (value: string | Secret) => string,
    private readonly fail: (at: number, message: string) => void,
  ) {}

  whole(): string {
    let done = "";
    for (;;) {
      const next = this.text.indexOf("$", this.#at);
      if (next < 0) return done + this.text.slice(this.#at);
      done += this.text.slice(this.#at, next);
      this.#at = next + 1;
      if (this.#take("$")) done += "$";
      else if (this.#take("{")) done += this.#variable(next, true);
      else done += "$";
    }
  }

  /** Parses a variable, from after its `${`, and returns its value. @param isNeeded true if the value is used */
  #variable(from: number, isNeeded: boolean): string {
    const counted = this.#match(LENGTH)?.[1];
    if (counted !== undefined) return this.#changed(from, counted, lengthOf, isNeeded);
    const name = this.#match(NAME)?.[1];
    if (name === undefined) return this.#unknown(from);
    const substitution = this.#substitution();
    if (substitution !== undefined) return this.#changed(from, name, substitution, isNeeded);
    const replacement = this.variables.use(name);
    const value = replacement === undefined || plain(replacement) === "" ? undefined : this.mark(replacement);
    if (this.#match(END) !== undefined) {
      if (replacement === undefined && isNeeded) this.#lacks(from, name);
      return value ?? "";
    }
    if (this.#match(DEFAULT) === undefined) return this.#unknown(from);
    if (this.#nested >= MOST_NESTED) {
      this.fail(from, `is a default nested in more than ${MOST_NESTED} others, which is the limit`);
      return "";
    }
    this.#nested++;
    const byDefault = this.#default(from, isNeeded && value === undefined);
    this.#nested--;
    return value ?? byDefault;
  }

  /** Parses the operator after a variable's name, up to the closing brace. */
  #substitution(): Substitution | undefined {
    const [, letters] = this.#match(CASE) ?? [];
    if (letters !== undefined) return caseOf(letters);
    const [, position, length] = this.#match(PART) ?? [];
    if (position !== undefined)
      return partOf(Number(position), length === undefined ? undefined : Number(length));
    const [, side, pattern = ""] = this.#match(WITHOUT) ?? [];
    if (side !== undefined) return without(side, pattern);
    const [, place, before = "", after = ""] = this.#match(REPLACED) ?? [];
    return place === undefined ? undefined : replaced(place, unescaped(before), unescaped(after));
  }

  #changed(from: number, name: string, substitution: Substitution, isNeeded: boolean): string {
    const replacement = this.variables.use(name);
    if (replacement === undefined) {
      if (isNeeded) this.#lacks(from, name);
      return "";
    }
    if (hasMark(replacement)) {
      this.fail(
        from,
        `\${${name}} is an output of another instance, which is not yet known: write it without an operator`,
      );
      return "";
    }
    return this.mark(
      replacement instanceof Secret
        ? new Secret(substitution(replacement.reveal()))
        : substitution(replacement),
    );
  }

  #lacks(from: number, name: string): void {
    this.fail(from, `\${${name}} has no default; set it under additionalParams.variables of the instance`);
  }

  /** Parses a default, up to its closing brace. */
  #default(from: number, isNeeded: boolean): string {
    let done = "";
    for (;;) {
      const [step] = this.#match(/[^$}]*/y) ?? [""];
      done += step;
      const at = this.#at;
      if (this.#take("}")) return done;
      if (this.#take("${")) done += this.#variable(at, isNeeded);
      else if (this.#take("$")) done += "$";
      else {
        this.fail(from, "a variable's default does not end; a } is missing");
        return "";
      }
    }
  }

  #unknown(from: number): string {
    const shown = this.text.slice(from, from + 40).split(/[\n}]/)[0] ?? "";
    this.fail(
      from,
      `${shown}: is not a variable as \${X}, \${X:=default} or \${X%word}, in a form that clusterctl supports; write $$ for a dollar sign`,
    );
    return "";
  }

  #take(expected: string): boolean {
    if (!this.text.startsWith(expected, this.#at)) return false;
    this.#at += expected.length;
    return true;
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text) ?? undefined;
    if (found !== undefined) this.#at = pattern.lastIndex;
    return found;
  }
}
