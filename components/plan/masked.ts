import type { Finding } from "../base/findings";
import { maskOf, secretsIn } from "../base/secret";
import type { Settings } from "../settings/model";
import { PackageFault } from "../vnfd/model";
import { isWorkload, type InstancePlan } from "./model";

/**
 * Replaces the secrets of a stack in messages about its plan. Checks of manifests, charts and cluster objects may quote
 * secret values that were inserted there, and so may messages about other instances. Logins of servers, kubeconfigs and
 * the like are part of no planned object and are never printed; masking them would only make messages hard to read, for
 * example if a password is also the name of an image.
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

  /** Masks messages only. File and line contain no secret, but may contain the characters of a short one. */
  packageFault({ location, findings }: PackageFault): PackageFault {
    const hidden = findings.map((fault) => ({
      ...fault,
      node: this.#hide(fault.node),
      property: this.#hide(fault.property),
      message: this.#hide(fault.message),
    }));
    return new PackageFault(location, hidden);
  }

  /** Masks the warnings of a plan. */
  plan(plan: InstancePlan): InstancePlan {
    const hidden = { ...plan, warnings: plan.warnings.map(this.#hide) };
    return isWorkload(hidden)
      ? { ...hidden, cnf: { ...hidden.cnf, warnings: hidden.cnf.warnings.map(this.#hide) } }
      : hidden;
  }
}
