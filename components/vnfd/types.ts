import { limits } from "../base/limits";
import type { At } from "./at";
import { nearest } from "./nearest";

const prefix = "tosca.nodes.nfv.";

/** Node types of SOL001 6.8 that the reader uses. */
const used = [
  "tosca.nodes.nfv.VNF",
  "tosca.nodes.nfv.VnfExtCp",
  "tosca.nodes.nfv.Vdu.Compute",
  "tosca.nodes.nfv.Vdu.OsContainer",
  "tosca.nodes.nfv.Vdu.OsContainerDeployableUnit",
  "tosca.nodes.nfv.Vdu.VirtualBlockStorage",
  "tosca.nodes.nfv.VduCp",
  "tosca.nodes.nfv.VipCp",
  "tosca.nodes.nfv.VnfVirtualLink",
  "tosca.nodes.nfv.Mciop",
] as const;

/** Node types of SOL001 6.8 that are valid in a VNFD, but have no effect. */
const unused = [
  "tosca.nodes.nfv.Vdu.VirtualObjectStorage",
  "tosca.nodes.nfv.Vdu.VirtualFileStorage",
  "tosca.nodes.nfv.Cp",
  "tosca.nodes.nfv.VduSubCp",
  "tosca.nodes.nfv.VirtualCp",
  "tosca.nodes.nfv.DeployableModule",
  "tosca.nodes.nfv.PaasServiceRequest",
  "tosca.nodes.nfv.PaasServiceProfile",
  "tosca.nodes.nfv.Certificate",
  "tosca.nodes.nfv.VirtualisedResourceDescriptorProfile",
] as const;

/**
 * A base type without its prefix; `other` for types without an effect, `unknown` after an error, so that references to
 * the node template cause no further errors.
 */
export type BaseType =
  | "VNF"
  | "VnfExtCp"
  | "Vdu.Compute"
  | "Vdu.OsContainer"
  | "Vdu.OsContainerDeployableUnit"
  | "Vdu.VirtualBlockStorage"
  | "VduCp"
  | "VipCp"
  | "VnfVirtualLink"
  | "Mciop"
  | "other"
  | "unknown";

/** A node template with its base type and the defaults of its types. */
export interface NodeTemplate {
  readonly name: string;
  readonly kind: BaseType;
  /** Its base type in SOL001, without the prefix. */
  readonly base: string;
  readonly at: At;
  /** Returns a property of the template, else the default of the nearest type that has one (TOSCA 3.6.10). */
  readonly property: (name: string) => At;
  /** All properties of the template and of its types' defaults. */
  readonly properties: () => At[];
  /** Constraints on its properties, from the package's own types. */
  readonly constraints: () => PropertyConstraints[];
}

/** Constraints of a property (TOSCA 1.3, 3.6.3). */
export interface PropertyConstraints {
  /** Name of the property. */
  readonly property: string;
  /** The type that contains the constraints. */
  readonly type: string;
  readonly clauses: At;
}

/** The types that the files of a package define, by section and name. */
export class Types {
  private readonly nodes: ReadonlyMap<string, At>;
  private readonly policies: ReadonlyMap<string, At>;
  private readonly artifacts: ReadonlyMap<string, At>;

  constructor(roots: readonly At[]) {
    const collect = (section: string) =>
      new Map(
        roots.flatMap((root) =>
          root
            .get(section)
            .entries()
            .map(([name, at]) => [name, at.named(name)] as const),
        ),
      );
    this.nodes = collect("node_types");
    this.policies = collect("policy_types");
    this.artifacts = collect("artifact_types");
  }

