import { createHash } from "node:crypto";
import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import { encryptionConfiguration } from "../../kube/cluster/encryption";
import type { ClusterPlan } from "../../plan/kubeadm/model";
import { fileLines } from "../../render/file-lines";
import { Secret } from "../../base/secret";
import type { PreparedNode } from "./prepared-node";
import { phaseStep } from "./phase-step";

export const MAKE_ENCRYPTION_KEY = "head -c 32 /dev/urandom | base64 -w0";

/**
 * The EncryptionConfiguration of a cluster's API servers; secret. The key comes from the stack config, or is generated
 * once and kept in the state. The masters keep former keys as long as they need them.
 * @returns undefined if Secrets are not encrypted
 */
export function encryptionOf(
  name: string,
  { encryption, rotation: { encryptionKey: rotation } }: ClusterPlan,
  opts: pulumi.CustomResourceOptions,
): pulumi.Output<string> | undefined {
  if (encryption === undefined) return undefined;
  const { keys } = encryption;
  if (keys !== undefined) return pulumi.secret(textOf(keys));
  const isRotated = rotation !== undefined;
  const made = new local.Command(
    `${name}-encryption-key`,
    {
      create: MAKE_ENCRYPTION_KEY,
      ...(isRotated ? { update: MAKE_ENCRYPTION_KEY, environment: { VNFM_ROTATION: digest(rotation) } } : {}),
      logging: "none",
      addPreviousOutputInEnv: false,
    },
    pulumi.mergeOptions(opts, {
      additionalSecretOutputs: ["stdout"],
      // a key in use stays, whatever happens to the command that generated it
      ignoreChanges: isRotated ? ["create"] : ["create", "update", "environment"],
    }),
  );
  return pulumi.secret(made.stdout.apply((key) => textOf([new Secret(key)])));
}

/** Joins keys by line breaks, in the form in which scripts print those of another master. */
function textOf(keys: readonly Secret[]): string {
  return encryptionConfiguration(keys).trimEnd();
}

function digest(token: string): string {
  return createHash("sha256").update(token).digest("hex").slice(0, 10);
}

export interface ApiServersArgs {
  readonly cluster: ClusterPlan;
  readonly masters: readonly PreparedNode[];
  /** The EncryptionConfiguration, from encryptionOf. */
  readonly encryption: pulumi.Output<string> | undefined;
  /** Resources that use the API and are created first, because the API of a single control plane restarts. */
  readonly formed: readonly pulumi.Resource[];
}

/**
 * Writes the files that a cluster's API servers read, on one master after the other, as each API server restarts for a
 * change. A new encryption key is on all masters before one encrypts with it, and all encrypt with it before the former
 * one is removed.
 * @returns a resource that exists once all API servers have the files; undefined if they read none
 */
export function configureApiServers(
  instance: string,
  { cluster, masters, encryption, formed }: ApiServersArgs,
  opts: pulumi.CustomResourceOptions,
): pulumi.Resource | undefined {
  const { files } = cluster.security.apiServer;
  if (files.length === 0 && encryption === undefined) return undefined;
  const steps = encryption === undefined ? (["know"] as const) : (["know", "use", "forget"] as const);
  const runs = steps.flatMap((step) => masters.map((master) => ({ step, master })));
  return runs.reduce<pulumi.Resource | undefined>((before, { step, master }) => {
    const { key, reach, serverId, nodeName } = master;
    return phaseStep(
      `${instance}-${key}`,
      `api-server-${step}`,
      {
        reach,
        target: serverId,
        data: {
          ...{ node_name: nodeName, step },
          files: fileLines(files),
          encryption_config: encryption ?? "",
        },
      },
      { ...opts, dependsOn: before === undefined ? [...formed] : [...formed, before] },
    );
  }, undefined);
}
