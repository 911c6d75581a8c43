import { getVersion } from "@pulumi/kubernetes/utilities";
import * as pulumi from "@pulumi/pulumi";
import type { KubeResource } from "./kube-resource";
import { revisionHistoryLimit } from "./immutable";
import { fields, without, type KubeObject } from "./object";
import { FIELD_MANAGER } from "./ownership";

/**
 * The `revisionHistoryLimit` of a StatefulSet, as a patch beside it: the Kubernetes plugin would replace the
 * StatefulSet and all of its pods for a change that the API takes in place.
 */
export class RevisionHistory extends pulumi.CustomResource {
  constructor(
    name: string,
    { object, resource }: { readonly object: KubeObject; readonly resource: KubeResource },
    opts: pulumi.CustomResourceOptions,
  ) {
    // the patch is another field manager's, which the plugin names
    const annotations = without(object.metadata.annotations ?? {}, FIELD_MANAGER);
    super(
      `kubernetes:${object.apiVersion}:StatefulSetPatch`,
      name,
      {
        apiVersion: object.apiVersion,
        kind: object.kind,
        // with another StatefulSet of the name it is another patch
        metadata: resource.metadata.apply((metadata) => {
          const { name, namespace } = fields(metadata);
          return { name, namespace, annotations };
        }),
        spec: { revisionHistoryLimit: revisionHistoryLimit(object) },
      },
      pulumi.mergeOptions(opts, { version: getVersion() }),
    );
  }
}
