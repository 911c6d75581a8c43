/**
 * Writes docs/stack-config.md, the reference of the stack config, from the schemas in components/settings:
 *   npx ts-node docs/generate.ts
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import clusterSchema from "../components/settings/cluster-schema.json";
import schema from "../components/settings/schema.json";
import { FORMATS } from "../components/settings/formats";
import type { InstanceKind } from "../components/settings/kinds";
import type { Schema } from "../components/settings/schema-part";
import { toYaml } from "../components/base/yaml/yaml";

const WIDTH = 110;

const DEFINITIONS = { ...schema.definitions, ...clusterSchema.definitions } as Readonly<
  Record<string, Schema>
>;

/** What the keys of a map are, by the map's name. */
const KEYS: Readonly<Record<string, string>> = {
  "vnfm:vnfs": "<instance>",
  "vnfm:clusterTemplates": "<template>",
  nodeGroups: "<group>",
  addons: "<addon>",
  registryMirrors: "<registry>",
  registryCertificates: "<registry>",
  registryLogins: "<registry>",
  roles: "<role>",
  metadata: "<key>",
  scale: "<aspect>",
  surge: "<aspect>",
  extVirtualLinks: "<connection point>",
  virtualLinks: "<virtual link>",
  images: "<VDU>",
  flavors: "<VDU>",
  servers: "<VDU>",
  vdu_mapping: "<VDU>",
  variables: "<name>",
  headers: "<header>",
};

const INTRODUCTION = `# Stack config

Reference of \`vnfm:vnfs\` and \`vnfm:clusterTemplates\`, generated from
[schema.json](../components/settings/schema.json) and
[cluster-schema.json](../components/settings/cluster-schema.json) by \`npx ts-node docs/generate.ts\`.
[Pulumi.dev.yaml](../Pulumi.dev.yaml) is a complete stack config.

Keys that are not listed here are refused, with the nearest known name. The faults of all instances are
reported at once; an instance is compared with its package and with the others once its settings are right by
themselves. Host bits of a CIDR are cleared, with a warning. Paths of packages are relative to the folder of
\`Pulumi.yaml\`. A secret setting is set with:

\`\`\`sh
path=vnfm:vnfs.vnf-a.additionalParams.k8s_cluster_installation_param.master_node.password
pulumi config set --secret --path "$path"
\`\`\`

Beside \`vnfm:vnfs\` the stack config holds settings of Pulumi and of its providers:

- \`vnfm:policy\`: rules of the site, see [Policy](policy.md).
- \`openstack:cloud\`: the cloud of \`clouds.yaml\` that servers are made in; or set the \`OS_*\` variables.
- \`pulumi:disable-default-providers\`: \`[kubernetes]\`, so that no object can land on the cluster of a
  kubeconfig that happens to be at hand.
`;

const OF_CLUSTERS =
  "A required setting may be in either. `clusterTemplate` and `vim` are in the instance only, and required there.";

/** The text of docs/stack-config.md. */
export function render(): string {
  const root = schema as Schema;
  const instances = `vnfm:vnfs.${KEYS["vnfm:vnfs"]}`;
  const names = `Instance names match ${code(root.propertyNames?.pattern ?? "")}.`;
  const templates = clusterSchema as Schema;
  const ofTemplate = `vnfm:clusterTemplates.${KEYS["vnfm:clusterTemplates"]}`;
  return [
    INTRODUCTION,
    ...sections(instances, valueOf(root) ?? {}, names),
    ...sections(ofTemplate, { ...valueOf(templates), description: templates.description ?? "" }, OF_CLUSTERS),
  ].join("\n");
}

