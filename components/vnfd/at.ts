import { limits } from "../base/limits";
import { isAlias, isMap, isScalar, isSeq, Scalar, type Node } from "../base/yaml/yaml";
import { evaluate, isCall, type Call, type Calls } from "./functions";
import { record, type Fault, type PackageFiles } from "./model";
import { pairsOf } from "./pairs";
import { bytesOf, scalarUnits } from "./scalar";
import type { Source } from "./source";

/** Data that all places of one TOSCA file share. */
export interface Scope {
  readonly source: Source;
  /** Files of the package that contains the template. */
  readonly files: PackageFiles;
  readonly faults: Fault[];
  /** Warnings for the operator. */
  readonly warnings: Fault[];
  /** Ids of the places whose values a reader has read. */
  readonly read: Set<string>;
  readonly calls: Calls;
  /** Results of function calls, by the ids of their places. */
  readonly values: Map<string, Node | undefined>;
}

/**
 * A place in a TOSCA file: a path below its root, with or without a value. Readers descend with `get` and request typed
 * values. A value of another type is recorded as an error with file, line, node template and property, and reading
 * continues.
 */
export class At {
  constructor(
    readonly scope: Scope,
    /** Node template, policy or group that contains the place. */
    readonly node: string,
    readonly property: string,
    private readonly yaml: Node | undefined,
    /** The nearest YAML node above the place, whose line errors about missing values show. */
    private readonly above: Node | undefined = undefined,
  ) {}

  /** The root of a file. */
  static root(scope: Scope): At {
    return new At(scope, "", "", scope.source.root);
  }

  /** Returns true if the place has a value. An empty value (`requirements:`) does not count. */
  get exists(): boolean {
    const node = this.value();
    return node !== undefined && !(isScalar(node) && node.value === null);
  }

  /** Returns true if the file has a value here. A call of get_input counts even if the input has no value. */
  get isWritten(): boolean {
    const node = this.resolve(this.yaml);
    return node !== undefined && !(isScalar(node) && node.value === null);
  }

  get isText(): boolean {
    return this.exists && isScalar(this.value());
  }

  get isList(): boolean {
    return isSeq(this.value());
  }

  /** Returns true if the value is a call of the function. */
  isCallOf(name: string): boolean {
    return this.call(this.resolve(this.yaml))?.name === name;
  }

  fault(message: string): void {
    record(this.scope.faults, this.finding(message));
  }

  warn(message: string): void {
    record(this.scope.warnings, this.finding(message));
  }

  /** An error or a warning about the place. */
  finding(message: string): Fault {
    const { source } = this.scope;
    const line = source.line(this.yaml) ?? source.line(this.above);
    return {
      file: source.file,
      node: this.node,
      property: this.property,
      message,
      ...(line !== undefined && { line }),
    };
  }

  /** The same place as the root of a node template, policy or group with that name. */
  named(name: string): At {
    return new At(this.scope, name, "", this.yaml, this.above);
  }

  /** The place of a node template that does not exist, for errors about missing values. */
  absent(name: string): At {
    return new At(this.scope, name, "", undefined, this.yaml ?? this.above);
  }

  /** The place with its key as the value, so that keys of a map are checked like names. */
  asName(key: string): At {
    const { scope, node, property, yaml, above } = this;
    return new At(scope, node, property, new Scalar(key), yaml ?? above);
  }

  get(key: string): At {
    const node = this.value();
    const found = isMap(node) ? this.pairs(node).get(key) : undefined;
    return this.below(this.path(key), found);
  }

  /** Returns the entries of a map in order; records an error for other values. */
  entries(): [string, At][] {
    if (!this.exists) return [];
    const node = this.value();
    if (!isMap(node)) {
      this.fault(`${this.shown()} is not a map`);
      return [];
    }
    const pairs = this.pairs(node);
    return this.isTooLong(pairs.size)
      ? []
      : [...pairs].map(([key, value]) => [key, this.below(this.path(key), value)]);
  }

  /** Returns the entries of a list; records an error for other values. */
  items(): At[] {
    if (!this.exists) return [];
    const node = this.value();
    if (!isSeq(node)) {
      this.fault(`${this.shown()} is not a list`);
      return [];
    }
    if (this.isTooLong(node.items.length)) return [];
    return node.items.map((item, i) => this.below(`${this.property}[${i}]`, item as Node));
  }

  /** Returns name and place of each entry in a list of single-entry maps, or in a map, the form of TOSCA 1.0. */
  namedItems(): [string, At][] {
    return this.isList ? this.items().flatMap((item) => item.entries()) : this.entries();
  }

  /**
   * Lists the places in the value that no reader has read, except `needless` ones. A map or list counts as one place if
   * no part of it was read. `needless` gets the value of a string, number or boolean.
   */
  unread(needless: (place: At, value: unknown) => boolean, seen: Set<Node> = new Set()): At[] {
    const node = this.resolve(this.yaml);
    if (node === undefined || this.scope.read.has(this.id())) return [];
    // unread values are not evaluated, because their evaluation may record errors
    if (this.call(node) !== undefined) return needless(this, undefined) ? [] : [this];
    if (isScalar(node)) return node.value === null || needless(this, node.value) ? [] : [this];
    // YAML lets a list contain itself
    if (seen.has(node) || needless(this, undefined)) return [];
    seen.add(node);
    const places = this.children().map((place) => ({ place, unread: place.unread(needless, seen) }));
    const none = places.length > 0 && places.every(({ place, unread }) => unread[0] === place);
    return none ? [this] : places.flatMap(({ unread }) => unread);
  }

