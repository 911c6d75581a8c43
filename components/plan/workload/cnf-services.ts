import type { Findings } from "../../base/findings";
import { groupKind, isBalanced } from "../../kube/objects/kinds";
import { at, fields, identityOf, items, shown, text, type KubeObject } from "../../kube/objects/object";
import { providedBy } from "../../kube/order/providers";
import { withAddressAwaited } from "../../kube/order/readiness";
import { madeBy, type CnfPlan } from "./cnf";

/**
 * Records node ports and cluster IPs that two Services of one cluster ask for, or one Service twice: the API server gives
 * each once, and would refuse the later one in the middle of a run. A node port is one number for all protocols.
 */
export function checkClaims(plans: readonly CnfPlan[], faults: Findings): void {
  const owners = new Map<string, { readonly instance: string; readonly service: KubeObject }>();
  for (const plan of plans) {
    const { instance } = plan;
    for (const { object } of madeBy(plan))
      for (const claim of claimsOf(object)) {
        const owner = owners.get(claim);
        if (owner === undefined) owners.set(claim, { instance, service: object });
        // two CNFs with the same Service are told so
        const isSame = owner !== undefined && identityOf(owner.service) === identityOf(object);
        if (owner === undefined || (isSame && owner.instance !== instance)) continue;
        const other = isSame
          ? "another of its ports"
          : `${shown(owner.service)}${owner.instance === instance ? "" : ` of ${owner.instance}`}`;
        faults
          .instance(instance)
          .fault(
            `${shown(object)} asks for ${claim}, and so does ${other}, on the same cluster; ` +
              "give one of the two another value, or leave it out and Kubernetes chooses",
          );
      }
  }
}

export type IpFamily = "IPv4" | "IPv6";
const IP_FAMILIES: readonly IpFamily[] = ["IPv4", "IPv6"];

/** Records Services that ask for a family which the cluster has not. @param families those of its Services */
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
    // Kubernetes takes anything for one whose endpoints somebody else makes
    const isOpen = spec["clusterIP"] === "None" && spec["selector"] === undefined;
    if (!isService(object) || isOpen) continue;
    const wanted = items(spec["ipFamilies"]);
    const asks = [
      ...(spec["ipFamilyPolicy"] === "RequireDualStack" ? ["ipFamilyPolicy RequireDualStack"] : []),
      ...missing.filter((family) => wanted.includes(family)).map((family) => `${family} in ipFamilies`),
      ...addressesOf(object)
        .filter((address) => missing.includes(ipFamily(address)))
        .map((address) => `clusterIP ${address}`),
    ];
    if (asks.length === 0) continue;
    faults
      .instance(plan.instance)
      .fault(
        `${shown(object)} has ${asks.join(", ")}, and the cluster ${cluster} is of ` +
          `${families.join()} alone; leave that out, or use ipFamilyPolicy PreferDualStack without ipFamilies`,
      );
  }
}

/** @param address or a block of them */
export function ipFamily(address: string): IpFamily {
  return address.includes(":") ? "IPv6" : "IPv4";
}

/** What a Service has to have for itself alone, in words. */
function claimsOf(service: KubeObject): string[] {
  if (!isService(service)) return [];
  const spec = fields(service["spec"]);
  const hasNodePorts = spec["type"] === "NodePort" || spec["type"] === "LoadBalancer";
  // ports of one number and different protocols, as DNS has them, share a node port
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
  const given = [at(service, "spec", "clusterIP"), ...items(at(service, "spec", "clusterIPs"))];
  const addresses = given.map(text).filter((address) => address !== undefined);
  return [...new Set(addresses)].filter((address) => address !== "None");
}

function isService(object: KubeObject): boolean {
  return groupKind(object) === "/Service";
}

/**
 * The CNF with Services of type LoadBalancer that count as made once they have an address. That is so where a CNF of this
 * stack brings the controller of balancers to the cluster: of another cluster nobody knows whether it has one.
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
