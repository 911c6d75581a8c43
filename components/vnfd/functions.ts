import { limits } from "../base/limits";
import { isScalar, isSeq, type Node } from "../base/yaml/yaml";
import type { At } from "./at";
import { nearest } from "./nearest";
import type { NodeTemplate } from "./types";

/** A function of TOSCA (Simple Profile 1.3, chapter 4) that stands in place of a value: `{ concat: [ a, b ] }`. */
export interface Call {
  readonly name: string;
  readonly args: At;
}

/** Data that the function calls of a file have in common. */
export interface Calls {
  /** Node templates of the file, added once they are known. */
  readonly templates: Map<string, NodeTemplate>;
  /** Ids of the calls that are being evaluated, because a call may need the result of another one. */
  readonly open: Set<string>;
  /**
   * Number of characters in the results of all calls so far. It is limited, because few calls can produce endless
   * strings.
   */
  characters: number;
}

/** Returns true if the map `{ name: argument }` is a function call, not an ordinary map with this key. */
export function isCall(name: string, argument: Node | undefined): boolean {
  if (name === "get_input" || name === "get_nodes_of_type")
    return isSeq(argument) || (isScalar(argument) && argument.value !== null);
  return isSeq(argument) && (Object.hasOwn(FUNCTIONS, name) || OF_A_RUN.includes(name));
}

/**
 * Evaluates a call. Undefined after an error.
 * @param place place of the call
 * @param root root of its file
 * @param use converts the value: a string, or the place that contains it
 */
export function evaluate<T>(
  { name, args }: Call,
  place: At,
  root: At,
  use: (value: At | string) => T | undefined,
): T | undefined {
  const { calls } = place.scope;
  const id = place.id();
  if (calls.open.has(id) || calls.open.size >= limits.yamlDepth) {
    place.fault(`${name} needs its own value, or a chain of too many functions`);
    return undefined;
  }
  calls.open.add(id);
  try {
    if (OF_A_RUN.includes(name))
      place.fault(`${name} has a value only during an update; write the value itself`);
    const value = FUNCTIONS[name]?.(args, place, root);
    return value === undefined ? undefined : use(value);
  } finally {
    calls.open.delete(id);
  }
}

/** Functions whose results are known only during a run. */
const OF_A_RUN: readonly string[] = ["get_attribute", "get_operation_output", "get_nodes_of_type"];

const FUNCTIONS: Readonly<Record<string, (args: At, place: At, root: At) => At | string | undefined>> = {
  get_input: inputOf,
  get_property: propertyOf,
  get_artifact: artifactOf,
  concat: (args, place) => textsOf(args, place)?.join(""),
  join: (args, place) => {
    const [list = args, delimiter] = args.items();
    return textsOf(list, place)?.join(delimiter?.text() ?? "");
  },
  token: tokenOf,
};

function inputOf(args: At, place: At, root: At): At | undefined {
  const [name = "", ...path] = (args.isList ? args.items() : [args]).map((arg) => arg.text() ?? "");
  const inputs = root.get("topology_template").get("inputs");
  const value = within(inputs.get(name).get("default"), path);
  if (value?.isWritten) return value;
  const known = inputs.keys();
  const shown = JSON.stringify([name, ...path].join("."));
  place.fault(
    known.includes(name)
      ? `the input ${shown} has no default value`
      : `there is no input ${shown}${nearest(name, known)}`,
  );
  return undefined;
}

/** Keywords for nodes at the other end of a relationship (TOSCA Simple Profile 1.3, 4.1). */
const BY_RELATIONSHIP: readonly string[] = ["HOST", "SOURCE", "TARGET"];

/** Evaluates get_property: a property of a node template or of its capability, or a part of it. */
function propertyOf(args: At, place: At): At | undefined {
  const [entity = "", name = "", ...path] = args.items().map((arg) => arg.text() ?? "");
  const { templates } = place.scope.calls;
  const template = templates.get(entity === "SELF" ? place.node : entity);
  if (template === undefined) {
    place.fault(
      BY_RELATIONSHIP.includes(entity)
        ? `${entity} of get_property is a node reached by a relationship, which is not supported; use the name of the node template`
        : `there is no node template ${JSON.stringify(entity)}${nearest(entity, [...templates.keys()])}`,
    );
    return undefined;
  }
  const own = template.property(name);
  const start = own.isWritten ? own : template.at.get("capabilities").get(name).get("properties");
  const value = within(start, path);
  if (value?.isWritten) return value;
  place.fault(`${template.name} has no property ${JSON.stringify([name, ...path].join("."))}`);
  return undefined;
}

/** Evaluates get_artifact: the path in an artifact of a node template. */
function artifactOf(args: At, place: At): At | undefined {
  const [entity = "", name = ""] = args.items().map((arg) => arg.text() ?? "");
  const { templates } = place.scope.calls;
  const template = templates.get(entity === "SELF" ? place.node : entity);
  if (template === undefined) {
    place.fault(
      `there is no node template ${JSON.stringify(entity)}${nearest(entity, [...templates.keys()])}`,
    );
    return undefined;
  }
  const artifacts = new Map(template.at.get("artifacts").namedItems());
  const artifact = artifacts.get(name);
  const file = artifact?.isText ? artifact : artifact?.get("file");
  if (file?.exists) {
    artifact?.skip();
    return file;
  }
  place.fault(
    artifact === undefined
      ? `${template.name} has no artifact ${JSON.stringify(name)}${nearest(name, [...artifacts.keys()])}`
      : `the artifact ${JSON.stringify(name)} of ${template.name} has no file`,
  );
  return undefined;
}

/** Follows a path of map keys and list indices. */
function within(start: At, path: readonly string[]): At | undefined {
  return path.reduce<At | undefined>(
    (at, key) => (at?.isList ? at.items()[Number(key)] : at?.get(key)),
    start,
  );
}

/** Evaluates the function token: a part, by its number from 0, of a string with separators. */
function tokenOf(args: At, place: At): string | undefined {
  const texts = textsOf(args, place);
  if (texts === undefined) return undefined;
  const [text = "", separator = "", index = ""] = texts;
  const part = separator === "" ? undefined : text.split(separator)[Number.parseInt(index, 10)];
  if (part === undefined)
    place.fault(`the string has no part ${index || "of that number"} between separators`);
  return part;
}

/** Returns the arguments as strings; undefined if one has an error, or if the calls of the file are too long. */
function textsOf(args: At, place: At): string[] | undefined {
  const texts = args.items().map((arg) => {
    if (!arg.exists) arg.missing();
    return arg.text();
  });
  const { calls } = place.scope;
  const before = calls.characters;
  calls.characters += texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
  if (calls.characters > limits.toscaBytes) {
    if (before <= limits.toscaBytes)
      place.fault(`the strings of functions have more than ${limits.toscaBytes} characters together`);
    return undefined;
  }
  return texts.some((text) => text === undefined) ? undefined : texts.map((text) => text ?? "");
}
