import * as pulumi from "@pulumi/pulumi";
import { Findings, textOf, type Finding, type Place } from "../base/findings";
import { printable } from "../base/printable";
import { didYouMean } from "../base/nearest";
import type { CloudNeed, MachineDisk } from "../plan/cloud-need";
import type { InstancePlan } from "../plan/model";
import { assertNone } from "../base/settings-fault";
import type { Flavor } from "../openstack/session";
import type { Cloud, Connect } from "./cloud";
import { flavorOf } from "./flavors";
import { notActive, tooSmall, type ImageDisk } from "./image-problems";
import { flavorsIn, imagesOf, resourcesOf, type Image, type Resource } from "./resources";

/**
 * Checks that the cloud has all resources that clusters from templates need, before anything is created: their
 * controllers would report a missing one in the middle of a run, and wait for it.
 * @param isThere returns true for an instance that an earlier run created; a missing resource is then only a warning,
 * as existing machines do not need their image any more
 * @param connect connects to the cloud, which is needed only for such clusters
 * @throws SettingsFault with all resources that are missing or ambiguous
 */
export async function checkClusterNeeds(
  plans: readonly InstancePlan[],
  isThere: (instance: string) => boolean,
  connect: Connect,
): Promise<void> {
  const clusters = plans
    .filter((plan) => plan.kind === "template")
    .filter(({ cloudNeeds }) => cloudNeeds.length > 0);
  if (clusters.length === 0) return;
  const cloud = await connect();
  const found = await Promise.all(
    clusters.map(async ({ name, cloudNeeds }) => ({
      name,
      problems: await needProblems(cloudNeeds, new Findings().instance(name), cloud),
    })),
  );
  const begun = clusters.filter(({ name, madeNetwork }) => madeNetwork !== undefined && !isThere(name));
  const networks = begun.length > 0 ? await resourcesOf("network", cloud) : [];
  for (const { name, madeNetwork } of begun)
    if (networks.some((network) => network.name === madeNetwork))
      void pulumi.log.warn(
        printable(
          `${new Findings().instance(name).text}: the project has a network ${madeNetwork} already, which the cluster ` +
            `takes for its own. If it is not of a run that was cut off, give the cluster another name`,
        ),
      );
  const faults = new Findings();
  for (const { name, problems } of found)
    for (const { finding, isLack } of problems)
      if (isLack && isThere(name))
        void pulumi.log.warn(printable(`${textOf(finding)}; no machine can be made of it`));
      else faults.add(finding);
  assertNone(faults);
}

export interface NeedProblem {
  readonly finding: Finding;
  /** True if the resource does not exist; false if it exists and does not suffice. */
  readonly isLack: boolean;
}

/**
 * Problems of the needs of an instance.
 * @param place of the instance
 */
export async function needProblems(
  needs: readonly CloudNeed[],
  place: Place,
  cloud: Cloud,
): Promise<NeedProblem[]> {
  const problems = await Promise.all(
    needs.map(async (need) => {
      const { kind } = need;
      const all = kind === "image" ? await imagesOf(need.asked, cloud) : await resourcesOf(kind, cloud);
      const subnets = need.isAnySubnet ? await resourcesOf("subnet", cloud) : [];
      const problem = problemOf(need, place, all, subnets);
      if (problem !== undefined) return [problem];
      return kind === "image" ? imageProblems(need, place, all[0] as Image | undefined, cloud) : [];
    }),
  );
  return problems.flat();
}

/** Problems of an image that no machine can use, because of its status or its size. */
async function imageProblems(
  { asked, setting, machines = [] }: CloudNeed,
  place: Place,
  image: Image | undefined,
  cloud: Cloud,
): Promise<NeedProblem[]> {
  if (image?.status === undefined) return [];
  const flavors = machines.length > 0 ? await flavorsIn(cloud) : [];
  const findings =
    image.status === "active"
      ? machines.flatMap((machine) => tooSmall(asked, image, diskOf(machine, place, flavors)))
      : [place.get(...setting).finding(notActive(asked, image))];
  return findings.map((finding) => ({ finding, isLack: true }));
}

function diskOf(machine: MachineDisk, place: Place, flavors: readonly Flavor[]): ImageDisk {
  const { flavor, rootVolumeGiB: sizeGiB } = machine;
  const setting = place.get(...machine.setting);
  return {
    flavor: flavorOf({ kind: "name", name: flavor }, flavors),
    ofFlavor: setting.get("flavor"),
    volume:
      sizeGiB === undefined
        ? undefined
        : { name: "root volume", sizeGiB, setting: setting.get("rootVolume", "sizeGiB") },
  };
}

function problemOf(
  need: CloudNeed,
  place: Place,
  all: readonly Resource[],
  subnets: readonly Resource[],
): NeedProblem | undefined {
  const { kind, asked, setting, kubernetesVersion: requiredVersion } = need;
  const at = place.get(...setting);
  const found = all.filter(({ id, name }) => id === asked || name === asked);
  const [one, another] = found;
  if (need.isById && found.length > 0 && !found.some(({ id }) => id === asked)) {
    const ids = found.map(({ id }) => id).join(", ");
    return { finding: at.finding(`"${asked}" is a name; give the id of the ${kind}: ${ids}`), isLack: true };
  }
  if (one === undefined) {
    const names = all.flatMap(({ name }) => name ?? []);
    const problem = `the cloud has no ${kind} "${asked}"${didYouMean(asked, names)}`;
    return { finding: at.finding(problem), isLack: true };
  }
  if (another !== undefined && one.id !== asked) {
    const ids = found.map(({ id }) => id).join(", ");
    const problem = `"${asked}" are ${found.length} of the cloud: ${ids}; give the id of one`;
    return { finding: at.finding(problem), isLack: false };
  }
  // CAPO uses all subnets of a network, and supports at most one of each IP version
  const ofIt = subnets.filter((subnet) => subnet.network_id === one.id);
  const family = [4, 6].map((version) => ofIt.filter(({ ip_version }) => ip_version === version));
  const many = family.find(({ length }) => length > 1);
  if (many !== undefined) {
    const names = many.map(({ id, name }) => name || id).join(", ");
    const problem = `"${asked}" has ${many.length} subnets of one family: ${names}; name that of the machines under subnet`;
    return { finding: at.finding(problem), isLack: false };
  }
  const has = one.kube_version;
  if (requiredVersion === undefined || has === undefined || has.replace(/^v?/, "v") === requiredVersion)
    return undefined;
  const problem = `the image "${asked}" has Kubernetes ${has} by its property kube_version, and ${requiredVersion} is wanted`;
  return { finding: at.finding(problem), isLack: false };
}
