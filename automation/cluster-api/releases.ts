import { yamlData } from "../../components/base/yaml/yaml";
import { Fault } from "../fault";

/** Versions of the projects of a management cluster, such as v1.13.4. */
export interface Versions {
  /** Cluster API, with its kubeadm providers. */
  readonly core: string;
  /** Its OpenStack provider, CAPO. */
  readonly openstack: string;
  /** The OpenStack resource controller, with which CAPO looks up images. */
  readonly orc: string;
}

/** Versions that were tested together. */
export const DEFAULT_VERSIONS: Versions = { core: "v1.13.4", openstack: "v0.14.7", orc: "v2.4.0" };

/** A manifest of a release. */
export interface ReleaseFile {
  /** Its folder in a mirror with the layout of clusterctl's local repositories. */
  readonly provider: string;
  readonly project: keyof Versions;
  /** Its name in the release. */
  readonly file: string;
  /** Its name in the package. */
  readonly packaged: string;
  /** True if the release has a metadata.yaml with the contracts of its versions. */
  readonly hasMetadata: boolean;
}

export const RELEASE_FILES: readonly ReleaseFile[] = [
  providerFile("cluster-api", "core", "core-components.yaml"),
  providerFile("bootstrap-kubeadm", "core", "bootstrap-components.yaml"),
  providerFile("control-plane-kubeadm", "core", "control-plane-components.yaml"),
  providerFile("infrastructure-openstack", "openstack", "infrastructure-components.yaml"),
  {
    provider: "openstack-resource-controller",
    project: "orc",
    file: "install.yaml",
    packaged: "openstack-resource-controller.yaml",
    hasMetadata: false,
  },
];

/** URLs of upstream's releases. */
export const UPSTREAM: Readonly<Record<keyof Versions, string>> = {
  core: "https://github.com/kubernetes-sigs/cluster-api/releases/download",
  openstack: "https://github.com/kubernetes-sigs/cluster-api-provider-openstack/releases/download",
  orc: "https://github.com/k-orc/openstack-resource-controller/releases/download",
};

/**
 * Minimum versions for the minor releases of CAPO: of Cluster API from its README, "Compatibility with Cluster API"; of
 * ORC, which CAPO needs from v0.14 on, from its go.mod.
 */
const NEEDS: Readonly<Record<string, { readonly core: string; readonly orc?: string }>> = {
  "v0.12": { core: "v1.9" },
  "v0.13": { core: "v1.11" },
  "v0.14": { core: "v1.12", orc: "v2.4" },
};

/** Older contracts that a Cluster API with this contract supports too: GetCompatibleVersions of Cluster API. */
const SERVED_TOO: Readonly<Record<string, readonly string[]>> = { v1beta2: ["v1beta1"] };

function providerFile(provider: string, project: keyof Versions, file: string): ReleaseFile {
  return { provider, project, file, packaged: file, hasMetadata: true };
}

/**
 * The contract of a release.
 * @param metadata text of its metadata.yaml
 * @throws Fault if it has none for the release
 */
export function contractOf(provider: string, version: string, metadata: string): string {
  const data = yamlData(metadata, `metadata.yaml of ${provider} ${version}`);
  const { releaseSeries } = (data ?? {}) as { releaseSeries?: unknown };
  const series = (Array.isArray(releaseSeries) ? releaseSeries : []) as {
    readonly major?: unknown;
    readonly minor?: unknown;
    readonly contract?: unknown;
  }[];
  const [major, minor] = numbers(version);
  const contract = series.find((one) => one.major === major && one.minor === minor)?.contract;
  if (typeof contract === "string") return contract;
  throw new Fault(`metadata.yaml of ${provider} ${version} has no contract for v${major}.${minor}`);
}

/**
 * The reasons why releases are incompatible, a line each.
 * @param contracts by provider
 */
export function mismatches(versions: Versions, contracts: Readonly<Record<string, string>>): string[] {
  const { "cluster-api": core = "", ...others } = contracts;
  const served = [core, ...(SERVED_TOO[core] ?? [])];
  const unserved = Object.entries(others)
    .filter(([, contract]) => !served.includes(contract))
    .map(([provider, contract]) => {
      const { project = "core" } = RELEASE_FILES.find((file) => file.provider === provider) ?? {};
      return (
        `${provider} ${versions[project]} implements the contract ${contract}, and Cluster API ${versions.core} ` +
        `serves ${served.join(" and ")}`
      );
    });
  const needs = NEEDS[minorOf(versions.openstack)];
  const missing = (["core", "orc"] as const).flatMap((project) => {
    const least = needs?.[project];
    if (least === undefined || fits(versions[project], least, project === "orc")) return [];
    return [`CAPO ${versions.openstack} needs ${NAMES[project]} ${least} or newer, not ${versions[project]}`];
  });
  return [...unserved, ...missing];
}

/** Returns true if the table has no minimum versions for this version of CAPO. */
export function hasUnknownNeeds({ openstack }: Versions): boolean {
  return NEEDS[minorOf(openstack)] === undefined;
}

const NAMES = { core: "Cluster API", orc: "ORC" } as const;

/** Returns true if a version is at least the minor release `least`. @param sameMajor requires the same major version */
function fits(version: string, least: string, sameMajor: boolean): boolean {
  const [major = 0, minor = 0] = numbers(version);
  const [leastMajor = 0, leastMinor = 0] = numbers(least);
  return major === leastMajor ? minor >= leastMinor : major > leastMajor && !sameMajor;
}

function minorOf(version: string): string {
  const [major, minor] = numbers(version);
  return `v${major}.${minor}`;
}

function numbers(version: string): number[] {
  return version.slice(1).split(".").slice(0, 2).map(Number);
}
