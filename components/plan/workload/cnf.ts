import { bundled } from "../../kube/bundle";
import { withChecksum } from "../../kube/checksum";
import { deletionTimeout } from "../../kube/cluster-api";
import { REVISION_HISTORY_LIMIT } from "../../kube/immutable";
import { groupKind, isBuiltIn, isCreateOnly } from "../../kube/kinds";
import { duplicates, fault, readManifests, type ManifestObject } from "../../kube/manifests";
import { identityOf, shown, text, without, type KubeObject } from "../../kube/object";
import { orderObjects } from "../../kube/order";
import { isOrder } from "../../kube/paths";
import { isRolled, withHealToken } from "../../kube/pods";
import { identified } from "../../kube/posted";
import { readinessContext, readinessOf, type Awaited } from "../../kube/readiness";
import { removedProblem } from "../../kube/removed-apis";
import { sizeProblem } from "../../kube/sizes";
import { Variables } from "../../kube/variables";
import { didYouMean } from "../../nearest";
import type { VnfSettings } from "../../settings/model";
import { PackageFault, type DeploymentFlavour, type Fault, type PackageFiles } from "../../vnfd/model";
import { ALL } from "../heal";
import { inNamespaces, namespaceOf, namespaceWarnings } from "./cnf-namespaces";
import { autoscaler, mapVdus, scaleVdus, type PlannedVnfc } from "./cnf-vdus";
import { keyOf } from "./keys";
import { planRelease, type GivenRelease, type PlannedRelease } from "./planned-release";

export { findCollisions } from "./cnf-collisions";
export type { PlannedVnfc } from "./cnf-vdus";

export interface PlanCnfArgs {
  readonly instance: string;
  readonly settings: VnfSettings;
  readonly flavour: DeploymentFlavour;
  readonly files: PackageFiles;
  /** Instances by VDU, for the VDUs whose count the VNFD governs; the others have what the manifest says. */
  readonly counts: Readonly<Record<string, number>>;
  /** Of its cluster, such as `v1.33.0`, or the oldest that it may be. @default what is not known */
  readonly kubernetesVersion?: string | undefined;
  /** @default none */
  readonly releases?: readonly GivenRelease[];
}

/** The Kubernetes objects of a CNF. Plain data: the same settings and package give the same plan. */
export interface CnfPlan {
  readonly instance: string;
  /** Of the objects that name none. */
  readonly namespace: string;
  /** In an order that respects dependsOn and madeAfter. */
  readonly objects: readonly PlannedObject[];
  /** In the order in which they are installed, after all objects. */
  readonly releases: readonly PlannedRelease[];
  readonly vnfcs: readonly PlannedVnfc[];
  /** What the operator should know though it is no fault. */
  readonly warnings: readonly string[];
}

export interface PlannedObject {
  /** Resource name: `<instance>-<kind>-[<namespace>/]<name>`, the kind with its group where it is a custom one. */
  readonly key: string;
  /** Ready to apply. */
  readonly object: KubeObject;
  /** Keys of the objects that must be ready before. */
  readonly dependsOn: readonly string[];
  /** Keys of those that need only be made before. */
  readonly madeAfter: readonly string[];
  /** Whether its content is secret. */
  readonly secret: boolean;
  /**
   * Whether it stays when the CNF goes: a Namespace that stands in no manifest may have others in it, or have
   * been there before.
   */
  readonly retain: boolean;
  /** Paths of fields that others decide once the object is there, such as `spec.replicas`. */
  readonly ignoreChanges: readonly string[];
  /** What is waited for beyond the Kubernetes plugin's wait; undefined is nothing. */
  readonly awaited: Awaited | undefined;
  /** Whether it is made with others of its kind, and the state has none of its text. */
  readonly bundled: boolean;
  /** How long it may take to go, such as `30m`. Undefined: as long as it may take to be ready. */
  readonly deletionTimeout: string | undefined;
  /** Whether the API answers its creation and keeps nothing: a review, or an order such as an Eviction. */
  readonly createOnly: boolean;
}

