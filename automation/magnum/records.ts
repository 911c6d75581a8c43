import { jsonOf } from "../../components/base/json";
import { fields, isFields, type Fields } from "../../components/kube/objects/object";
import { isDeeper } from "../../components/base/nesting";
import { assertConverted, type SourceFile } from "../conversion/conversion";

/** Records from the output of Magnum's client. */
export interface Records {
  readonly templates: readonly Fields[];
  readonly clusters: readonly Cluster[];
}

export interface Cluster {
  readonly properties: Fields;
  readonly template: Fields;
  /** Groups of workers. */
  readonly groups: readonly Fields[];
}

type Kind = "template" | "cluster" | "group" | "groups";

/**
 * Parses the output of `openstack coe cluster show`, `cluster template show` and `nodegroup show` or `nodegroup list`
 * with `-f json`, one file each, in any order.
 * @throws Fault with all errors in the files and all missing files
 */
export function readRecords(files: readonly SourceFile[]): Records {
  const faults: string[] = [];
  const found = files.flatMap(({ path, text }) => {
    const value = jsonOf(text);
    const kind = kindOf(value);
    if (kind === undefined) {
      faults.push(
        `${path}: is not the output of openstack coe cluster show, cluster template show, nodegroup show or nodegroup list with -f json`,
      );
      return [];
    }
    return [{ path, kind, value }];
  });
  const all = (kind: Kind) => found.filter((one) => one.kind === kind).map(({ value }) => fields(value));
  const templates = all("template");
  const others = templates.filter(({ coe }) => coe !== "kubernetes");
  faults.push(
    ...others.map(({ name, coe }) => `template ${wordOf(name)}: its coe is ${wordOf(coe)}, not kubernetes`),
  );
  const groups = new Map(all("group").map((group) => [group["uuid"], group]));
  const lists = found.filter(({ kind }) => kind === "groups");
  const [only, ...more] = all("cluster");
  for (const { path, value } of lists) {
    if (only === undefined || more.length > 0) {
      faults.push(
        `${path}: a list of node groups does not name its cluster; convert it together with only its cluster, or use openstack coe nodegroup show for each group`,
      );
      continue;
    }
    for (const group of value as readonly Fields[]) {
      if (!groups.has(group["uuid"])) groups.set(group["uuid"], { ...group, cluster_id: only["uuid"] });
    }
  }
  const clusters = all("cluster").flatMap((properties): Cluster[] => {
    const { name, uuid, cluster_template_id: id } = properties;
    const template = templates.find((one) => one["uuid"] === id);
    if (template === undefined) {
      faults.push(
        `cluster ${wordOf(name)}: its template is missing; add openstack coe cluster template show ${wordOf(id)} -f json`,
      );
      return [];
    }
    const ofCluster = [...groups.values()].filter(
      ({ cluster_id: of, role }) => of === uuid && role !== "master",
    );
    return [{ properties, template, groups: ofCluster }];
  });
  const known = all("cluster").map(({ uuid }) => uuid);
  for (const { name, cluster_id: of } of groups.values()) {
    if (!known.includes(of))
      faults.push(
        `node group ${wordOf(name)}: its cluster is missing; add openstack coe cluster show ${wordOf(of)} -f json`,
      );
  }
  assertConverted(faults);
  return { templates, clusters };
}

/** A value of Magnum as a text; other types than texts become JSON. */
export function wordOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "none");
}

/**
 * The kind of a record, by properties that only this kind has. Undefined for unknown records, and for maps and lists
 * that are nested deeper than the client prints.
 */
function kindOf(value: unknown): Kind | undefined {
  if (isDeeper(value, 20)) return undefined;
  const isGroup = (one: unknown): boolean => isFields(one) && "role" in one && "node_count" in one;
  if (Array.isArray(value)) return value.length > 0 && value.every(isGroup) ? "groups" : undefined;
  if (!isFields(value) || typeof value["uuid"] !== "string") return undefined;
  if (isGroup(value) && "cluster_id" in value) return "group";
  if ("cluster_template_id" in value && "master_count" in value) return "cluster";
  return "coe" in value && "image_id" in value ? "template" : undefined;
}
