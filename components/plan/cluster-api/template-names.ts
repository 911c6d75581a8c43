import { canonical, digest } from "../../kube/objects/checksum";
import { at, isFields, type KubeObject } from "../../kube/objects/object";

/**
 * Adds a hash of its content to the name of each template, also in references to it. Templates are immutable: changed
 * content gets another name, and the machines of the former template are replaced.
 */
export function withTemplateNames(objects: readonly KubeObject[]): KubeObject[] {
  const names = new Map(
    objects
      .filter(({ kind }) => kind.endsWith("Template"))
      .map((template) => {
        const { kind, metadata } = template;
        return [`${kind} ${metadata.name}`, `${metadata.name}-${digest(contentOf(template)).slice(0, 8)}`];
      }),
  );
  return objects.map((object) => {
    const { kind, metadata } = object;
    const name = names.get(`${kind} ${metadata.name}`);
    return {
      ...(withReferences(object, names) as KubeObject),
      ...(name !== undefined && { metadata: { ...metadata, name } }),
    };
  });
}

/** The content of a template that determines its machines, including changes by patches. */
function contentOf({ spec }: KubeObject): unknown {
  const ofMachines = at(spec, "template", "spec");
  return canonical(spec) === canonical({ template: { spec: ofMachines } }) ? ofMachines : spec;
}

/** Replaces the names of templates in references in a value. @param names by the kind and the former name */
function withReferences(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => withReferences(item, names));
  if (!isFields(value)) return value;
  const name = names.get(`${String(value["kind"])} ${String(value["name"])}`);
  return {
    ...Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withReferences(inner, names)])),
    ...(name !== undefined && { name }),
  };
}
