import { isDeepStrictEqual } from "node:util";
import { isMap, isScalar, toYaml, yamlData, yamlDocument } from "../../components/yaml";
import { Fault } from "../fault";

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
  const wanted = yamlDocument(text, "the stack config");
  for (const [key, value] of Object.entries(settings)) wanted.setIn([...vnfs, vnf, key], value);
  const edited = isMap(map) && !map.flow ? insertLines(text, map, added) : undefined;
  if (
    edited !== undefined &&
    isDeepStrictEqual(yamlData(edited, "the stack config"), wanted.toJS({ maxAliasCount: -1 }))
  )
    return edited;
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