/** The section of an object and those of the objects in it, in the order of the schema. */
function sections(path: string, object: Schema, note = ""): string[] {
  const { description, properties = {}, required = [], minProperties } = resolve(object);
  const settings = Object.entries(properties).map(([name, part]) => ({ name, ...resolve(part) }));
  const rows = settings.map((setting) => [
    code(setting.name),
    typeOf(`${path}.${setting.name}`, setting.name, setting),
    required.includes(setting.name) ? "yes" : "no",
    defaultOf(setting),
    setting.writeOnly ? "yes" : setting.encrypted === true ? "if encrypted" : "no",
  ]);
  const atLeast = minProperties === undefined ? "" : `At least ${minProperties} of them must be given.`;
  const place = heading(path) === path ? "" : `Below ${code(path.slice(0, -heading(path).length - 1))}.`;
  const intro = wrap([marked(description ?? ""), note, atLeast].filter(Boolean).join(" "), "");
  const texts = settings.map((setting) => {
    const text = [marked(setting.description ?? ""), kindsOf(setting), allowed(setting)].join(" ");
    const { short, long } = examplesOf(setting, text);
    return wrap(`${code(setting.name)}: ${[text.trim(), short].filter(Boolean).join(" ")}`, "- ") + long;
  });
  const section = [
    `## ${code(heading(path))}\n`,
    ...[place, intro].filter(Boolean).map((text) => `${text}\n`),
    `${table([["setting", "type", "required", "default", "secret"], ...rows])}\n`,
    `${texts
      .filter((text) => !text.endsWith(":"))
      .join("\n")
      .trimEnd()}\n`,
  ].join("\n");
  const inner = settings.flatMap((setting) => {
    const [innerPath, value] = objectIn(`${path}.${setting.name}`, setting.name, setting) ?? [];
    return innerPath === undefined || value === undefined ? [] : sections(innerPath, value);
  });
  return [section, ...inner];
}

/** The object with settings of its own that a setting is, or is a map of, or may be. */
function objectIn(path: string, name: string, part: Schema): [string, Schema] | undefined {
  const alternative = part.anyOf?.map(resolve).find((one) => one.properties);
  if (alternative !== undefined) return [path, { ...alternative, description: part.description ?? "" }];
  if (part.properties !== undefined) return [path, part];
  const item = part.type === "array" ? resolve(part.items ?? {}) : undefined;
  if (item?.properties !== undefined) return [`${path}[]`, { ...item, description: part.description ?? "" }];
  const value = valueOf(part);
  return value && objectIn(`${path}.${KEYS[name] ?? "<name>"}`, "", value);
}

