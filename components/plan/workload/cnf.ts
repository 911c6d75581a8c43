import type { Place } from "../../base/findings";
import { attributeProblem, withMarks } from "../../kube/objects/attributes";
import { isBuiltIn, isCreateOnly, isDefinition } from "../../kube/objects/kinds";
import { duplicates, fault, readManifests, type ManifestObject } from "../../kube/manifests/manifests";
import { leftOutBecause } from "../../kube/manifests/not-applied";
import { identityOf, shown, text, without, type KubeObject } from "../../kube/objects/object";
import { isOrder } from "../../kube/objects/paths";
import { imageProblem, isRolled } from "../../kube/objects/pods";
import { identified } from "../../kube/objects/posted";
import { removedProblem } from "../../kube/objects/removed-apis";
import { sizeProblem } from "../../kube/objects/sizes";
import { Variables } from "../../kube/manifests/variables";
import { didYouMean } from "../../base/nearest";
import type { VnfSettings } from "../../settings/model";
import {
  faultLine,
  PackageFault,
  type DeploymentFlavour,
  type Fault,
  type PackageFiles,
} from "../../vnfd/model";
import { ALL } from "../heal";
import type { CnfPlan } from "./model";
import { inNamespaces, checkLabels, namespaceOf, namespaceWarnings } from "./cnf-namespaces";
import { mapVdus, scaleVdus, checkSum } from "./cnf-vdus";
import { longNameWarnings } from "./long-names";
import { planObjects, type PlannedObject } from "./planned-objects";
import { floatWarnings } from "./float-values";
import { planRelease, type ReleaseWithChart } from "./planned-release";

export type { PlannedVnfc } from "./cnf-vdus";

export interface PlanCnfArgs {
  readonly instance: string;
  readonly place: Place;
  readonly settings: VnfSettings;
  readonly flavour: DeploymentFlavour;
  readonly files: PackageFiles;
  /** Instances by VDU, for the VDUs that the VNFD governs; the manifest determines the others. */
  readonly counts: Readonly<Record<string, number>>;
  /** Version of its cluster, such as `v1.33.0`, or the oldest that it may have. @default not known */
  readonly kubernetesVersion?: string | undefined;
  /** Helm releases with their charts. @default none */
  readonly releases?: readonly ReleaseWithChart[];
}

/**
 * Plans a CNF.
 * @throws PackageFault with every fault of the manifests.
 */
export function planCnf(args: PlanCnfArgs): CnfPlan {
  const { instance, place, settings, flavour, files, counts, releases: chartReleases = [] } = args;
  const params = settings.additionalParams ?? {};
  const namespace = params.namespace ?? "default";
  const packageFaults: Fault[] = [];
  const warnings: string[] = [];

  const listed = params["lcm-kubernetes-def-files"] ?? [];
  const paths = existing(listed, files, place);
  const attributes = chartReleases.flatMap((release) => release.attributes);
  const ofVariables = place.get("additionalParams", "variables");
  const variables = params.variables && new Variables(withMarks(params.variables, ofVariables, attributes));
  const written = readManifests(files, paths, packageFaults, variables);
  if (variables !== undefined) warnings.push(...unused(place, params.variables ?? {}, variables));
  packageFaults.push(...empty(paths, written, packageFaults));
  const applied = appliable(forCluster(written, warnings), args.kubernetesVersion, packageFaults);
  const releases = chartReleases.map((release) => planRelease(instance, release));
  warnings.push(...chartReleases.flatMap(floatWarnings));
  const isUnread = chartReleases.some(({ chart }) => chart === undefined);
  const isPartial = paths.length < listed.length || packageFaults.length > 0 || isUnread;
  const placed = inNamespaces(applied, params);
  warnings.push(...namespaceWarnings(place, applied, placed, params));
  if (params.override_namespace === true && params.namespace === undefined)
    place
      .get("additionalParams", "override_namespace")
      .fault("needs namespace, the value that it overrides with");
  const named = placed.map(({ object, ...where }) => ({ ...where, object: identified(object) }));
  duplicates(named, packageFaults);
  const own = named.map(({ object }) => object);
  const created = namespaceOf(params.namespace, own, params.namespace_labels);
  checkLabels(place.get("additionalParams", "namespace_labels"), params.namespace_labels, created);
  const mapping = params.vdu_mapping ?? {};
  const ofCharts = releases.flatMap(({ objects }) => objects.map(({ object }) => object));
  const all = [...own, ...ofCharts];
  warnings.push(...longNameWarnings(place.text, all));
  const vdus = mapVdus({ place, flavour, mapping, counts, objects: all, isPartial }, warnings);
  const scaled = scaleVdus({ place, flavour, counts, vdus, objects: own, ofCharts }, warnings);
  checkSum(place, [...scaled.objects, ...ofCharts]);
  const objects = [...(created === undefined ? [] : [created]), ...scaled.objects];

  const token = settings.heal?.[ALL];
  const secrets = new Set(named.filter(({ secret }) => secret).map(({ object }) => identityOf(object)));
  const manifests = {
    fault: (message: string) =>
      packageFaults.push({ file: paths.join(", "), node: "", property: "", message }),
  };
  const planned = planObjects(instance, objects, manifests, { token, retained: created, secrets });
  if (packageFaults.length > 0) throw new PackageFault(settings.package, packageFaults);

  if (token !== undefined && !objects.some(isRolled)) {
    warnings.push(
      `${place.get("heal", ALL).text}: no manifest has a Deployment, StatefulSet or DaemonSet whose pods could be replaced; it is ignored`,
    );
  }
  return {
    instance,
    namespace,
    objects: planned,
    releases,
    vnfcs: scaled.vnfcs,
    attributes,
    warnings,
  };
}

