import { getVersion } from "@pulumi/kubernetes/utilities";
import * as pulumi from "@pulumi/pulumi";
import type { KubeResource, KubeResourceArgs } from "./kube-resource";
import { revisionHistoryLimit } from "../../kube/objects/immutable";
import { fields, without } from "../../kube/objects/object";
import { FIELD_MANAGER, PATCH_FORCE } from "./ownership";

/**
 * The `revisionHistoryLimit` of a StatefulSet, as a separate patch: the Kubernetes provider would replace the
 * StatefulSet and all of its pods for a change that the API accepts in place.
 */
export class RevisionHistory extends pulumi.CustomResource {
  constructor(
    name: string,
    { object, secret, resource }: Pick<KubeResourceArgs, "object" | "secret"> & { resource: KubeResource },
    opts: pulumi.CustomResourceOptions,
  ) {
    // the patch has another field manager, whose name the provider chooses
    const annotations = {
      ...without(object.metadata.annotations ?? {}, FIELD_MANAGER),
      [PATCH_FORCE]: "true",
    };
    const { name: statefulSet, namespace } = object.metadata;
    const spec = { revisionHistoryLimit: revisionHistoryLimit(object) };
    super(
      `kubernetes:${object.apiVersion}:StatefulSetPatch`,
      name,
      {
        apiVersion: object.apiVersion,
        kind: object.kind,
        metadata: { name: statefulSet, namespace, annotations },
        // the provider stores the StatefulSet's whole spec in the state, and treats as secret what is secret here
        spec: secret ? pulumi.secret(spec) : spec,
      },
      pulumi.mergeOptions(opts, {
        version: getVersion(),
        dependsOn: [resource],
        // a re-created StatefulSet has the limit of its first creation
        replacementTrigger: resource.metadata.apply((metadata) => fields(metadata)["uid"] ?? ""),
      }),
    );
  }
}