function typeOf(path: string, name: string, part: Schema): string {
  if (part.anyOf !== undefined) {
    return part.anyOf.map((one) => typeOf(path, name, resolve(one))).join(" or ");
  }
  if (part.enum !== undefined) return [...new Set(part.enum.map((one) => typeof one))].join(" or ");
  const [inner] = objectIn(path, name, part) ?? [];
  if (part.type === "array") {
    const plural = `${(typed(resolve(part.items ?? {})) ?? "any").replaceAll(",", "s,")}s`;
    return `list of ${inner === undefined ? plural : `[${plural}](#${anchor(inner)})`}`;
  }
  if (part.type !== "object") return typed(part) ?? "any";
  const value = valueOf(part);
  const object = inner === undefined ? (typed(value) ?? "any value") : `[object](#${anchor(inner)})`;
  const link =
    value?.anyOf
      ?.map((one) => (one.enum ? code(one.enum.join(", ")) : (typed(resolve(one)) ?? "any")))
      .map((one) => (one === "object" ? object : one))
      .join(" or ") ?? object;
  return part.properties !== undefined
    ? link
    : value === undefined
      ? "map"
      : `map: ${KEYS[name] ?? "name"} to ${link}`.replaceAll(/[<>]/g, "");
}

function typed(part: Schema | undefined): string | undefined {
  return typeof part?.type === "object" ? part.type.join(", ") : part?.type;
}

function defaultOf({ default: value, description = "" }: Schema): string {
  if (value !== undefined) return code(typeof value === "string" ? value : JSON.stringify(value));
  return description.includes("Default: ") ? "see below" : "none";
}

/** The kinds of instances that have a setting, where not all do. */
function kindsOf({ kinds }: Schema): string {
  return kinds === undefined
    ? ""
    : `Only of ${kinds.map((kind) => KINDS[kind as InstanceKind]).join(" and ")}.`;
}

const KINDS: Readonly<Record<InstanceKind, string>> = {
  cluster: "clusters",
  servers: "servers alone",
  cnf: "CNFs",
};

/** What the schema allows beyond the type. */
function allowed(part: Schema): string {
  const value = part.type === "array" ? resolve(part.items ?? {}) : (valueOf(part) ?? part);
  const limits = [
    value.enum && [...new Set(value.enum.map((one) => code(String(one))))].join(", "),
    value.pattern && `match of ${code(value.pattern)}`,
    value.minimum === undefined
      ? undefined
      : value.maximum === undefined
        ? `${value.minimum} or more`
        : `${value.minimum} to ${value.maximum}`,
    part.minItems !== undefined ? "at least one entry" : undefined,
    part.uniqueItems ? "each entry once" : undefined,
    value.minLength !== undefined ? "not empty" : undefined,
  ].filter(Boolean);
  const form = FORMATS[value.format ?? ""]?.form;
  return [
    ...(form === undefined ? [] : [`Form: ${marked(form)}.`]),
    ...(limits.length === 0 ? [] : [`Allowed: ${limits.join("; ")}.`]),
  ].join(" ");
}

/** The examples of a setting that its text has not: on its lines, or where there is no room one below them. */
function examplesOf({ examples = [] }: Schema, text: string): { short: string; long: string } {
  const others = examples.filter((one) => !text.includes(String(one)));
  const [first] = others;
  if (first === undefined) return { short: "", long: "" };
  const flows = others.map((one) => toYaml(one, FLOW).trimEnd());
  if (flows.every((one) => one.length <= WIDTH - INDENT.length - "``,".length && !one.includes("\n")))
    return { short: `Example${flows.length > 1 ? "s" : ""}: ${flows.map(code).join(", ")}.`, long: "" };
  const [language, block] = typeof first === "string" ? ["text", first] : ["yaml", toYaml(first, BLOCK)];
  const lines = ["", `\`\`\`${language}`, ...block.trimEnd().split("\n"), "```", ""];
  return { short: "Example:", long: lines.map((line) => `\n${`${INDENT}${line}`.trimEnd()}`).join("") };
}

const BLOCK = { lineWidth: 0 };
const FLOW = { ...BLOCK, collectionStyle: "flow", flowCollectionPadding: false } as const;

/** Of what goes on below an entry of a list. */
const INDENT = "  ";

function resolve(part: Schema): Schema {
  const name = part.$ref?.replace("#/definitions/", "");
  if (name === undefined) return part;
  return { ...DEFINITIONS[name], ...part };
}

/** What a map's keys lead to. */
function valueOf({ additionalProperties: value }: Schema): Schema | undefined {
  return typeof value === "object" ? resolve(value) : undefined;
}

const code = (text: string): string => `\`${text}\``;

/** Names of settings, paths and placeholders as code. */
function marked(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.startsWith("`")
        ? part
        : part.replaceAll(
            /https?:\/\/[^\s,;]+|\w+<[^>]+>|\$\{\w+\}|\w+(?:_\w+)+(?:\.\w+)*|\w+\/[\w/]+\.\w+|TOSCA\.meta/g,
            code,
          ),
    )
    .join("");
}

/** A path without what all paths begin with. */
function heading(path: string): string {
  const common = [`vnfm:vnfs.${KEYS["vnfm:vnfs"]}.`, "additionalParams."];
  return common.reduce((rest, part) => (rest.startsWith(part) ? rest.slice(part.length) : rest), path);
}

function anchor(path: string): string {
  return heading(path)
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");
}

/** Columns as wide as their widest cell, as prettier has them. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = rows.map(line);
  return [head, line(widths.map((width) => "-".repeat(width))), ...body].join("\n");
}

/** Text in lines; a code span is never parted. */
export function wrap(text: string, bullet: string, width = WIDTH): string {
  const indent = " ".repeat(bullet.length);
  const lines: string[] = [];
  let line = bullet;
  for (const word of text.match(/(?:`[^`]*`|[^\s`])+/g) ?? []) {
    if (line.trim() !== bullet.trim() && line.length + 1 + word.length > width) {
      lines.push(line);
      line = indent + word;
    } else {
      line += line === bullet || line === indent ? word : ` ${word}`;
    }
  }
  return [...lines, line].join("\n");
}

if (require.main === module) writeFileSync(join(__dirname, "stack-config.md"), render());