/** All objects that a CNF creates on its cluster, from manifests and from charts. */
export function madeBy({
  objects,
  releases,
}: CnfPlan): (Pick<PlannedObject, "object"> & { readonly retain: boolean })[] {
  return [
    ...objects,
    ...releases.flatMap((release) => release.objects.map(({ object }) => ({ object, retain: false }))),
  ];
}

/** The objects that a run creates, with the temporary ones of hooks of charts. */
export function madeInRun(plan: CnfPlan): KubeObject[] {
  const hooks = plan.releases.flatMap((release) => release.hooks.filter(({ isTest }) => !isTest));
  return [...madeBy(plan).map(({ object }) => object), ...hooks.flatMap(({ objects }) => objects)];
}

/** The paths that exist in the package. */
function existing(paths: readonly string[], files: PackageFiles, place: Place): string[] {
  return paths.filter((file, i) => {
    if (files.has(file)) return true;
    const setting = place.get("additionalParams", "lcm-kubernetes-def-files", i);
    const why = /^https?:/.test(file)
      ? "is a URL; manifests must be in the package, so that a preview shows what is applied"
      : `the package has no such file${didYouMean(file, files.list(), paths)}`;
    setting.fault(`${file}: ${why}`);
    return false;
  });
}

/** Warnings about values of variables that no manifest contains. */
function unused(place: Place, values: object, { named }: Variables): string[] {
  return Object.keys(values)
    .filter((name) => !named.has(name))
    .map((name) => {
      const hint = didYouMean(name, [...named], Object.keys(values));
      return `${place.get("additionalParams", "variables", name).text}: no manifest has \${${name}}; it is ignored${hint}`;
    });
}

/** Errors about files without an object: the former objects of such a file would be deleted without notice. */
function empty(
  paths: readonly string[],
  written: readonly ManifestObject[],
  faults: readonly Fault[],
): Fault[] {
  const known = new Set([...written, ...faults].map(({ file }) => file));
  return paths
    .filter((file) => !known.has(file))
    .map((file) =>
      fault({ file, line: undefined }, "", "contains no Kubernetes object; remove it from the list"),
    );
}

/** The objects that are applied. A warning names each object for another tool. */
function forCluster(written: readonly ManifestObject[], warnings: string[]): readonly ManifestObject[] {
  return written.filter((manifest) => {
    const reason = leftOutBecause(manifest.object);
    if (reason === undefined) return true;
    warnings.push(faultLine(fault(manifest, shown(manifest.object), `${reason}; it is ignored`)));
    return false;
  });
}

/** The objects without fields that only a server writes. Records objects that cannot be applied. */
function appliable(
  written: readonly ManifestObject[],
  kubernetesVersion: string | undefined,
  faults: Fault[],
): ManifestObject[] {
  return written.flatMap((manifest) => {
    const object = withoutServerFields(manifest.object);
    const removed = kubernetesVersion && removedProblem(object, kubernetesVersion);
    const problem =
      unappliable(object) ??
      sizeProblem(object) ??
      imageProblem(object) ??
      (removed || undefined) ??
      encryptedProblem(manifest) ??
      attributeProblem(object);
    if (problem === undefined) return [{ ...manifest, object }];
    faults.push(fault(manifest, shown(object), problem));
    return [];
  });
}

/**
 * The error about an encrypted variable in a large CRD: the state has its hash in plain text, and the run passes its
 * text in a file.
 */
function encryptedProblem({ secret, object }: ManifestObject): string | undefined {
  return secret && isDefinition(object)
    ? "contains an encrypted variable, but definitions are never secret; set the variable without --secret"
    : undefined;
}

/** Removes the fields that only a server writes: with them an apply fails, or differs each time. */
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

/**
 * Annotations that only a server writes. The first one contains the whole object in plain text, also the data of a
 * Secret.
 */
const SERVER_ANNOTATIONS = [
  "kubectl.kubernetes.io/last-applied-configuration",
  "deployment.kubernetes.io/revision",
] as const;

function unappliable(object: KubeObject): string | undefined {
  if (isCreateOnly(object)) {
    return isOrder(object) && text(object.metadata.name) === undefined
      ? "has no metadata.name; it is that of the object whose order it sets"
      : undefined;
  }
  if (text(object.metadata.name) === undefined) {
    return "has metadata.generateName and no metadata.name; server-side apply needs a name";
  }
  return undefined;
}