  /** Reads a node template; a type that is not allowed in a VNFD is an error. */
  template(name: string, at: At): NodeTemplate {
    const type = at.get("type").requiredText();
    const chain = this.chain(this.nodes, type, [...used, ...unused]);
    const base = chain.at(-1) ?? type;
    const kind = kindOf(base);
    if (kind === undefined && type !== "") {
      const known = [...this.nodes.keys(), ...used, ...unused];
      at.get("type").fault(
        chain.length > limits.derivation
          ? `${type} is derived through more than ${limits.derivation} types, which is the limit`
          : chain.length > 1
            ? `${type} is derived from ${base}, which is not a node type of SOL001`
            : `${type} is neither defined in the package nor a node type of SOL001${nearest(type, known)}`,
      );
    }
    return this.derived(name, at, kind ?? "unknown", chain);
  }

  /**
   * Returns the VNF of a file without a node template for it: the type in the substitution mappings, with its defaults.
   */
  mappedVnf(mappings: At): NodeTemplate | undefined {
    const type = mappings.get("node_type").text() ?? "";
    const chain = this.chain(this.nodes, type, [...used, ...unused]);
    return kindOf(chain.at(-1) ?? "") === "VNF"
      ? this.derived(type, mappings.absent(type), "VNF", chain)
      : undefined;
  }

  private derived(name: string, at: At, kind: BaseType, chain: readonly string[]): NodeTemplate {
    const declared = chain.flatMap((t) => this.nodes.get(t)?.get("properties") ?? []);
    const property = (key: string) => {
      const own = at.get("properties").get(key);
      if (own.isWritten) return own;
      return declared.map((properties) => properties.get(key).get("default")).find((d) => d.isWritten) ?? own;
    };
    const constraints = () =>
      chain.flatMap((type) => {
        const properties = this.nodes.get(type)?.get("properties");
        return (properties?.keys() ?? []).flatMap((key) => {
          const clauses = properties?.get(key).get("constraints");
          return clauses?.isWritten ? [{ property: key, type, clauses }] : [];
        });
      });
    const keys = () => [at.get("properties"), ...declared].flatMap((properties) => properties.keys());
    return {
      ...{ name, kind, base: (chain.at(-1) ?? "").replace(prefix, ""), at, property },
      properties: () => [...new Set(keys())].map(property),
      constraints,
    };
  }

  /** Returns the type of SOL001 from which a node type is derived, else its last known base type. */
  nodeBase(type: string): string {
    return this.chain(this.nodes, type, [...used, ...unused]).at(-1) ?? type;
  }

  /**
   * Returns the base type of a policy: the first of `bases` that is its type, or a type that its type is derived from.
   */
  policyBase(type: string, bases: readonly string[]): string {
    return this.chain(this.policies, type, bases).at(-1) ?? type;
  }

  isSwImage(type: string): boolean {
    return this.isArtifact(type, "tosca.artifacts.nfv.SwImage");
  }

  isHelmChart(type: string): boolean {
    return this.isArtifact(type, "tosca.artifacts.nfv.HelmChart");
  }

  private isArtifact(type: string, base: string): boolean {
    return this.chain(this.artifacts, type, [base]).at(-1) === base;
  }

  /**
   * Returns the type and its base types, without the namespace_prefix of an import (TOSCA 1.3, 3.6.8). The chain ends
   * at one of `ends`, an undefined type, a cycle or the limit.
   */
  private chain(types: ReadonlyMap<string, At>, type: string, ends: readonly string[]): string[] {
    const named = (name: string) => {
      const plain = name.replace(/^[\w.-]+:/, "");
      return !types.has(name) && (types.has(plain) || ends.includes(plain)) ? plain : name;
    };
    const first = named(type);
    const chain = new Set([first]);
    for (let last = first; !ends.includes(last) && chain.size <= limits.derivation;) {
      const parent = types.get(last)?.get("derived_from");
      const next = parent?.isText ? named(parent.text() ?? "") : undefined;
      if (next === undefined || chain.has(next)) break;
      chain.add(next);
      last = next;
    }
    return [...chain];
  }
}

function kindOf(base: string): BaseType | undefined {
  if ((unused as readonly string[]).includes(base)) return "other";
  return (used as readonly string[]).includes(base) ? (base.replace(prefix, "") as BaseType) : undefined;
}
