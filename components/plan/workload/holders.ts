import { groupKind, isDefinition } from "../../kube/objects/kinds";
import { at, identity, identityOf, items, text, type KubeObject } from "../../kube/objects/object";
import { references } from "../../kube/order/references";
import type { Vim } from "../model";
import { madeBy } from "./cnf";
import type { CnfPlan } from "./model";
import { isKept } from "./planned-release";

/**
 * The CRDs and Namespaces of a CNF, whose deletion deletes other objects too, and data to recognise the CNF's own
 * objects among these.
 */
export interface Holders {
  /** Names of CustomResourceDefinitions. */
  readonly definitions: readonly string[];
  /** Names of Namespaces. */
  readonly namespaces: readonly string[];
  /** Helm releases of the CNF, as `<namespace>/<name>`. */
  readonly releases: readonly string[];
  /**
   * Identities of Secrets, ConfigMaps and claims in these Namespaces that objects of the CNF name and no manifest
   * contains: controllers create them, mostly without an owner. A `*` at the end stands for any suffix.
   */
  readonly named: readonly string[];
}

/** A VIM in outputs, without secrets. */
export type ShownVim = Exclude<Vim, { kind: "kubeconfig" }> | { readonly kind: "kubeconfig" };

/**
 * The CRDs and Namespaces of a CNF that must not be deleted while they contain objects that the stack did not create,
 * as in outputs.
 */
export interface ProtectedObjects extends Omit<Holders, "releases"> {
  readonly vim: ShownVim;
  /** Value of the owner's annotation on the CNF's objects. */
  readonly owner: string;
  /** The instance whose setting protects them. */
  readonly settingsOf: string;
}

export function shownVim(vim: Vim): ShownVim {
  return vim.kind === "kubeconfig" ? { kind: vim.kind } : vim;
}

export function holdersOf(plan: CnfPlan): Holders {
  const made = madeBy(plan).flatMap(({ object, retain }) => (retain || isKept(object) ? [] : [object]));
  const namesOf = (objects: readonly KubeObject[]) =>
    objects.flatMap(({ metadata }) => metadata.name ?? []).sort();
  const namespaces = namesOf(made.filter((object) => groupKind(object) === "/Namespace"));
  const own = new Set(made.map(identityOf));
  const named = made.flatMap(namedBy).filter((id) => {
    const [group, kind = "", namespace = ""] = id.split("/");
    return group === "" && DATA.includes(kind) && namespaces.includes(namespace) && !own.has(id);
  });
  return {
    definitions: namesOf(made.filter(isDefinition)),
    namespaces,
    releases: plan.releases.map(({ namespace, name }) => `${namespace}/${name}`).sort(),
    named: [...new Set(named)].sort(),
  };
}

/** Kinds of the core group that controllers create for the objects that name them. */
const DATA = ["ConfigMap", "PersistentVolumeClaim", "Secret"];

/** Identities of objects that an object names, and of those that its controller creates under a derived name. */
function namedBy(object: KubeObject): string[] {
  const { namespace, name = "" } = object.metadata;
  const ofRules = items(object["rules"]).flatMap((rule) =>
    items(at(rule, "resourceNames")).flatMap((one) =>
      ["ConfigMap", "Secret"].map((kind) => identity("", kind, namespace, text(one) ?? "")),
    ),
  );
  const ofTemplates = items(at(object, "spec", "volumeClaimTemplates")).map((template) =>
    identity(
      "",
      "PersistentVolumeClaim",
      namespace,
      `${text(at(template, "metadata", "name")) ?? ""}-${name}-*`,
    ),
  );
  return [...references(object), ...ofRules, ...ofTemplates];
}