/**
 * What shall exist for a CNF.
 * Appends faults of the settings to `faults`, each line beginning with the setting.
 * @throws PackageFault with every fault of the manifests.
 */
export function planCnf(args: PlanCnfArgs, faults: string[]): CnfPlan {
  const { instance, settings, flavour, files, counts, releases: given = [] } = args;
  const params = settings.additionalParams ?? {};
  const path = `vnfm:vnfs.${instance}`;
  const namespace = params.namespace ?? "default";
  const packageFaults: Fault[] = [];
  const warnings: string[] = [];

  const listed = params["lcm-kubernetes-def-files"] ?? [];
  const paths = existing(listed, files, path, faults);
  const variables = params.variables && new Variables(params.variables);
  const written = readManifests(files, paths, packageFaults, variables);
  if (variables !== undefined) warnings.push(...unused(path, params.variables ?? {}, variables));
  packageFaults.push(...empty(paths, written, packageFaults));
  const applied = appliable(written, args.kubernetesVersion, packageFaults);
  const releases = given.map((release) => planRelease(instance, release));
  const isUnread = given.some(({ chart }) => chart === undefined);
  const isPartial = paths.length < listed.length || packageFaults.length > 0 || isUnread;
  const placed = inNamespaces(applied, params);
  warnings.push(...namespaceWarnings(path, applied, placed, params));
  if (params.override_namespace === true && params.namespace === undefined)
    faults.push(
      `${path}.additionalParams.override_namespace: needs namespace, which says what it overrides with`,
    );
  const named = placed.map(({ object, ...where }) => ({ ...where, object: identified(object) }));
  duplicates(named, packageFaults);
  const own = named.map(({ object }) => object);
  const created = namespaceOf(params.namespace, own);
  const mapping = params.vdu_mapping ?? {};
  const ofCharts = releases.flatMap(({ objects }) => objects.map(({ object }) => object));
  const all = [...own, ...ofCharts];
  const vdus = mapVdus({ path, flavour, mapping, counts, objects: all, isPartial }, faults, warnings);
  const scaled = scaleVdus({ path, flavour, counts, vdus, objects: own, ofCharts }, faults, warnings);
  const objects = [...(created === undefined ? [] : [created]), ...scaled.objects];

  const circles: string[] = [];
  const ordered = orderObjects(objects, circles);
  packageFaults.push(
    ...circles.map((message) => ({ file: paths.join(", "), node: "", property: "", message })),
  );
  if (packageFaults.length > 0) throw new PackageFault(settings.package, packageFaults);

  const token = settings.heal?.[ALL];
  if (token !== undefined && !objects.some(isRolled)) {
    warnings.push(
      `${path}.heal.${ALL}: no Deployment, StatefulSet or DaemonSet of a manifest is here whose pods a token replaces; it is ignored`,
    );
  }
  const readiness = readinessContext(objects);
  const inBundle = bundled(objects);
  const byIdentity = new Map(objects.map((object) => [identityOf(object), object]));
  return {
    instance,
    namespace,
    objects: ordered.map(({ object, dependsOn, madeAfter }) => ({
      key: keyOf(instance, object),
      ...readinessOf(withHealToken(withChecksum(object, byIdentity), token), readiness),
      dependsOn: dependsOn.map((before) => keyOf(instance, before)),
      madeAfter: madeAfter.map((before) => keyOf(instance, before)),
      secret: groupKind(object) === "/Secret",
      retain: object === created,
      ignoreChanges: decidedByOthers(object, own),
      bundled: inBundle.has(object),
      deletionTimeout: deletionTimeout(object),
      createOnly: isCreateOnly(object),
    })),
    releases,
    vnfcs: scaled.vnfcs,
    warnings,
  };
}

