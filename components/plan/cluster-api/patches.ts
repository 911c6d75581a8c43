import { applyOperation, unescapePathComponent, type Operation } from "fast-json-patch";
import { quoted, type Place } from "../../base/findings";
import { canonical } from "../../kube/objects/checksum";
import { schemaProblems } from "../../kube/objects/definition-schema";
import { definitionOf } from "../../kube/objects/kinds";
import { at, fields, isFields, shown, type Fields, type KubeObject } from "../../kube/objects/object";
import { didYouMean, oneOf } from "../../base/nearest";
import { own } from "../../base/own";
import type { ClusterPatch } from "../../settings/model";

/** A Kubernetes object of a cluster, for patches. */
export interface ClusterObject {
  readonly object: KubeObject;
  /** The machines that the object configures: `controlPlane`, or a node group. @default the whole cluster */
  readonly machines?: string;
}

/**
 * Applies the patches of a cluster to its objects, one after the other. Errors in a patch are recorded.
 * @param place of the patches
 */
export function patched(
  objects: readonly ClusterObject[],
  patches: readonly ClusterPatch[],
  place: Place,
): KubeObject[] {
  const left = patches.reduce((before, patch, i) => {
    const { kind, machines } = patch.target;
    const ofKind = before.filter(({ object }) => object.kind === kind);
    const meant = ofKind.filter((one) => machines === undefined || one.machines === machines);
    if (meant.length === 0) checkTarget(ofKind, patch.target, place.get(i, "target"));
    return before.map((one) =>
      meant.includes(one) ? { ...one, object: changed(one.object, patch, place.get(i)) } : one,
    );
  }, objects);
  return left.map(({ object }) => object);
}

/**
 * Records patched objects that are invalid according to their CRDs.
 * @param objects of the cluster
 * @param brought the CRDs that the stack creates on the management cluster; kinds without one are checked by its API
 * server only
 * @param place of the patches
 */
export function checkPatched(
  objects: readonly KubeObject[],
  patches: readonly ClusterPatch[],
  brought: readonly KubeObject[],
  place: Place,
): void {
  const kinds: readonly string[] = patches.map(({ target }) => target.kind);
  for (const object of objects.filter(({ kind }) => kinds.includes(kind))) {
    const definition = definitionOf(object, brought);
    for (const problem of definition === undefined ? [] : schemaProblems(object, definition))
      place.fault(`of ${shown(object)} ${problem}`);
  }
}

/** Records a target that does not exist in the cluster. @param ofKind the objects of its kind */
function checkTarget(
  ofKind: readonly ClusterObject[],
  { kind, machines = "" }: ClusterPatch["target"],
  place: Place,
): void {
  const known = ofKind.flatMap((one) => one.machines ?? []);
  if (ofKind.length === 0) place.get("kind").fault(`the cluster has no ${kind}; remove the patch`);
  else if (known.length === 0)
    place.get("machines").fault(`the ${kind} belongs to the whole cluster; remove this`);
  else
    place
      .get("machines")
      .fault(`${quoted(machines)} has no ${kind}; ${oneOf(known)}${didYouMean(machines, known)}`);
}

function changed(object: KubeObject, { mergePatch, jsonPatch }: ClusterPatch, place: Place): KubeObject {
  const form = place.get(mergePatch === undefined ? "jsonPatch" : "mergePatch");
  const after =
    mergePatch === undefined ? operated(object, jsonPatch ?? [], form) : merged(object, mergePatch);
  const lost = keptBy(object.kind).filter(
    ({ path }) => canonical(at(after, ...path.split("."))) !== canonical(at(object, ...path.split("."))),
  );
  for (const { path, way } of lost) form.fault(`changes ${path} of ${shown(object)}, ${way}`);
  return lost.length === 0 ? (after as KubeObject) : object;
}

const OF_PROGRAM = "by which vnfm identifies it; do not change that";
const REFERENCE = "by which the objects of the cluster refer to each other; do not change that";
const VERSION = "which kubernetesVersion sets; change that instead";

