import { merge, type Fields } from "../../components/kube/objects/object";
import { own } from "../../components/base/own";
import { hasLogin, type Settings } from "../conversion/conversion";
import { truth, type Reading } from "./readers";
import { LABELS, PROPERTIES, type Row } from "./table";

export type Texts = Readonly<Record<string, string>>;

/** Properties and labels of a template, a cluster or a node group of Magnum. */
export interface MagnumRecord {
  readonly properties: Texts;
  readonly labels: Texts;
}

/** Converts properties and labels to settings of a cluster, those of all node groups under `nodeGroup`. */
export function place(record: MagnumRecord): Settings {
  const known = LABELS.map((row) => row.name);
  const unknown = Object.keys(record.labels).filter((label) => !known.includes(label));
  // the actual version of a cluster overrides that of its label
  const found = [
    ...LABELS.map((row) => placeOne("label ", row, record.labels, record)),
    ...PROPERTIES.map((row) => placeOne("", row, record.properties, record)),
  ];
  return {
    settings: found.reduce<Fields>((merged, { settings }) => merge(merged, settings), {}),
    remarks: [
      ...found.flatMap(({ remarks }) => remarks),
      ...unknown.map((label) => `label ${JSON.stringify(label)}: is not supported`),
    ],
  };
}

const NOTHING: Settings = { settings: {}, remarks: [] };

function placeOne(kind: string, row: Row, values: Texts, record: MagnumRecord): Settings {
  const text = own(values, row.name);
  if (text === undefined || "groups" in row) return NOTHING;
  const remark = (why: string, isSecret = false): string =>
    `${kind}${row.name}${isSecret ? "" : ` ${JSON.stringify(text)}`}: ${why}`;
  if ("why" in row) {
    const isLost = truth(text) !== false && text !== row.usual;
    return isLost
      ? { settings: {}, remarks: [remark(row.why, row.secret === true || hasLogin(text))] }
      : NOTHING;
  }
  if (hasLogin(text)) {
    const setting = row.to.join(" and ");
    const wayOut = row.secret
      ? `set ${setting} with \`pulumi config set --secret --path\``
      : `${setting} must not contain a secret`;
    return { settings: {}, remarks: [remark(`contains credentials, which are omitted: ${wayOut}`, true)] };
  }
  const reading = missing(row, record) ?? row.read(text);
  if (reading === undefined) return NOTHING;
  if ("why" in reading) return { settings: {}, remarks: [remark(reading.why)] };
  return {
    settings: row.to.reduce<Fields>((merged, path) => merge(merged, at(path, reading.value)), {}),
    remarks: reading.remark === undefined ? [] : [remark(reading.remark)],
  };
}

/** The reason why a property or label has no effect together with the other values. */
function missing(
  { needs, unless, driver }: Extract<Row, { to: unknown }>,
  record: MagnumRecord,
): Reading | undefined {
  if (needs !== undefined && truth(own(record.labels, needs) ?? "0") === false)
    return { why: `has no effect without ${needs}` };
  if (unless !== undefined && own(record.properties, unless) !== undefined)
    return { why: `has no effect with ${unless}` };
  const present = own(record.properties, "network_driver");
  return driver === undefined || driver === present
    ? undefined
    : { why: `has no effect with network_driver ${JSON.stringify(present)}` };
}

/** A value at a path of settings. */
function at(path: string, value: unknown): Fields {
  const [key = "", ...rest] = path.split(".");
  return { [key]: rest.length === 0 ? value : at(rest.join("."), value) };
}
