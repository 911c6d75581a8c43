import type { Finding, Place } from "../base/findings";
import { didYouMean } from "../base/nearest";
import type { CloudNeed, ServerNeed } from "../plan/cloud-need";
import type { Cloud } from "./cloud";
import { imageProblems } from "./image-problems";
import { imagesOf, resourcesOf, type Resource } from "./resources";

/** A resource that the cloud does not have, or that does not fit. */
export interface NeedProblem {
  readonly finding: Finding;
  /** True if the resource does not exist; false if it exists but does not fit. */
  readonly isLack: boolean;
}

/** A request that the cloud would refuse. */
export interface ServerProblem extends Pick<ServerNeed, "servers" | "isLookedUp"> {
  readonly finding: Finding;
}

/**
 * Problems of a need.
 * @param place of the instance
 */
export async function needProblems(need: CloudNeed, place: Place, cloud: Cloud): Promise<NeedProblem[]> {
  if (need.kind !== "image") {
    const all = await resourcesOf(need.kind, cloud);
    const subnets = need.isAnySubnet ? await resourcesOf("subnet", cloud) : [];
    return problemOf(need, place, all, subnets);
  }
  const images = await imagesOf(need.name, cloud);
  const problems = need.isOfPlugin ? [] : problemOf(need, place, images);
  const [image, another] = images;
  if (problems.length > 0 || image === undefined || another !== undefined) return problems;
  const findings = await imageProblems(need, image, place, cloud);
  return findings.map((finding) => ({ finding, isLack: true }));
}

function problemOf(
  need: CloudNeed,
  place: Place,
  all: readonly Resource[],
  subnets: readonly Resource[] = [],
): NeedProblem[] {
  const { kind, name: nameOrId, setting, kubernetesVersion: requiredVersion } = need;
  const problem = (message: string, isLack = false): NeedProblem[] => [
    { finding: place.get(...setting).finding(message), isLack },
  ];
  const found = all.filter(({ id, name }) => id === nameOrId || name === nameOrId);
  const ids = found.map(({ id }) => id).join(", ");
  const [one, another] = found;
  if (need.isById && found.length > 0 && !found.some(({ id }) => id === nameOrId))
    return problem(`"${nameOrId}" is a name; set the id of the ${kind}: ${ids}`, true);
  if (one === undefined) {
    const names = all.flatMap(({ name }) => name ?? []);
    return problem(`the cloud has no ${kind} "${nameOrId}"${didYouMean(nameOrId, names)}`, true);
  }
  if (another !== undefined && one.id !== nameOrId)
    return problem(`"${nameOrId}" matches ${found.length} in the cloud: ${ids}; set the id of one`);
  // CAPO uses all subnets of a network, and supports at most one of each IP version
  const ofIt = subnets.filter((subnet) => subnet.network_id === one.id);
  const family = [4, 6].map((version) => ofIt.filter(({ ip_version }) => ip_version === version));
  const many = family.find(({ length }) => length > 1);
  if (many !== undefined) {
    const names = many.map(({ id, name }) => name || id).join(", ");
    return problem(
      `"${nameOrId}" has ${many.length} subnets of one IP version: ${names}; set that of the machines under subnet`,
    );
  }
  const has = one.kube_version;
  if (requiredVersion === undefined || has === undefined || has.replace(/^v?/, "v") === requiredVersion)
    return [];
  return problem(
    `the image "${nameOrId}" has Kubernetes ${has} by its property kube_version, but ${requiredVersion} is required`,
  );
}