/** Fields that no patch may change, by kind: the reason, and the way out. */
const KEPT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Cluster: { "spec.controlPlaneRef": REFERENCE, "spec.infrastructureRef": REFERENCE },
  OpenStackCluster: { "spec.identityRef": REFERENCE },
  KubeadmControlPlane: {
    "spec.replicas": "which controlPlane.replicas sets; change that instead",
    "spec.version": VERSION,
    "spec.machineTemplate.spec.infrastructureRef": REFERENCE,
  },
  MachineDeployment: {
    "spec.clusterName": REFERENCE,
    "spec.replicas": "which replicas or autoscaling of the node group sets; change that instead",
    "spec.template.spec.version": VERSION,
    "spec.template.spec.clusterName": REFERENCE,
    "spec.template.spec.bootstrap.configRef": REFERENCE,
    "spec.template.spec.infrastructureRef": REFERENCE,
  },
  MachineHealthCheck: { "spec.clusterName": REFERENCE },
};

function keptBy(kind: string): { readonly path: string; readonly way: string }[] {
  const ofAll = ["apiVersion", "kind", "metadata.name", "metadata.namespace"];
  return [
    ...ofAll.map((path) => ({ path, way: OF_PROGRAM })),
    ...Object.entries(KEPT[kind] ?? {}).map(([path, way]) => ({ path, way })),
  ];
}

/** A JSON merge patch: https://www.rfc-editor.org/rfc/rfc7386 */
function merged(value: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return patch;
  const base = fields(value);
  const keys = [...new Set([...Object.keys(base), ...Object.keys(patch)])];
  return Object.fromEntries(
    keys
      .filter((key) => own(patch, key) !== null)
      .map((key) => [key, Object.hasOwn(patch, key) ? merged(own(base, key), patch[key]) : base[key]]),
  );
}

/** Applies a JSON patch; returns the object unchanged if an operation fails. @param place of the operations */
function operated(
  object: KubeObject,
  operations: NonNullable<ClusterPatch["jsonPatch"]>,
  place: Place,
): unknown {
  let document: unknown = object;
  for (const [i, operation] of operations.entries()) {
    try {
      document = applyOperation(document, operation as Operation, true, false).newDocument;
    } catch (error) {
      recordFailure(document, operation, shown(object), (error as Error).name, place.get(i));
      return object;
    }
  }
  return document;
}

/** @param failure name of the library's error */
function recordFailure(
  document: unknown,
  { op, path, from = "", value }: NonNullable<ClusterPatch["jsonPatch"]>[number],
  object: string,
  failure: string,
  place: Place,
): void {
  const key = failure === "OPERATION_FROM_UNRESOLVABLE" ? "from" : "path";
  const pointer = key === "from" ? from : path;
  const found = follow(document, pointer);
  if (op === "test" && found.lost === undefined)
    place
      .get("value")
      .fault(`${inShort(value)} is not what ${object} has at ${path}: ${inShort(found.value)}`);
  else place.get(key).fault(`${quoted(pointer)} is not in ${object}; ${described(found)}`);
}

/** The result of following a JSON pointer through a document. */
interface Followed {
  /** The last value that exists on the path. */
  readonly value: unknown;
  readonly pointer: string;
  /** The first key that does not exist. Undefined: the pointer leads to the value. */
  readonly lost?: string;
}

function follow(document: unknown, pointer: string): Followed {
  const keys = pointer.split("/").slice(1);
  return keys.reduce<Followed>(
    (followed, escaped) => {
      const key = unescapePathComponent(escaped);
      const { value } = followed;
      if (followed.lost !== undefined) return followed;
      if (!(isFields(value) || Array.isArray(value)) || !Object.hasOwn(value, key))
        return { ...followed, lost: key };
      return { value: (value as Fields)[key], pointer: `${followed.pointer}/${escaped}` };
    },
    { value: document, pointer: "" },
  );
}

/** Describes the last existing value on the path of a pointer. */
function described({ value, pointer, lost = "" }: Followed): string {
  const place = pointer === "" ? "it" : pointer;
  if (Array.isArray(value)) return `${place} is a list of ${value.length}`;
  if (!isFields(value)) return `${place} is ${inShort(value)}`;
  const keys = Object.keys(value);
  return `${place} has ${keys.sort().join(", ")}${didYouMean(lost, keys)}`;
}

function inShort(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  return isFields(value) ? "a map" : typeof value === "string" ? quoted(value) : String(value);
}