  /** Keys of a map; none for other values. */
  keys(): string[] {
    const node = this.value();
    return isMap(node) ? [...this.pairs(node).keys()] : [];
  }

  /** Marks the place as read without a use, so that it is not reported as ignored: another message explains it. */
  skip(): void {
    this.scope.read.add(this.id());
  }

  /** Returns the places in a map or list; none for other values. */
  children(): At[] {
    return this.isList ? this.items() : this.keys().map((key) => this.get(key));
  }

  /**
   * Returns a literal string, number or boolean; undefined for other values, such as function calls. The place is not
   * marked as read.
   */
  written(): string | number | boolean | undefined {
    const node = this.resolve(this.yaml);
    if (!isScalar(node)) return undefined;
    const { value } = node;
    return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
      ? value
      : undefined;
  }

  text(): string | undefined {
    if (!this.exists) return undefined;
    const node = this.taken();
    if (isScalar(node))
      return typeof node.value === "string" ? node.value : (node.source ?? String(node.value));
    this.fault(`${this.shown()} is not a string`);
    return undefined;
  }

  requiredText(): string {
    if (!this.exists) this.missing();
    return this.text() ?? "";
  }

  /** An integer from 0. */
  count(): number | undefined {
    if (!this.exists) return undefined;
    const node = this.taken();
    const value = isScalar(node) ? Number(node.value) : NaN;
    if (isScalar(node) && node.value !== "" && Number.isSafeInteger(value) && value >= 0) return value;
    this.fault(`${this.shown()} is not an integer of 0 or more`);
    return undefined;
  }

  requiredCount(): number {
    if (!this.exists) this.missing();
    return this.count() ?? 0;
  }

  boolean(): boolean | undefined {
    if (!this.exists) return undefined;
    const text = this.isText ? (this.text() ?? "") : "";
    if (/^(true|yes|on)$/i.test(text)) return true;
    if (/^(false|no|off)$/i.test(text)) return false;
    this.fault(`${this.shown()} is not true or false`);
    return undefined;
  }

  /** Reads a scalar-unit.size (TOSCA 3.3.6.4) in bytes; a number without unit has `unit`. */
  bytes(unit: string): number | undefined {
    if (!this.exists) return undefined;
    const bytes = this.isText ? bytesOf(this.text() ?? "", unit) : undefined;
    if (bytes === undefined) {
      this.fault(`${this.shown()} is not a size; write a number and one of ${scalarUnits.join(", ")}`);
    }
    return bytes;
  }

  missing(): void {
    // a function without a value has recorded an error already
    if (this.call(this.resolve(this.yaml)) === undefined) this.fault("is missing");
    else this.value();
  }

  /** The value for error messages. */
  shown(): string {
    const node = this.value();
    if (isMap(node)) return "a map";
    if (isSeq(node)) return "a list";
    return JSON.stringify(isScalar(node) ? node.value : undefined) ?? "nothing";
  }

  private isTooLong(entries: number): boolean {
    if (entries <= limits.vnfdEntries) return false;
    this.fault(`has ${entries} entries; at most ${limits.vnfdEntries} are allowed`);
    return true;
  }

  private path(key: string): string {
    return this.property === "" ? key : `${this.property}.${key}`;
  }

  private below(property: string, yaml: Node | undefined): At {
    return new At(this.scope, this.node, property, yaml, this.yaml ?? this.above);
  }

  /** Returns the value for a reader, and marks it as read. */
  private taken(): Node | undefined {
    this.skip();
    return this.value();
  }

  /** An id that is unique in the file, because a YAML alias gives several places the same text. */
  id(): string {
    return JSON.stringify([this.node, this.property, this.yaml?.range?.[0]]);
  }

  /**
   * Returns the YAML node with resolved aliases and evaluated functions. Each is evaluated only once, to record its
   * error once.
   */
  private value(): Node | undefined {
    const node = this.resolve(this.yaml);
    const call = this.call(node);
    if (call === undefined) return node;
    const id = this.id();
    const { values } = this.scope;
    if (!values.has(id)) values.set(id, this.valueOf(call));
    return values.get(id);
  }

  private valueOf(call: Call): Node | undefined {
    return evaluate(call, this, At.root(this.scope), (value) => {
      if (!(value instanceof At)) return new Scalar(value);
      const node = value.taken();
      if (value.scope === this.scope || isScalar(node)) return node;
      this.fault(`${call.name} refers to ${value.shown()} of a type; write the value itself`);
      return undefined;
    });
  }

  private call(node: Node | undefined): Call | undefined {
    if (!isMap(node) || node.items.length !== 1) return undefined;
    const [[name, argument] = ["", undefined]] = this.pairs(node);
    return isCall(name, this.resolve(argument))
      ? { name, args: this.below(this.path(name), argument) }
      : undefined;
  }

  private resolve(node: Node | undefined): Node | undefined {
    return isAlias(node) ? this.scope.source.structure.targets.get(node) : node;
  }

  private pairs(map: Node): ReadonlyMap<string, Node> {
    return pairsOf(map, (node) => this.resolve(node));
  }
}
