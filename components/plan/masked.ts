import type { Finding } from "../findings";
import { maskOf, secretsIn } from "../secret";
import type { Settings } from "../settings/model";
import { PackageFault } from "../vnfd/model";
import { isWorkload, type InstancePlan } from "./model";

/**
 * Hides the secrets of a stack in all that is told of its plan. What was filled into a manifest or a chart may be quoted
 * by whoever looks at the objects, and of one instance by what another one is told.
 */
export class Mask {
  readonly #hide: (text: string) => string;

  constructor({ vnfs, clusters }: Pick<Settings, "vnfs" | "clusters">) {
    this.#hide = maskOf(secretsIn([vnfs, clusters]));
  }

  findings(findings: readonly Finding[]): Finding[] {
    return findings.map(({ place, message }) => ({ place, message: this.#hide(message) }));
  }

  /** Leaves file and line as they are: no secret is in them, and a short one could be found there. */
  packageFault({ location, findings }: PackageFault): PackageFault {
    const hidden = findings.map((fault) => ({
      ...fault,
      node: this.#hide(fault.node),
      property: this.#hide(fault.property),
      message: this.#hide(fault.message),
    }));
    return new PackageFault(location, hidden);
  }

  /** The plan with its warnings hidden in the same way. */
  plan(plan: InstancePlan): InstancePlan {
    const hidden = { ...plan, warnings: plan.warnings.map(this.#hide) };
    return isWorkload(hidden)
      ? { ...hidden, cnf: { ...hidden.cnf, warnings: hidden.cnf.warnings.map(this.#hide) } }
      : hidden;
  }
}
