import { didYouMean, oneOf } from "../../components/base/nearest";
import { isBefore, parseVersion } from "../../components/kube/cluster/version";
import {
  isUpgradable,
  kubeadmMakes,
  OLDEST_UPGRADE_MINOR,
  versionBetween,
} from "../../components/kube/cluster/version-skew";
import { own } from "../../components/base/own";
import { aspectsOf } from "../../components/vnfd/numbers";
import type { ClusterPlan } from "../../components/plan/kubeadm/model";
import { nodePools, poolsOf } from "../../components/plan/kubeadm/pools";
import { Fault, UsageFault } from "../fault";
import type { IntendedVnf } from "../stack/intent";

/** The target of an upgrade of a cluster. */
export interface UpgradeRequest {
  /**
   * Version of Kubernetes, such as `v1.34.4`; without it only the nodes of `images` are replaced, and those that get
   * another image by `package`.
   */
  readonly to?: string;
  /**
   * Templates of a workload cluster, at least one, in place of all other fields: it gets one after the other.
   * @default nodes are replaced one by one
   */
  readonly templates?: readonly string[];
  /** Path of the VNF package. @default that of the stack config */
  readonly package?: string;
  /** Glance image by VDU. @default those of the stack config and the VNFD */
  readonly images?: Readonly<Record<string, string>>;
  /** Number of workers that are replaced at a time; at least 1. @default 1 */
  readonly batch?: number;
  /** Scale levels of additional workers, which exist while workers are replaced. @default 0 */
  readonly surge?: number;
}

/** An upgrade of nodes, with its defaults. */
export type NodeUpgrade = UpgradeRequest & Required<Pick<UpgradeRequest, "images" | "batch" | "surge">>;

/**
 * @throws UsageFault if the VNF instance is no cluster
 */
export function clusterOf({ name, plan }: IntendedVnf): ClusterPlan {
  if (plan.kind === "kubeadm") return plan.cluster;
  if (plan.kind === "template")
    throw new UsageFault(
      `${name} is a workload cluster from a template: set another template with --template`,
    );
  throw new UsageFault(
    `${name} is not a Kubernetes cluster; update a CNF by its manifests, other servers by their image and heal`,
  );
}

/**
 * Refuses an impossible upgrade before anything changes. Versions that the stack config does not have are read from the
 * cluster in the first run.
 * @throws UsageFault if there is no such VDU, Fault if the upgrade is not possible
 */
export function checkUpgrade(vnf: IntendedVnf, request: NodeUpgrade): void {
  const { name } = vnf;
  const { to, images, surge } = request;
  const cluster = clusterOf(vnf);
  const { kubernetesVersion } = cluster;
  const vdus = nodePools(cluster).map(({ vdu }) => vdu);
  for (const vdu of Object.keys(images)) {
    if (vdus.includes(vdu)) continue;
    throw new UsageFault(`${name} has no nodes of VDU "${vdu}"; ${oneOf(vdus)}${didYouMean(vdu, vdus)}`);
  }
  const ofAll = to !== undefined || request.package !== undefined;
  const fixed = poolsOf(cluster, "worker")
    .filter(({ vdu, servers }) => servers.length > 0 && (ofAll || Object.hasOwn(images, vdu)))
    .filter(({ vdu }) => !surgeAspects(vnf).has(vdu));
  if (surge > 0 && fixed.length > 0) {
    const vdus = fixed.map(({ vdu }) => vdu).join(" or ");
    throw new UsageFault(`${name}: --surge: no scaling aspect adds only servers of VDU ${vdus}`);
  }
  if (to !== undefined && kubernetesVersion !== undefined) checkVersion(name, kubernetesVersion, to);
}

/**
 * Refuses images that nodes have already. They contain the former kubeadm too, with which a single control plane could
 * not be restored.
 * @param present image of each existing VNFC
 * @throws UsageFault if the new image of a VDU is that of its nodes
 */
