import { jsonData } from "../../base/json";
import { groupKind } from "./kinds";
import { at, fields, isFields, items, text, type Fields, type KubeObject } from "./object";

/** Path of the pod template in each kind of workload; for a Pod it is the Pod itself. */
const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  "/Pod": [],
  "/PodTemplate": ["template"],
  "/ReplicationController": ["spec", "template"],
  "apps/DaemonSet": ["spec", "template"],
  "apps/Deployment": ["spec", "template"],
  "apps/ReplicaSet": ["spec", "template"],
  "apps/StatefulSet": ["spec", "template"],
  "batch/CronJob": ["spec", "jobTemplate", "spec", "template"],
  "batch/Job": ["spec", "template"],
};

/** Returns true if objects of the kind run pods. */
export function isWorkload(object: Pick<KubeObject, "apiVersion" | "kind">): boolean {
  return TEMPLATES[groupKind(object)] !== undefined;
}

/** Returns the path of a workload's pod template; undefined for other kinds. */
export function templatePath(object: Pick<KubeObject, "apiVersion" | "kind">): readonly string[] | undefined {
  return TEMPLATES[groupKind(object)];
}

/** The pod template of a workload: metadata and spec. */
export function podTemplate(object: KubeObject): Fields | undefined {
  const path = templatePath(object);
  const template = path && at(object, ...path);
  return isFields(template) ? template : undefined;
}

/** The images of a workload's containers and volumes, each once. */
export function imagesOf(object: KubeObject): string[] {
  const spec = at(podTemplate(object), "spec");
  const containers = ["initContainers", "containers", "ephemeralContainers"].flatMap((key) =>
    items(at(spec, key)),
  );
  const named = [
    ...containers.map((container) => at(container, "image")),
    ...items(at(spec, "volumes")).map((volume) => at(volume, "image", "reference")),
  ];
  return [...new Set(named.flatMap((image) => text(image) ?? []))];
}

/** Returns true for a workload whose pods are replaced, one after the other, when its pod template changes. */
export function isRolled(object: KubeObject): boolean {
  const isByHand = at(object, "spec", "updateStrategy", "type") === "OnDelete";
  return !isByHand && ["apps/Deployment", "apps/StatefulSet", "apps/DaemonSet"].includes(groupKind(object));
}

/** Adds an annotation to a workload's pod template. */
export function withTemplateAnnotation(object: KubeObject, key: string, value: string): KubeObject {
  const template = podTemplate(object);
  if (template === undefined) return object;
  const metadata = fields(template["metadata"]);
  const annotations = { ...fields(metadata["annotations"]), [key]: value };
  return {
    ...object,
    spec: { ...fields(object["spec"]), template: { ...template, metadata: { ...metadata, annotations } } },
  };
}

/** Returns the error about containers without an image, which the API refuses. */
export function imageProblem(object: KubeObject): string | undefined {
  const spec = podTemplate(object)?.["spec"];
  const without = ["initContainers", "containers"].flatMap((list) =>
    items(at(spec, list)).filter((container) => text(at(container, "image")) === undefined),
  );
  if (without.length === 0) return undefined;
  const names = without.map((container) => text(at(container, "name")) ?? "without a name").join(", ");
  return `has containers without an image: ${names}`;
}

/** Annotation of a pod template with the trigger value under `heal.all`: a new one replaces the pods. */
export const HEAL = "vnfm.io/heal";

/**
 * Adds the trigger value to a workload whose pods it replaces. Other kinds stay as they are, because the change would
 * replace the object itself.
 */
export function withHealToken(object: KubeObject, token: string | undefined): KubeObject {
  return token === undefined || !isRolled(object) ? object : withTemplateAnnotation(object, HEAL, token);
}

/** A reference by kind and name to an object in the same namespace. */
export interface LocalReference {
  readonly kind: "ConfigMap" | "Secret" | "PersistentVolumeClaim";
  readonly name: string;
}

/** The ConfigMaps, Secrets and PVCs that a pod mounts, or from which it takes environment variables. */
export function mounted(podSpec: unknown): LocalReference[] {
  const found: LocalReference[] = [];
  walk(podSpec, (key, value) => {
    for (const [kind, name] of referencesAt(key, value)) {
      if (name !== undefined) found.push({ kind, name });
    }
  });
  return found;
}

/** Names of the networks of a pod (Multus), as `<namespace>/<name>` or `<name>`. */
export function attachedNetworks(template: Fields): string[] {
  const value = text(at(template, "metadata", "annotations", "k8s.v1.cni.cncf.io/networks"))?.trim() ?? "";
  if (!value.startsWith("[")) {
    return value
      .split(",")
      .map((part) => part.split("@", 1)[0]?.trim() ?? "")
      .filter(Boolean);
  }
  try {
    return items(jsonData(value, "it")).flatMap((entry) => {
      const { name, namespace } = fields(entry);
      if (text(name) === undefined) return [];
      return [text(namespace) === undefined ? String(name) : `${String(namespace)}/${String(name)}`];
    });
  } catch {
    // Multus reports the error, at the pod
    return [];
  }
}

/** Visits every key of a tree of mappings and lists. */
export function walk(value: unknown, visit: (key: string, value: unknown) => void): void {
  if (Array.isArray(value)) return value.forEach((item) => walk(item, visit));
  if (!isFields(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    visit(key, inner);
    walk(inner, visit);
  }
}

/**
 * Returns the references under a key of a pod spec. Volumes of all kinds refer to their Secrets in one of these forms.
 */
function referencesAt(key: string, value: unknown): [LocalReference["kind"], string | undefined][] {
  switch (key) {
    case "configMap":
    case "configMapRef":
    case "configMapKeyRef":
      return [["ConfigMap", text(at(value, "name"))]];
    case "secret":
      return [["Secret", text(at(value, "secretName")) ?? text(at(value, "name"))]];
    case "secretRef":
    case "secretKeyRef":
    case "nodePublishSecretRef":
      return [["Secret", text(at(value, "name"))]];
    case "imagePullSecrets":
      return items(value).map((item) => ["Secret", text(at(item, "name"))]);
    case "azureFile":
      return [["Secret", text(at(value, "secretName"))]];
    case "persistentVolumeClaim":
      return [["PersistentVolumeClaim", text(at(value, "claimName"))]];
    default:
      return [];
  }
}
