import { isIn, parseAddress, parseCidr } from "../../components/base/net/cidr";
import { didYouMean, oneOf } from "../../components/base/nearest";
import type { Vdu } from "../../components/vnfd/model";
import { UsageFault } from "../fault";
import type { CloudOffer, Offered, OfferedFlavor, OfferedImage, OfferedNetwork } from "./offer";

/**
 * Choices for a first cluster. Resources of the cloud are set by their names, or by their ids if the name is ambiguous.
 */
export interface Choices {
  readonly network: NodeNetwork;
  readonly image: string;
  /** User for the login to servers of the image. */
  readonly username: string;
  readonly masterFlavor: string;
  readonly workerFlavor: string;
  /** CIDR that may connect to the nodes. */
  readonly managementCidr: string;
}

/** An existing network, or a new one behind a router to an external network. */
export type NodeNetwork = { readonly existing: string } | { readonly externalNetwork: string };

/** The name of a resource of the cloud; its id if the name is ambiguous. */
export function choiceName({ id, name }: Offered, all: readonly Offered[]): string {
  return all.filter((other) => other.name === name).length > 1 ? id : name;
}

/**
 * The resource with a name or id.
 * @param setting name of the choice, at the beginning of the message
 * @throws UsageFault if there is none, or several have the name
 */
export function chosen<T extends Offered>(
  setting: string,
  kind: string,
  nameOrId: string,
  all: readonly T[],
): T {
  const byId = all.find(({ id }) => id === nameOrId);
  const [one, ...others] = all.filter(({ name }) => name === nameOrId);
  if (byId === undefined && others.length > 0) {
    const ids = [one, ...others].flatMap((each) => each?.id ?? []);
    throw new UsageFault(
      `${setting}: "${nameOrId}" matches ${ids.length} ${kind}s: ${ids.join(", ")}; set the id of one`,
    );
  }
  const found = byId ?? one;
  if (found !== undefined) return found;
  const names = all.map(({ name }) => name);
  throw new UsageFault(
    `${setting}: the cloud has no ${kind} "${nameOrId}"; ${oneOf(names)}${didYouMean(nameOrId, names)}`,
  );
}

/**
 * The default network: an external network that accepts servers, else a new one behind a router, else any that accepts
 * servers.
 */
export function defaultNetwork(networks: readonly OfferedNetwork[]): NodeNetwork | undefined {
  const first = (is: (network: OfferedNetwork) => boolean): string | undefined => {
    const found = networks.find(is);
    return found && choiceName(found, networks);
  };
  const provider = first(({ isExternal, isUsable }) => isExternal && isUsable);
  if (provider !== undefined) return { existing: provider };
  const externalNetwork = first(({ isExternal }) => isExternal);
  if (externalNetwork !== undefined) return { externalNetwork };
  const existing = first(({ isUsable }) => isUsable);
  return existing === undefined ? undefined : { existing };
}

/**
 * The default image: that of the package if the cloud has it, else the newest one with Kubernetes in its name or
 * property.
 */
export function defaultImage(images: readonly OfferedImage[], { image }: Vdu): OfferedImage | undefined {
  const ofPackage = images.filter(({ name }) => name === image);
  const withKubernetes = images.filter(
    ({ name, kubernetesVersion }) => kubernetesVersion !== undefined || /kube|k8s/i.test(name),
  );
  return newest(ofPackage) ?? newest(withKubernetes);
}

function newest(images: readonly OfferedImage[]): OfferedImage | undefined {
  return [...images].sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1))[0];
}

/**
 * The default flavor: that of the package if the cloud has it, else the smallest one that meets the VDU's requirements.
 */
export function defaultFlavor(flavors: readonly OfferedFlavor[], vdu: Vdu): OfferedFlavor | undefined {
  const { vcpus = 0, memoryMiB = 0, diskGiB = 0 } = vdu;
  return (
    flavors.find(({ name }) => name === vdu.flavor) ??
    flavors
      // a flavor without a disk is for servers that boot from a volume
      .filter((it) => it.vcpus >= vcpus && it.ramMiB >= memoryMiB && it.diskGiB >= diskGiB)
      .sort((a, b) => a.ramMiB - b.ramMiB || a.vcpus - b.vcpus || a.diskGiB - b.diskGiB)[0]
  );
}

/** The user for the login: the default user that cloud-init creates on the distribution. */
export function usernameOf({ name, adminUser }: OfferedImage): string {
  return adminUser ?? (/ubuntu/i.test(name) ? "ubuntu" : "debian");
}

/**
 * The default for managementCidr: a subnet that contains this machine, else this machine only.
 * @param own this machine's address on the way to the nodes
 * @param subnets CIDRs of the nodes' network
 */
export function defaultManagementCidr(
  own: string | undefined,
  subnets: readonly string[],
): string | undefined {
  if (own === undefined || /^(127\.|::1$)/.test(own)) return undefined;
  return subnets.find((subnet) => isIn(own, subnet)) ?? parseAddress(own)?.text;
}

/** Parses a CIDR. @throws UsageFault if it is invalid */
export function readCidr(setting: string, cidrText: string): string {
  const cidr = parseCidr(cidrText) ?? parseAddress(cidrText);
  if (cidr !== undefined) return cidr.text;
  throw new UsageFault(`${setting}: "${cidrText}" is not a CIDR, such as 203.0.113.0/24`);
}

/** The networks of the cloud that accept servers, or the external ones. */
export function networksFor(offer: CloudOffer, is: "isUsable" | "isExternal"): readonly OfferedNetwork[] {
  return offer.networks.filter((network) => network[is]);
}
