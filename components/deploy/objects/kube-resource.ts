import { getVersion } from "@pulumi/kubernetes/utilities";
import * as pulumi from "@pulumi/pulumi";
import { digest } from "../../kube/objects/checksum";
import { immutableContent } from "../../kube/objects/immutable";
import { groupKind } from "../../kube/objects/kinds";
import { annotated, groupOf, without, type KubeObject } from "../../kube/objects/object";
import { FIELD_MANAGER, MANAGER, OWNER, PATCH_FORCE } from "./ownership";

export interface KubeResourceArgs {
  readonly object: KubeObject;
  /** True if its content is secret: the data of a Secret, or all fields but the metadata of another object. */
  readonly secret: boolean;
  /** The CNF that owns it, see ownerOf; an object that outlives the CNF has no owner. @default none */
  readonly owner?: pulumi.Output<string> | undefined;
  /** True if it is not deleted when it leaves the program. */
  readonly retain: boolean;
  /** Time limit for its creation and its updates, such as `10m`. */
  readonly timeout: string;
  /** Time limit for its deletion. @default timeout */
  readonly deletionTimeout?: string | undefined;
  /** Paths of fields that others set after the object's creation, such as `spec.replicas`. @default none */
  readonly ignoreChanges?: readonly string[];
  /** The resource that is deleted only with the whole cluster. Undefined: vnfm does not delete the cluster. */
  readonly lifetime?: pulumi.Resource | undefined;
}

/**
 * A Kubernetes object of any kind. The SDK has classes for the kinds of one Kubernetes version only, and its
 * CustomResource does not support the core group; the provider plugin needs apiVersion and kind only.
 */
export class KubeResource extends pulumi.CustomResource {
  declare readonly metadata: pulumi.Output<unknown>;
  declare readonly spec: pulumi.Output<unknown>;
  declare readonly status: pulumi.Output<unknown>;

  constructor(name: string, args: KubeResourceArgs, opts: pulumi.CustomResourceOptions) {
    const { owner, timeout, deletionTimeout = timeout, lifetime, retain, ignoreChanges = [] } = args;
    const managed = annotated(args.object, FIELD_MANAGER, MANAGER);
    // declared fields override manual changes, such as by "kubectl scale"; an object that outlives the CNF may exist
    // already, created by others
    const object = annotated(managed, PATCH_FORCE, "true");
    const replacement = replacementOf(name, object, args.secret, opts);
    const secrets = args.secret ? secretFields(object) : [];
    super(
      typeToken(object.apiVersion, object.kind),
      name,
      {
        spec: undefined,
        status: undefined,
        ...inputsOf(object, secrets),
        // if the cluster is deleted, or the object is replaced, the engine does not know the name, so that the object
        // is deleted before. The provider cannot serve for this: the engine closes a provider that is replaced, and
        // then deletes with it
        metadata: pulumi
          .all([retain ? undefined : owner, lifetime?.urn, replacement?.id])
          .apply(
            ([ownerName]) =>
              (ownerName === undefined ? object : annotated(object, OWNER, ownerName)).metadata,
          ),
      },
      pulumi.mergeOptions(opts, {
        version: getVersion(),
        aliases: otherVersions(object).map((apiVersion) => ({ type: typeToken(apiVersion, object.kind) })),
        customTimeouts: { create: timeout, update: timeout, delete: deletionTimeout },
        // a controller may repeat its input in the status
        ...(args.secret && { additionalSecretOutputs: [...secrets, "status"] }),
        ...(retain && { retainOnDelete: true }),
        // otherwise a run after an interrupted deletion would delete the objects that it creates
        ...((lifetime ?? replacement) && { deleteBeforeReplace: true }),
        ...(ignoreChanges.length > 0 && { ignoreChanges: [...ignoreChanges] }),
      }),
    );
  }
}

/**
 * A hash, in the state, of the immutable fields of an object; undefined if everything can be updated in place. A
 * changed hash is a replaced resource, on which the object depends, so Pulumi deletes the object first and then
 * re-creates it. The Kubernetes provider does not suffice: it does not know all of these fields, and for those that it
 * knows its preview asks the API to create the new object while the old one exists, which the API refuses with 422. In
 * the preview of a replacement the id of the hash is unknown, and with it the object's metadata, so the provider sends
 * no such request.
 */
function replacementOf(
  name: string,
  object: KubeObject,
  isSecret: boolean,
  { parent }: pulumi.CustomResourceOptions,
): pulumi.Stash | undefined {
  const content = immutableContent(object);
  if (content === undefined) return undefined;
  const hash = pulumi.output(content).apply(digest);
  return new pulumi.Stash(
    `${name}-immutable`,
    // the hash would allow to guess a short secret
    { input: isSecret ? pulumi.secret(hash) : hash },
    { ...(parent && { parent }), replaceOnChanges: ["input"], deleteBeforeReplace: true },
  );
}

function typeToken(apiVersion: string, kind: string): string {
  return `kubernetes:${apiVersion.includes("/") ? apiVersion : `core/${apiVersion}`}:${kind}`;
}

/**
 * Aliases of an object under other API versions. Without them a changed version would create the object and then delete
 * it again, as both are the same object on the cluster.
 */
function otherVersions(object: KubeObject): string[] {
  const group = groupOf(object);
  if (group === "") return [];
  return VERSIONS.map((version) => `${group}/${version}`).filter(
    (apiVersion) => apiVersion !== object.apiVersion,
  );
}

const VERSIONS = [
  ...["v1alpha1", "v1alpha2", "v1alpha3", "v1alpha4", "v1beta1", "v1beta2", "v1beta3", "v1beta4", "v1"],
  ...["v2alpha1", "v2beta1", "v2beta2", "v2"],
];

/**
 * The inputs of an object, all of them outputs: the SDK converts any other field to a text, and fails if it has a key
 * `toString`. Outputs within a field stay as they are, so that a preview knows the rest of the field.
 */
function inputsOf(object: KubeObject, secrets: readonly string[]): pulumi.Inputs {
  const entries = Object.entries(object).map(([key, value]) => [
    key,
    (secrets.includes(key) ? pulumi.secret(key) : pulumi.output(key)).apply(() => value),
  ]);
  return Object.fromEntries(entries) as pulumi.Inputs;
}

/** The fields of an object that are secret if its content is. */
function secretFields(object: KubeObject): readonly string[] {
  return groupKind(object) === "/Secret"
    ? ["data", "stringData"]
    : Object.keys(without(object, "apiVersion", "kind", "metadata"));
}
