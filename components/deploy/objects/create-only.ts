import type { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import { kubeCommand } from "./kube-command";
import type { KubeObject } from "../../kube/objects/object";
import { postPath } from "../../kube/objects/paths";
import { contentId, posted } from "../../kube/objects/posted";

export interface CreateOnlyArgs {
  readonly object: KubeObject;
  readonly kubeconfig: pulumi.Output<string>;
  readonly timeout: string;
}

/**
 * Posts an object that the API answers and does not store, once for each content. The Kubernetes provider cannot create
 * such objects, because it uses server-side apply and reads them back. There is nothing to delete. Nothing is logged,
 * and the answer, which may be a token, is a secret.
 */
export function createOnly(
  name: string,
  args: CreateOnlyArgs,
  opts: pulumi.CustomResourceOptions,
): local.Command {
  const { object, kubeconfig, timeout } = args;
  const id = contentId(object);
  const data = { path: postPath(object), object: posted(object) };
  return kubeCommand(
    name.endsWith(id) ? name : `${name}-${id}`,
    { script: "post-object", kubeconfig, data, logging: "none" },
    pulumi.mergeOptions(opts, {
      // new credentials do not repeat the request; new content is a new resource
      ignoreChanges: ["create", "stdin"],
      customTimeouts: { create: timeout },
    }),
  );
}
