import { isMap, isSeq, toYaml, yamlData, yamlDocument, type Document } from "../../components/base/yaml/yaml";
import { fields } from "../../components/kube/objects/object";
import { Fault } from "../fault";

/** The lists of a kubeconfig, with the key of the content of each entry. */
const PARTS = { clusters: "cluster", users: "user", contexts: "context" } as const;

/**
 * Adds the context of another kubeconfig under a name, with its cluster and user; entries with that name are replaced.
 * Other contexts, and the current one, stay.
 * @param former text of the kubeconfig. Undefined: there is none
 * @param added text of a kubeconfig with one context, which becomes the current one if there is none
 * @param where location of the former kubeconfig, for errors
 * @throws Fault if the former kubeconfig is invalid
 */
export function mergedKubeconfig(
  former: string | undefined,
  added: string,
  name: string,
  where: string,
): string {
  const text = former?.trim() ? former : toYaml({ apiVersion: "v1", kind: "Config" });
  // kubectl reads YAML 1.1: a string that would be something else there is quoted
  const document = yamlDocument(text, where, { version: "1.1", compat: "core" });
  if (!isMap(document.contents)) throw new Fault(`${where} is not a kubeconfig: nothing was written`);
  const parts = fields(yamlData(added, `the kubeconfig of ${name}`));
  for (const [list, key] of Object.entries(PARTS)) {
    const [entry] = Array.isArray(parts[list]) ? (parts[list] as unknown[]) : [];
    const value = { ...fields(fields(entry)[key]), ...(key === "context" && { cluster: name, user: name }) };
    put(document, list, { name, [key]: value }, where);
  }
  if (!document.get("current-context")) document.set("current-context", name);
  return document.toString({ lineWidth: 0 });
}

/** Puts an entry into a list, in place of an entry with its name. */
function put(document: Document, list: string, entry: { readonly name: string }, where: string): void {
  const entries = document.get(list) ?? document.createNode([]);
  if (!isSeq(entries)) throw new Fault(`${where}: ${list} is not a list: nothing was written`);
  const index = entries.items.findIndex((item) => isMap(item) && item.get("name") === entry.name);
  entries.flow = false;
  if (index < 0) entries.add(document.createNode(entry));
  else entries.set(index, document.createNode(entry));
  document.set(list, entries);
}
