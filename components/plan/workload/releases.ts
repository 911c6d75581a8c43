import type { Finding, Place } from "../../base/findings";
import { withMarks, type Attribute } from "../../kube/objects/attributes";
import type { KubeObject } from "../../kube/objects/object";
import { didYouMean, notAmong, oneOf } from "../../base/nearest";
import { own } from "../../base/own";
import type { ChartLogin } from "../registry-login";
import type { HelmInstallParam, VnfSettings } from "../../settings/model";
import type { DeploymentFlavour, PackageFiles } from "../../vnfd/model";
import { setValue, type Values } from "./chart-values";
import { setValues } from "./helm-set";
import { releasesByVdu } from "./package-charts";

/** The location of a chart. */
export type ChartSource =
  /** A folder or archive in the VNF package, else in the folder of Pulumi.yaml. */
  | { readonly kind: "package"; readonly path: string }
  | {
      readonly kind: "repository";
      /** `https://...` of a repository with an index, or `oci://...`. */
      readonly url: string;
      readonly chart: string;
      readonly version: string;
      /** SHA-256 in hexadecimal: of the archive, or of the manifest in an OCI registry. */
      readonly digest: string;
      readonly login?: ChartLogin | undefined;
    };

/** A Helm release of the settings, before its chart has been read. */
export interface ReleaseRequest {
  /** The setting of the release. */
  readonly place: Place;
  readonly name: string;
  readonly namespace: string;
  readonly chart: ChartSource;
  /** Values, with instances of Secret and placeholders of attributes among them. */
  readonly values: Values;
  /** Attributes of other instances that its values contain. */
  readonly attributes: readonly Attribute[];
  readonly atomic: boolean;
}

/** The Helm releases of a CNF in the order of the settings, with the replicas of its VDUs in their values. */
export function requestReleases(args: {
  /** Name of the instance. */
  readonly instance: string;
  /** The setting of the instance. */
  readonly place: Place;
  readonly settings: VnfSettings;
  readonly flavour: DeploymentFlavour;
  readonly files: PackageFiles;
  readonly openProjectChart?: ((path: string) => PackageFiles | undefined) | undefined;
  /** Numbers of instances by VDU, for the VDUs that the VNFD governs. */
  readonly counts: Readonly<Record<string, number>>;
}): ReleaseRequest[] {
  const params = args.settings.additionalParams ?? {};
  const place = args.place.get("additionalParams");
  const requested = params.using_helm_install_param ?? [];
  const names = requested.map(({ helmreleasename }) => helmreleasename);
  const replicas = replicaValues(args, place, names);
  return requested.flatMap((param, i) => {
    const { helmreleasename: name } = param;
    const at = place.get("using_helm_install_param", i);
    if (names.indexOf(name) < i)
      at.get("helmreleasename").fault(`"${name}" is that of another release; rename one of the two`);
    const chart = sourceOf(param, at, args);
    const attributes: Attribute[] = [];
    let values: Values = withMarks(param.values ?? {}, at.get("values"), attributes);
    const take = (changed: Values | string, setting: Place): void => {
      if (typeof changed === "string") setting.fault(changed);
      else values = changed;
    };
    const set = (key: string, value: unknown, setting: Place): void =>
      take(setValue(values, key, value), setting);
    for (const [j, text] of param.helmparameter.entries())
      take(setValues(values, text), at.get("helmparameter", j));
    for (const [key, value] of Object.entries(param.secret_values ?? {}))
      set(key, value, at.get("secret_values", key));
    for (const { release, value, aspect, count } of replicas)
      if (release === name) set(value, count, place.get("helm_replica_values", aspect));
    if (chart === undefined) return [];
    const namespace = params.namespace ?? "default";
    return [{ place: at, name, namespace, chart, values, attributes, atomic: param.atomic ?? false }];
  });
}

/** The charts of a stack's releases, each rendered for its release. */
export interface RenderedCharts {
  /** Undefined: it could not be rendered; faultsOf has the reason. */
  get(instance: string, release: string): RenderedChart | undefined;
  /** Errors of an instance's charts. */
  faultsOf(instance: string): readonly Finding[];
}

export interface RenderedChart {
  /** Path of its folder or archive, relative to the folder of the project. The name changes with the content. */
  readonly path: string;
  /** The rendered objects, without hooks. */
  readonly objects: readonly KubeObject[];
  /** Hooks of the chart. Several may share an identity: Helm creates one after the other. */
  readonly hooks: readonly ChartHook[];
  /** CRDs of its folder `crds`: Helm creates them, and neither updates nor deletes them. */
  readonly definitions: readonly KubeObject[];
  /** Identities of the objects that differ with each rendering, such as those with a random password or certificate. */
  readonly random: readonly string[];
}

