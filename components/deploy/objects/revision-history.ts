import { getVersion } from "@pulumi/kubernetes/utilities";
import * as pulumi from "@pulumi/pulumi";
import type { KubeResource, KubeResourceArgs } from "./kube-resource";
import { revisionHistoryLimit } from "../../kube/objects/immutable";
import { fields, without } from "../../kube/objects/object";
import { FIELD_MANAGER, PATCH_FORCE } from "./ownership";

/**
 * The `revisionHistoryLimit` of a StatefulSet, as a patch beside it: the Kubernetes plugin would replace the
 * StatefulSet and all of its pods for a change that the API takes in place.
 */
export class RevisionHistory extends pulumi.CustomResource {
  constructor(
    name: string,
    { object, secret, resource }: Pick<KubeResourceArgs, "object" | "secret"> & { resource: KubeResource },
    opts: pulumi.CustomResourceOptions,
  ) {
    // the patch is another field manager's, which the plugin names
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
        // the plugin puts the StatefulSet's whole spec into the state, and what of that is secret it sees here
        spec: secret ? pulumi.secret(spec) : spec,
      },
      pulumi.mergeOptions(opts, {
        version: getVersion(),
        dependsOn: [resource],
        // a StatefulSet that is made anew has the number of the first one
        replacementTrigger: resource.metadata.apply((metadata) => fields(metadata)["uid"] ?? ""),
      }),
    );
  }
}
