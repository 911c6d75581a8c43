import { isDeepStrictEqual } from "node:util";
import { at, fields } from "../../components/kube/object";
import { isMap, isScalar, toYaml, yamlData, yamlDocument } from "../../components/yaml";
import { Fault } from "../fault";
import { withValue } from "../stack/stack-config";

/**
 * The text of a stack config with settings added to a VNF instance, which need not be there. Every other byte stays.
 *
 * @throws Fault if the file has its VNFs in a form where this does not work, with what to write by hand
 */
export function withInstance(text: string, vnf: string, settings: Readonly<Record<string, unknown>>): string {
  const document = yamlDocument(text, "the stack config");
  const vnfs = ["config", "vnfm:vnfs"];
  const isThere = document.hasIn([...vnfs, vnf]);
  const map = document.getIn(isThere ? [...vnfs, vnf] : vnfs, true);
  const added = isThere ? settings : { [vnf]: settings };
  const data = yamlData(text, "the stack config");
  const before = fields(at(data, ...vnfs, vnf));
  // a merge key may have brought some, which would be hidden
  const isNew = Object.keys(settings).every((key) => !Object.hasOwn(before, key));
  const edited = isMap(map) && !map.flow && isNew ? insertLines(text, map, added) : undefined;
  const wanted = withValue(data, [...vnfs, vnf], { ...before, ...settings });
  if (edited !== undefined && isDeepStrictEqual(yamlData(edited, "the stack config"), wanted)) return edited;
  throw new Fault(
    `${vnf} cannot be written into the stack config as it is; write under vnfm:vnfs by hand:\n` +
      toYaml({ [vnf]: settings }, { lineWidth: 0 }),
  );
}

/** A block mapping with more pairs at its end, indented as the first one. */
function insertLines(
  text: string,
  map: { readonly items: readonly { readonly key: unknown }[]; readonly range?: readonly number[] | null },
  added: object,
): string | undefined {
  const first = map.items[0]?.key;
  const start = isScalar(first) ? first.range?.[0] : undefined;
  const end = map.range?.[1];
  if (start === undefined || end === undefined) return undefined;
  const indent = " ".repeat(start - (text.lastIndexOf("\n", start - 1) + 1));
  const lines = toYaml(added, { lineWidth: 0 })
    .trimEnd()
    .split("\n")
    .map((line) => `${indent}${line}\n`)
    .join("");
  const content = text.slice(0, end).trimEnd().length;
  const newLine = text.indexOf("\n", content);
  return newLine < 0 ? `${text}\n${lines}` : text.slice(0, newLine + 1) + lines + text.slice(newLine + 1);
}
