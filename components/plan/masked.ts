import type { Finding } from "../base/findings";
import { maskOf, secretsIn } from "../base/secret";
import type { Settings } from "../settings/model";
import { PackageFault } from "../vnfd/model";
import { isWorkload, type InstancePlan } from "./model";

/**
 * Hides the secrets of a stack in all that is told of its plan. What was filled into a manifest, a chart or the objects
 * of a cluster by a template may be quoted by whoever looks at the objects, and of one instance by what another one is
 * told. Logins of servers, kubeconfigs and the like come into no planned object, and are printed nowhere: a password that
 * is the name of the image would only make messages hard to read.
 */
export class Mask {
  readonly #hide: (text: string) => string;

  constructor({ vnfs, clusters }: Pick<Settings, "vnfs" | "clusters">) {
    const filledIn = Object.values(vnfs).map(({ additionalParams: params }) => [
      params?.variables,
      params?.using_helm_install_param,
      params?.k8s_cluster_installation_param?.addons,
    ]);
    this.#hide = maskOf(secretsIn([filledIn, clusters]));
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
