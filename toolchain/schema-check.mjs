// Compares the schema of a plugin (JSON on stdin) with its released npm package (the folder given): every token, every
// property, what is required, secret, or makes a replacement. Of a plugin that has a part of the package, the beginning of
// that part's tokens is given too. Prints the differences; exits 1 if there are any.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const [, , packageDir, part = ""] = process.argv;
const schema = JSON.parse(readFileSync(0, "utf8"));
const differences = [];

const declarations = readdirSync(packageDir, { recursive: true })
  .filter((file) => file.endsWith(".d.ts") && !file.includes("node_modules"))
  .map((file) => ({
    file,
    types: readFileSync(join(packageDir, file), "utf8"),
    code: readFileSync(join(packageDir, file.replace(/d\.ts$/, "js")), "utf8"),
  }));

// The properties of one interface or class: name -> may it be missing?
function properties(text, head) {
  const start = text.search(head);
  if (start < 0) return undefined;
  const indent = / *$/.exec(text.slice(text.lastIndexOf("\n", start) + 1, start))[0];
  const body = text.slice(text.indexOf("{", start) + 1, text.indexOf(`\n${indent}}`, start));
  const line = new RegExp(`^${indent}    (?:readonly )?(\\w+)(\\??): (.*)$`, "gm");
  const found = new Map();
  for (const [, name, mark, type] of body.matchAll(line)) {
    found.set(name, mark === "?" || /\| undefined>;$/.test(type) || isOptionalMap(body, name));
  }
  return found;
}

// A map type runs over several lines; its end says whether it may be undefined.
function isOptionalMap(body, name) {
  const [, end] = new RegExp(`(?:readonly )?${name}: .*\\{\\n(?:.*\\n)*? *\\}(.*);`).exec(body) ?? [];
  return end !== undefined && end.includes("| undefined");
}

function compareNames(what, ours, theirs) {
  for (const name of ours) if (!theirs.has(name)) differences.push(`${what}: ${name} is only in the plugin`);
  for (const name of theirs) if (!ours.has(name)) differences.push(`${what}: ${name} is missing in the plugin`);
}

function compareProperties(what, specs = {}, required = [], theirs = new Map()) {
  compareNames(what, new Set(Object.keys(specs)), new Set(theirs.keys()));
  for (const [name, optional] of theirs) {
    if (name in specs && optional === required.includes(name)) {
      differences.push(`${what}: ${name} is ${optional ? "optional" : "required"} in the package only`);
    }
  }
}

// The names in a list such as `additionalSecretOutputs: ["connection"]`.
function listed(code, option) {
  const [, list = ""] = new RegExp(`${option}: \\[(.*)\\]`).exec(code) ?? [];
  return new Set([...list.matchAll(/"(\w+)/g)].map(([, name]) => name));
}

function compareResource(token, spec, { types, code }) {
  const name = token.split(":")[2];
  compareProperties(`${token} output`, spec.properties, spec.required,
    properties(types, new RegExp(`export declare class ${name} `)));
  compareProperties(`${token} input`, spec.inputProperties, spec.requiredInputs,
    properties(types, new RegExp(`export interface ${name}Args `)));
  const flagged = (flag) => new Set(Object.entries(spec.properties).filter(([, p]) => p[flag]).map(([key]) => key));
  compareNames(`${token} secret`, flagged("secret"), listed(code, "additionalSecretOutputs"));
  compareNames(`${token} replaceOnChanges`, flagged("replaceOnChanges"), listed(code, "replaceOnChanges"));
}

const capitalized = (name) => name.replace(/^./, (first) => first.toUpperCase());

function compareFunction(token, spec, { types }) {
  const name = capitalized(token.split(":")[2]);
  const inputs = spec.inputs ?? {};
  compareProperties(`${token} argument`, inputs.properties, inputs.required,
    properties(types, new RegExp(`export interface ${name}Args `)));
  const result = spec.outputs;
  compareProperties(`${token} result`, result.properties, result.required,
    properties(types, new RegExp(`export interface ${name}Result `)));
}

function compareTypes() {
  for (const [token, spec] of Object.entries(schema.types ?? {})) {
    if (spec.type !== "object") continue;
    const [, file, name] = token.split(":");
    const module = file.split("/")[0];
    const known = new Set();
    for (const side of ["input", "output"]) {
      const text = readFileSync(join(packageDir, "types", `${side}.d.ts`), "utf8");
      const [, space = text] = new RegExp(`declare namespace ${module} \\{\\n([^]*?)\\n\\}`).exec(text) ?? [];
      const found = properties(space, new RegExp(`interface ${capitalized(name)}(Args)? `)) ?? new Map();
      for (const property of found.keys()) known.add(property);
    }
    compareNames(`type ${token}`, new Set(Object.keys(spec.properties)), known);
  }
}

function compareConfig() {
  const variables = declarations.find(({ file }) => file === join("config", "vars.d.ts"))?.types ?? "";
  const settings = [...variables.matchAll(/export declare const (\w+): /g)].map(([, name]) => name);
  compareNames("config", new Set(Object.keys(schema.config?.variables ?? {})), new Set(settings));
  const { types } = declarations.find(({ code }) => code.includes("class Provider extends pulumi.ProviderResource"));
  compareProperties("provider input", schema.provider?.inputProperties, schema.provider?.requiredInputs,
    properties(types, /export interface ProviderArgs /));
}

function compareAll(what, ours, pattern, compare) {
  const theirs = new Map();
  for (const file of declarations) {
    for (const [, token] of file.code.matchAll(pattern)) if (token.startsWith(part)) theirs.set(token, file);
  }
  compareNames(what, new Set(Object.keys(ours)), new Set(theirs.keys()));
  for (const [token, spec] of Object.entries(ours)) {
    if (theirs.has(token)) compare(token, spec, theirs.get(token));
  }
  return theirs.size;
}

const resources = compareAll("resource", schema.resources, /__pulumiType = '(\w+:[^']+)'/g, compareResource);
const functions = compareAll("function", schema.functions ?? {}, /runtime\.invoke\("([^"]+)"/g, compareFunction);
compareTypes();
compareConfig();
for (const difference of differences) console.log(difference);
console.log(`${resources} resources, ${functions} functions: ${differences.length} differences`);
process.exit(differences.length > 0 ? 1 : 0);