/** A hook: an object that Helm creates at certain events of a release. It is not part of the release. */
export interface ChartHook {
  readonly object: KubeObject;
  /** Events of the release, such as `pre-install`. */
  readonly events: readonly string[];
  /** True if it differs with each rendering. */
  readonly random: boolean;
}

interface ReplicaValue {
  readonly release: string;
  readonly value: string;
  readonly aspect: string;
  readonly count: number;
}

/** The values of helm_replica_values: the VDUs of an aspect must have one number of instances and one release. */
function replicaValues(
  { instance, settings, flavour, counts }: Parameters<typeof requestReleases>[0],
  place: Place,
  releases: readonly string[],
): ReplicaValue[] {
  const params = settings.additionalParams ?? {};
  const ofPackage = new Map(
    [...releasesByVdu(instance, flavour)].filter(([, release]) => releases.includes(release)),
  );
  const mapping = params.vdu_mapping ?? {};
  for (const [vdu, mapped] of Object.entries(mapping)) {
    const release = mapped === "none" ? undefined : mapped.helmreleasename;
    if (release !== undefined && !releases.includes(release))
      place.get("vdu_mapping", vdu, "helmreleasename").fault(notAmong(release, [...new Set(releases)]));
  }
  return Object.entries(params.helm_replica_values ?? {}).flatMap(([aspect, value]) => {
    const setting = place.get("helm_replica_values", aspect);
    const deltas = own(flavour.scalingAspects, aspect)?.deltas;
    if (deltas === undefined) {
      const known = Object.keys(flavour.scalingAspects);
      setting.fault(`is not a scaling aspect of the VNFD; ${oneOf(known)}${didYouMean(aspect, known)}`);
      return [];
    }
    const vdus = Object.keys(deltas);
    const found = vdus.map((vdu): ReplicaValue => {
      const mapped = own(mapping, vdu);
      const named = mapped === undefined || mapped === "none" ? undefined : mapped.helmreleasename;
      const release = named ?? ofPackage.get(vdu) ?? releases[0] ?? "";
      return { release, value, aspect, count: own(counts, vdu) ?? 0 };
    });
    const [first, ...others] = found;
    if (others.some(({ release, count }) => release !== first?.release || count !== first.count)) {
      const each = found.map(({ release, count }, i) => `${vdus[i]} has ${count} in ${release}`).join(", ");
      setting.fault(`one value cannot set several VDUs: ${each}`);
      return [];
    }
    return first === undefined ? [] : [first];
  });
}

/** Returns the files that contain a chart: the package's, else those of Pulumi.yaml's folder. Undefined: neither. */
export function filesWith(
  chart: ChartSource,
  files: PackageFiles,
  { openProjectChart }: Pick<Parameters<typeof requestReleases>[0], "openProjectChart">,
): PackageFiles | undefined {
  if (chart.kind !== "package") return undefined;
  const { path } = chart;
  const isThere = files.list().some((file) => file === path || file.startsWith(`${path}/`));
  return isThere ? files : openProjectChart?.(path);
}

function sourceOf(
  param: HelmInstallParam,
  at: Place,
  args: Pick<Parameters<typeof requestReleases>[0], "files" | "openProjectChart">,
): ChartSource | undefined {
  const {
    helmchartfile_path: path,
    exthelmrepo_url: url,
    helmchartname: chart,
    version,
    digest,
    login,
  } = param;
  if (String(param.exthelmchart) !== "true") {
    if (path === undefined) {
      at.get("helmchartfile_path").fault("is required; or set exthelmchart, for a chart of a repository");
      return undefined;
    }
    const source = { kind: "package", path } as const;
    if (filesWith(source, args.files, args) !== undefined) return source;
    at.get("helmchartfile_path").fault(
      `${path} is neither in the package nor next to Pulumi.yaml${didYouMean(path, args.files.list())}`,
    );
    return undefined;
  }
  const required = { helmchartname: chart, exthelmrepo_url: url, version, digest };
  const missing = Object.entries(required).filter(([, value]) => value === undefined);
  for (const [key] of missing) at.get(key).fault("is required for a chart of a repository");
  if (path !== undefined)
    at.get("helmchartfile_path").fault(
      "is for a chart that does not come from a repository; remove it or exthelmchart",
    );
  if (!chart || !url || !version || !digest) return undefined;
  return { kind: "repository", url, chart, version, digest: digest.replace("sha256:", ""), login };
}
