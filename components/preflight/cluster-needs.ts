import * as pulumi from "@pulumi/pulumi";
import { Findings, textOf, type Finding, type Place } from "../base/findings";
import { printable } from "../base/printable";
import { didYouMean } from "../base/nearest";
import { once } from "../base/once";
import { listed } from "../openstack/listing";
import type { Flavor, OpenStack, Service } from "../openstack/session";
import type { CloudNeed, MachineDisk } from "../plan/cloud-need";
import type { InstancePlan } from "../plan/model";
import { assertNone } from "../base/settings-fault";
import { flavorOf } from "./flavors";
import { imagesOf, notActive, tooSmall, type Image, type ImageDisk } from "./image-problems";

type Cloud = Pick<OpenStack, "get" | "flavors">;

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
  connect: () => Promise<Cloud>,
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
  const networks = begun.length > 0 ? await listsOf(cloud)("network") : [];
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
  const things = listsOf(cloud);
  const problems = await Promise.all(
    needs.map(async (need) => {
      const { kind } = need;
      // there may be many images: they are looked up by name
      const all = kind === "image" ? await imagesOf<Thing>(need.asked, cloud) : await things(kind);
      const subnets = need.isAnySubnet ? await things("subnet") : [];
      const problem = problemOf(need, place, all.map(unwrapped), subnets);
      if (problem !== undefined) return [problem];
      return kind === "image" ? imageProblems(need, place, all[0] as Image | undefined, things) : [];
    }),
  );
  return problems.flat();
}

/** Problems of an image that no machine can use, because of its status or its size. */
async function imageProblems(
  { asked, setting, machines = [] }: CloudNeed,
  place: Place,
  image: Image | undefined,
  things: Lists,
): Promise<NeedProblem[]> {
  if (image?.status === undefined) return [];
  const flavors = machines.length > 0 ? ((await things("flavor")) as readonly Flavor[]) : [];
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

interface Thing {
  readonly id?: string;
  readonly name?: string;
  readonly kube_version?: string;
  readonly keypair?: Thing;
  readonly zoneName?: string;
  /** Network of a subnet. */
  readonly network_id?: string;
  /** IP version of a subnet: 4 or 6. */
  readonly ip_version?: number;
  /** CIDR of a subnet. */
  readonly cidr?: string;
  /** Gateway of a subnet that has one. */
  readonly gateway_ip?: string;
}

/**
 * An item of a list in the common form: Nova wraps each key pair in another object, and names of zones have a key of
 * their own.
 */
function unwrapped({ keypair, zoneName, ...thing }: Thing): Thing {
  return keypair ?? (zoneName === undefined ? thing : { name: zoneName });
}

type Listed = Exclude<CloudNeed["kind"], "flavor">;

const ZONES = { path: "/os-availability-zone", key: "availabilityZoneInfo" };

const WHERE: Readonly<Record<Listed, { service: Service; path: string; key: string }>> = {
  image: { service: "image", path: "/v2/images", key: "images" },
  network: { service: "network", path: "/v2.0/networks", key: "networks" },
  subnet: { service: "network", path: "/v2.0/subnets", key: "subnets" },
  router: { service: "network", path: "/v2.0/routers", key: "routers" },
  "security group": { service: "network", path: "/v2.0/security-groups", key: "security_groups" },
  "QoS policy": { service: "network", path: "/v2.0/qos/policies", key: "policies" },
  "key pair": { service: "compute", path: "/os-keypairs", key: "keypairs" },
  "volume type": { service: "block-storage", path: "/types", key: "volume_types" },
  "availability zone": { service: "compute", ...ZONES },
  "availability zone of volumes": { service: "block-storage", ...ZONES },
};

type Lists = (kind: CloudNeed["kind"]) => Promise<readonly Thing[]>;

const LISTS = new WeakMap<Cloud, Lists>();

/** Lists of the cloud's resources by kind; a session requests each list once for all checks. */
export function listsOf(cloud: Cloud): Lists {
  const known =
    LISTS.get(cloud) ?? once((kind) => (kind === "flavor" ? cloud.flavors() : listOf(kind, cloud)));
  LISTS.set(cloud, known);
  return known;
}

async function listOf(kind: Listed, cloud: Cloud): Promise<readonly Thing[]> {
  const { service, path, key } = WHERE[kind];
  return listed<Thing>(cloud, service, path, key);
}

function problemOf(
  need: CloudNeed,
  place: Place,
  all: readonly Thing[],
  subnets: readonly Thing[],
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