export function checkImages(
  vnf: IntendedVnf,
  { to, images }: NodeUpgrade,
  present: ReadonlyMap<string, string>,
): void {
  const cluster = clusterOf(vnf);
  const { kubernetesVersion, aptRepository, nodeScript } = cluster;
  if (to === undefined || aptRepository !== undefined || nodeScript !== undefined) return;
  const [has, next] = [kubernetesVersion, to].map(parseVersion);
  if (has !== undefined && next !== undefined && kubeadmMakes(has, next)) return;
  const unchanged = nodePools(cluster).flatMap(({ servers: [first, ...others] }) => {
    if (first === undefined || Object.hasOwn(images, first.vdu.id)) return [];
    const theirs = [first, ...others].flatMap(({ key }) => present.get(key) ?? []);
    return theirs.length > 0 && theirs.every((image) => image === first.image) ? [first] : [];
  });
  if (unchanged.length === 0) return;
  const same = unchanged.map(({ vdu, image }) => `${vdu.id} (${image})`).join(" and ");
  const options = unchanged.map(({ vdu }) => `--image ${vdu.id}=NAME`).join(" ");
  throw new UsageFault(
    `${vnf.name}: --to ${to}: the image of ${same} stays the same, and Kubernetes comes only with the image; ` +
      `set one that has ${to}: ${options}`,
  );
}

/**
 * Describes images of the package that the nodes do not get because the stack config names others; lines for the
 * operator.
 */
export function describeKept(name: string, cluster: ClusterPlan, { images }: NodeUpgrade): readonly string[] {
  return nodePools(cluster).flatMap(({ servers: [server] }) => {
    const { vdu, image } = server ?? {};
    if (vdu?.image === undefined || vdu.image === image || Object.hasOwn(images, vdu.id)) return [];
    return [
      `${name}: images.${vdu.id} of the stack config stays ${image}; ` +
        `for the image of the package: --image ${vdu.id}=${vdu.image}`,
    ];
  });
}

function checkVersion(name: string, present: string, to: string): void {
  const [from, target] = [present, to].map(parseVersion);
  if (from === undefined || target === undefined) return;
  if (isBefore(target, from))
    throw new Fault(`${name} has Kubernetes ${present}, which cannot be downgraded to ${to}`);
  if (present !== to && !isUpgradable(target))
    throw new Fault(
      `${name} has Kubernetes ${present}: upgrades are possible to v1.${OLDEST_UPGRADE_MINOR} and newer, not to ${to}`,
    );
  const between = versionBetween(from, target);
  if (between !== undefined) {
    throw new Fault(
      `${name} has Kubernetes ${present}, and ${to} is more than one minor version newer: upgrade it to ${between} first`,
    );
  }
}

/**
 * Refuses a version that the nodes' apt repository does not contain, as it has only one minor version.
 * @throws Fault
 */
export function checkRepository(name: string, { aptRepository, kubernetesVersion = "" }: ClusterPlan): void {
  const [named] = /v1\.\d+/.exec(aptRepository?.url ?? "") ?? [];
  if (named === undefined || kubernetesVersion.startsWith(`${named}.`)) return;
  throw new Fault(
    `${name}: apt_repository.url ${aptRepository?.url} is the repository of ${named}: set it to that of ${kubernetesVersion} first, ` +
      "which does not change existing nodes",
  );
}

/** Scaling aspects by VDU of workers, for aspects that scale all servers of the VDU. */
export function surgeAspects(vnf: IntendedVnf): ReadonlyMap<string, string> {
  const { flavour } = vnf;
  if (flavour === undefined) return new Map();
  const scalesOneVdu = (aspect: string) =>
    Object.keys(own(flavour.scalingAspects, aspect)?.deltas ?? {}).length === 1;
  return new Map(
    poolsOf(clusterOf(vnf), "worker").flatMap(({ vdu }) => {
      const ofFlavour = own(flavour.vdus, vdu);
      const aspect = ofFlavour && aspectsOf(ofFlavour, flavour).find(scalesOneVdu);
      return aspect === undefined ? [] : [[vdu, aspect] as const];
    }),
  );
}
