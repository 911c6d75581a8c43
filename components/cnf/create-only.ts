import { readFileSync } from "node:fs";
import { join } from "node:path";
import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import type { KubeObject } from "./object";
import { apiAccess, contentId, posted, postPath } from "./posted";

export interface CreateOnlyArgs {
  readonly object: KubeObject;
  readonly kubeconfig: pulumi.Output<string>;
  readonly timeout: string;
}

/**
 * Posts an object of a kind that the API answers and does not keep, once for each content. The Kubernetes
 * plugin cannot: it applies on the server's side and reads back. Nothing is there to be deleted.
 *
 * Script, credentials and object go through standard input, as in remoteScript; nothing is logged, and the
 * answer, which may be a token, is a secret.
 */
export function createOnly(
  name: string,
  args: CreateOnlyArgs,
  opts: pulumi.CustomResourceOptions,
): local.Command {
  const { object, timeout } = args;
  const stdin = args.kubeconfig.apply((kubeconfig) => {
    const input = { access: apiAccess(kubeconfig), path: postPath(object), object: posted(object) };
    return `const input = JSON.parse(${JSON.stringify(JSON.stringify(input))});\n${SCRIPT}`;
  });
  const id = contentId(object);
  return new local.Command(
    name.endsWith(id) ? name : `${name}-${id}`,
    {
      create: "exec node --input-type=module -",
      stdin: pulumi.secret(stdin),
      logging: "none",
      addPreviousOutputInEnv: false,
    },
    pulumi.mergeOptions(opts, {
      // other credentials ask no question anew; another content is another resource
      ignoreChanges: ["create", "stdin"],
      additionalSecretOutputs: ["stdout", "stderr"],
      customTimeouts: { create: timeout },
    }),
  );
}

const SCRIPT = readFileSync(join(__dirname, "scripts", "post-object.mjs"), "utf8");
