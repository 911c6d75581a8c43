import { jsonOf } from "./json";
import { printableLine } from "./printable";

/** An error or a warning as data. */
export interface Finding {
  /**
   * Path of the setting: a key of the stack config such as `vnfm:vnfs`, then the keys of maps and the numbers of list
   * items. Empty for an error that belongs to no setting, such as one in a VNF package.
   */
  readonly place: readonly (string | number)[];
  readonly message: string;
}

/** The setting with the instances. */
const INSTANCES = "vnfm:vnfs";

/** Errors in the order in which they are found, each once. */
export class Findings {
  readonly #byText = new Map<string, Finding>();

  constructor(...found: readonly Finding[]) {
    this.add(...found);
  }

  add(...found: readonly Finding[]): void {
    for (const finding of found) {
      const text = textOf(finding);
      if (!this.#byText.has(text)) this.#byText.set(text, finding);
    }
  }

  get all(): readonly Finding[] {
    return [...this.#byText.values()];
  }

  /** The messages as operators see them. */
  get texts(): readonly string[] {
    return [...this.#byText.keys()];
  }

  /** Returns the place at a path; errors about the place are recorded in these findings. */
  at(...parts: Finding["place"]): Place {
    return new Place(parts, this);
  }

  /** The place of an instance. */
  instance(name: string): Place {
    return this.at(INSTANCES, name);
  }

  /** Returns true if there is an error about an instance, or about one of its settings. */
  concern(instance: string): boolean {
    return this.all.some(({ place: [root, name] }) => root === INSTANCES && name === instance);
  }
}

/** A place, mostly a setting, that records errors about itself. */
export class Place {
  constructor(
    readonly parts: Finding["place"],
    readonly findings: Findings,
  ) {}

  /** Returns the place at a path of map keys and list indexes below this one. */
  get(...parts: Finding["place"]): Place {
    return new Place([...this.parts, ...parts], this.findings);
  }

  fault(message: string): void {
    this.findings.add(this.finding(message));
  }

  /** Returns the finding that `fault` would record. */
  finding(message: string): Finding {
    return { place: this.parts, message };
  }

  /** The path as operators see it: `vnfm:vnfs.web.extVirtualLinks["a link"].fixedAddresses[0]`. */
  get text(): string {
    return this.parts.map(partText).join("");
  }

  /** Returns the place relative to a place above it, such as `fixedAddresses[0]`. */
  textFrom(above: Place): string {
    return this.text.slice(above.text.length).replace(/^\./, "");
  }
}

/** A part of a path as text. Unusual keys are in quotes, so that none looks like several parts. */
function partText(part: string | number, i: number): string {
  if (typeof part === "number") return `[${part}]`;
  if (i === 0) return part;
  return /^[\w-]{1,64}$/.test(part) ? `.${part}` : `[${quoted(part)}]`;
}

/** A text of any content on one line. */
export function quoted(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 57)}...` : text;
  return printableLine(JSON.stringify(short));
}

/** A finding as operators see it. */
export function textOf({ place, message }: Finding): string {
  return place.length === 0 ? message : `${place.map(partText).join("")}: ${message}`;
}

/** Parses the text of a finding. A shortened key in the text stays short. */
export function findingOf(text: string): Finding {
  const [, root, below = "", message] = FINDING.exec(text) ?? [];
  if (root === undefined || message === undefined) return { place: [], message: text };
  const parts = below.match(PART) ?? [];
  return { place: [root, ...parts.map(partOf)], message };
}

function partOf(text: string): string | number {
  return text.startsWith(".") ? text.slice(1) : (jsonOf(text.slice(1, -1)) as string | number);
}

/** Beginning of a path: a key of the stack config, or `plan` in errors of a policy. */
const ROOT = String.raw`vnfm:[^\s:.["]+|plan`;
const PART = /\.[\w-]+|\[\d+\]|\["(?:[^"\\]|\\.)*"\]/g;
const FINDING = new RegExp(`^(${ROOT})((?:${PART.source})*): (.*)$`, "s");
