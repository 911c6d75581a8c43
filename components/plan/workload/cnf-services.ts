import type { Findings } from "../../base/findings";
import { groupKind, isBalanced } from "../../kube/objects/kinds";
import { at, fields, identityOf, items, shown, text, type KubeObject } from "../../kube/objects/object";
import { providedBy } from "../../kube/order/providers";
import { withAddressAwaited } from "../../kube/order/readiness";
import { madeBy } from "./cnf";
import type { CnfPlan } from "./model";

/**
 * Records node ports and cluster IPs that Services of one cluster claim twice: the API server assigns each once, and
 * would refuse the second claim in the middle of a run. A node port is one number for all protocols.
 */
export function checkClaims(plans: readonly CnfPlan[], faults: Findings): void {
  const owners = new Map<string, { readonly instance: string; readonly service: KubeObject }>();
  for (const plan of plans) {
    const { instance } = plan;
    for (const { object } of madeBy(plan))
      for (const claim of claimsOf(object)) {
        const owner = owners.get(claim);
        if (owner === undefined) owners.set(claim, { instance, service: object });
        // checkCollisions reports two CNFs with the same Service
        const isSame = owner !== undefined && identityOf(owner.service) === identityOf(object);
        if (owner === undefined || (isSame && owner.instance !== instance)) continue;
        const other = isSame
          ? "another of its ports"
          : `${shown(owner.service)}${owner.instance === instance ? "" : ` of ${owner.instance}`}`;
        faults
          .instance(instance)
          .fault(
            `${shown(object)} requests ${claim}, and so does ${other}, on the same cluster; ` +
              "set another value for one of the two, or remove it, so that Kubernetes chooses",
          );
      }
  }
}

export type IpFamily = "IPv4" | "IPv6";
const IP_FAMILIES: readonly IpFamily[] = ["IPv4", "IPv6"];

/** Records Services that require an IP family which the cluster does not have. @param families those of its Services */
export function checkFamilies(
  plan: CnfPlan,
  cluster: string,
  families: readonly IpFamily[],
  faults: Findings,
): void {
  const missing = IP_FAMILIES.filter((family) => !families.includes(family));
  if (missing.length === 0) return;
  for (const { object } of madeBy(plan)) {
    const spec = fields(object["spec"]);
    // Kubernetes accepts any family if the endpoints are created by others
    const isOpen = spec["clusterIP"] === "None" && spec["selector"] === undefined;
    if (!isService(object) || isOpen) continue;
    const requested = items(spec["ipFamilies"]);
    const asks = [
      ...(spec["ipFamilyPolicy"] === "RequireDualStack" ? ["ipFamilyPolicy RequireDualStack"] : []),
      ...missing.filter((family) => requested.includes(family)).map((family) => `${family} in ipFamilies`),
      ...addressesOf(object)
        .filter((address) => missing.includes(ipFamily(address)))
        .map((address) => `clusterIP ${address}`),
    ];
    if (asks.length === 0) continue;
    faults
      .instance(plan.instance)
      .fault(
        `${shown(object)} has ${asks.join(", ")}, but the cluster ${cluster} has ` +
          `only ${families.join()}; remove that, or use ipFamilyPolicy PreferDualStack without ipFamilies`,
      );
  }
}

/** @param address or a CIDR */
export function ipFamily(address: string): IpFamily {
  return address.includes(":") ? "IPv6" : "IPv4";
}

/** The cluster IPs and node ports that a Service claims for itself, as texts for messages. */
function claimsOf(service: KubeObject): string[] {
  if (!isService(service)) return [];
  const spec = fields(service["spec"]);
  const hasNodePorts = spec["type"] === "NodePort" || spec["type"] === "LoadBalancer";
  // ports with the same number and different protocols, such as those of DNS, share a node port
  const nodePorts = new Map(
    items(spec["ports"]).map((port) => {
      const { port: number, nodePort } = fields(port);
      return [JSON.stringify([number, nodePort]), nodePort];
    }),
  );
  return [
    ...(hasNodePorts ? [...nodePorts.values(), spec["healthCheckNodePort"]] : [])
      .filter((port) => typeof port === "number" && port > 0)
      .map((port) => `nodePort ${String(port)}`),
    ...addressesOf(service).map((address) => `clusterIP ${address}`),
  ];
}

function addressesOf(service: KubeObject): string[] {
  const requested = [at(service, "spec", "clusterIP"), ...items(at(service, "spec", "clusterIPs"))];
  const addresses = requested.map(text).filter((address) => address !== undefined);
  return [...new Set(addresses)].filter((address) => address !== "None");
}

function isService(object: KubeObject): boolean {
  return groupKind(object) === "/Service";
}

/**
 * The CNF, whose Services of type LoadBalancer become ready once they have an address. This applies only if a CNF of
 * this stack installs the controller of load balancers on the cluster: other clusters may have none.
 * @param sharing all CNFs of the cluster
 */
export function withAddressesAwaited(cnf: CnfPlan, sharing: readonly CnfPlan[]): CnfPlan {
  const balances = sharing.some((one) => providedBy(madeBy(one).map(({ object }) => object)).balances);
  if (!balances) return cnf;
  const objects = cnf.objects.map((planned) =>
    isBalanced(planned.object) ? { ...planned, object: withAddressAwaited(planned.object) } : planned,
  );
  return { ...cnf, objects };
}