/** All that a CNF makes on its cluster: objects of manifests and of charts. */
export function madeBy({
  objects,
  releases,
}: CnfPlan): (Pick<PlannedObject, "object"> & { readonly retain: boolean })[] {
  return [
    ...objects,
    ...releases.flatMap((release) => release.objects.map(({ object }) => ({ object, retain: false }))),
  ];
}

/** The paths that the package has. */
function existing(paths: readonly string[], files: PackageFiles, path: string, faults: string[]): string[] {
  return paths.filter((file, i) => {
    if (files.has(file)) return true;
    const setting = `${path}.additionalParams.lcm-kubernetes-def-files[${i}]`;
    const why = /^https?:/.test(file)
      ? "is a URL; the manifests must be in the package, so that a preview shows what will be applied"
      : `the package has no such file${didYouMean(file, files.list(), paths)}`;
    faults.push(`${setting}: ${file}: ${why}`);
    return false;
  });
}

/** Values that no manifest asks for. */
function unused(path: string, values: object, { named }: Variables): string[] {
  return Object.keys(values)
    .filter((name) => !named.has(name))
    .map((name) => {
      const hint = didYouMean(name, [...named], Object.keys(values));
      return `${path}.additionalParams.variables.${name}: no manifest has \${${name}}; it is ignored${hint}`;
    });
}

/** Files without an object: what they had before would be deleted in silence. */
function empty(
  paths: readonly string[],
  written: readonly ManifestObject[],
  faults: readonly Fault[],
): Fault[] {
  const known = new Set([...written, ...faults].map(({ file }) => file));
  return paths
    .filter((file) => !known.has(file))
    .map((file) =>
      fault({ file, line: undefined }, "", "has no Kubernetes object in it; take it out of the list"),
    );
}

/** The objects as they can be applied: without what only a server writes. */
function appliable(
  written: readonly ManifestObject[],
  kubernetesVersion: string | undefined,
  faults: Fault[],
): ManifestObject[] {
  return written.flatMap((manifest) => {
    const object = withoutServerFields(manifest.object);
    const removed = kubernetesVersion && removedProblem(object, kubernetesVersion);
    const problem = unappliable(object) ?? sizeProblem(object) ?? removed;
    if (problem === undefined) return [{ ...manifest, object }];
    faults.push(fault(manifest, shown(object), problem));
    return [];
  });
}

/** Without what stands in an object that was read from a server: applying it fails or differs for ever. */
function withoutServerFields(object: KubeObject): KubeObject {
  const annotations = without(object.metadata.annotations ?? {}, ...SERVER_ANNOTATIONS);
  const metadata = {
    ...without(object.metadata, ...SERVER_METADATA, "annotations"),
    ...(Object.keys(annotations).length > 0 && { annotations }),
  };
  return isBuiltIn(object) ? { ...without(object, "status"), metadata } : { ...object, metadata };
}

const SERVER_METADATA = [
  "creationTimestamp",
  "generation",
  "managedFields",
  "resourceVersion",
  "selfLink",
  "uid",
] as const;

/** The first has the whole object in plain, a Secret's data too. */
const SERVER_ANNOTATIONS = [
  "kubectl.kubernetes.io/last-applied-configuration",
  "deployment.kubernetes.io/revision",
] as const;

function unappliable(object: KubeObject): string | undefined {
  if (isCreateOnly(object)) {
    return isOrder(object) && text(object.metadata.name) === undefined
      ? "has no metadata.name; it is that of the object which the order is about"
      : undefined;
  }
  if (text(object.metadata.name) === undefined) {
    return "has metadata.generateName and no metadata.name; server-side apply needs a name";
  }
  return undefined;
}

/** Paths of the fields that the object has and that are not this object's to change once it is there. */
function decidedByOthers(object: KubeObject, all: readonly KubeObject[]): string[] {
  return [
    // given up by the only one who owns them, the replicas would be 1 until the autoscaler asks for more
    ...(autoscaler(object, all) === undefined ? [] : ["spec.replicas"]),
    ...(groupKind(object) === "apps/StatefulSet" ? [REVISION_HISTORY_LIMIT] : []),
  ];
}
