import { getVersion } from "@pulumi/kubernetes/utilities";
import * as pulumi from "@pulumi/pulumi";
import { digest } from "../../kube/objects/checksum";
import { immutableContent } from "../../kube/objects/immutable";
import { groupKind } from "../../kube/objects/kinds";
import { annotated, groupOf, without, type KubeObject } from "../../kube/objects/object";
import { FIELD_MANAGER, MANAGER, OWNER, PATCH_FORCE } from "./ownership";

export interface KubeResourceArgs {
  readonly object: KubeObject;
  /** True if its content is secret: the data of a Secret, of other objects all but their metadata. */
  readonly secret: boolean;
  /** The CNF that it goes with, see ownerOf; one that stays is nobody's. @default none */
  readonly owner?: pulumi.Output<string> | undefined;
  /** True if it stays when it leaves the program. */
  readonly retain: boolean;
  /** How long it may take to be made and to change, such as `10m`. */
  readonly timeout: string;
  /** How long it may take to go. @default timeout */
  readonly deletionTimeout?: string | undefined;
  /** Paths of fields that others decide once the object is there, such as `spec.replicas`. @default none */
  readonly ignoreChanges?: readonly string[];
  /** What goes with the whole cluster. @default the program knows of no end of it */
  readonly lifetime?: pulumi.Resource | undefined;
}

/**
 * A Kubernetes object of any kind. The SDK's own classes stand for the kinds of one Kubernetes version, and
 * its CustomResource takes no kind of the core group; the plugin works from apiVersion and kind alone.
 */
export class KubeResource extends pulumi.CustomResource {
  declare readonly metadata: pulumi.Output<unknown>;
  declare readonly spec: pulumi.Output<unknown>;
  declare readonly status: pulumi.Output<unknown>;

  constructor(name: string, args: KubeResourceArgs, opts: pulumi.CustomResourceOptions) {
    const { owner, timeout, deletionTimeout = timeout, lifetime, retain, ignoreChanges = [] } = args;
    const managed = annotated(args.object, FIELD_MANAGER, MANAGER);
    // what is declared wins over what was set by hand, as by "kubectl scale"; what stays may be there already, of
    // anybody
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
        // where the cluster goes, or the object is replaced, the engine does not know the name: so it finds that the
        // object goes before. Not by the provider: one that is replaced the engine closes, and then deletes with it
        metadata: pulumi
          .all([retain ? undefined : owner, lifetime?.urn, replacement?.id])
          .apply(([its]) => (its === undefined ? object : annotated(object, OWNER, its)).metadata),
      },
      pulumi.mergeOptions(opts, {
        version: getVersion(),
        aliases: otherVersions(object).map((apiVersion) => ({ type: typeToken(apiVersion, object.kind) })),
        customTimeouts: { create: timeout, update: timeout, delete: deletionTimeout },
        // a controller may repeat in the status what it was told
        ...(args.secret && { additionalSecretOutputs: [...secrets, "status"] }),
        ...(retain && { retainOnDelete: true }),
        // or a run that goes on with objects which a cut-off one has deleted would delete those that it makes
        ...((lifetime ?? replacement) && { deleteBeforeReplace: true }),
        ...(ignoreChanges.length > 0 && { ignoreChanges: [...ignoreChanges] }),
      }),
    );
  }
}

/**
 * A hash, in the state, of what the API lets nobody change of an object; undefined where everything changes in place.
 * Another hash is another resource, which the engine makes anew; the object depends on it, so the engine deletes the
 * object first and makes it again.
 *
 * The Kubernetes plugin alone does not do: it does not know all of these fields, and where it knows one, its preview
 * asks the API to make the new object while the old one of that name is there, which the API refuses with 422. In the
 * preview of a replacement the id of the hash is unknown, and with it the object's metadata, so the plugin asks nothing.
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
    // from the hash of a short secret that could be guessed
    { input: isSecret ? pulumi.secret(hash) : hash },
    { ...(parent && { parent }), replaceOnChanges: ["input"], deleteBeforeReplace: true },
  );
}

function typeToken(apiVersion: string, kind: string): string {
  return `kubernetes:${apiVersion.includes("/") ? apiVersion : `core/${apiVersion}`}:${kind}`;
}

/**
 * The names under which an earlier manifest may have made the same object: without them a changed version
 * would make the new one and then delete the old one, which is the same.
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
 * All of them outputs: the SDK makes a text of any other field, and fails where one has a key `toString`. What is an
 * output within a field comes as it is, so that a preview knows the rest of the field.
 */
function inputsOf(object: KubeObject, secrets: readonly string[]): pulumi.Inputs {
  const entries = Object.entries(object).map(([key, value]) => [
    key,
    (secrets.includes(key) ? pulumi.secret(key) : pulumi.output(key)).apply(() => value),
  ]);
  return Object.fromEntries(entries) as pulumi.Inputs;
}

/** The fields of an object that are secret where its content is. */
function secretFields(object: KubeObject): readonly string[] {
  return groupKind(object) === "/Secret"
    ? ["data", "stringData"]
    : Object.keys(without(object, "apiVersion", "kind", "metadata"));
}
