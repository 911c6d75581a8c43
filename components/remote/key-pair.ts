import { createHash } from "node:crypto";
import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import { MAKE_KEY, parseKeys, type KeyTexts } from "./ssh-keys";

/** An SSH key pair, ed25519. */
export interface SshKeyPair {
  /** A line of authorized_keys. */
  readonly publicKey: pulumi.Output<string>;
  /** Private key in OpenSSH format; secret. */
  readonly privateKey: pulumi.Output<string>;
}

/** A key pair with the former ones, which older servers may still accept. */
export interface RotatedKeyPair extends SshKeyPair {
  /** The key pairs, the newest and current one first. Secret. */
  readonly all: pulumi.Output<readonly KeyTexts[]>;
  /** The first private key, which no rotation changes; passwords that must not change are derived from it. Secret. */
  readonly origin: pulumi.Output<string>;
}

/**
 * Generates a key pair once and keeps it in the state as a secret. ssh-keygen generates it on the machine that runs
 * Pulumi, because newer API versions of Nova generate none, and the program itself must not use random values.
 * @param rotation trigger value: a new one replaces the key pair. Undefined: the current one stays
 */
export function sshKeyPair(
  name: string,
  opts: pulumi.CustomResourceOptions,
  rotation?: string,
): RotatedKeyPair {
  const isRotated = rotation !== undefined;
  const command = new local.Command(
    name,
    {
      create: MAKE_KEY,
      ...(isRotated ? { update: MAKE_KEY, environment: { VNFM_ROTATION: rotationId(rotation) } } : {}),
      logging: "none",
      // a rotation adds its new key before the previous keys
      addPreviousOutputInEnv: isRotated,
    },
    pulumi.mergeOptions(opts, {
      additionalSecretOutputs: ["stdout"],
      // a key in use stays, even if the command that generated it changes
      ignoreChanges: isRotated ? ["create"] : ["create", "update", "environment", "addPreviousOutputInEnv"],
    }),
  );
  const all = command.stdout.apply(parseKeys);
  const privateKey = (at: number) => pulumi.secret(all.apply((keys) => keys.at(at)?.privateKey ?? ""));
  return {
    publicKey: pulumi.unsecret(all.apply(([key]) => key?.publicKey ?? "")),
    privateKey: privateKey(0),
    all: pulumi.secret(all),
    origin: privateKey(-1),
  };
}

/** Identifier of a rotation, in the comment of its key. */
function rotationId(rotation: string): string {
  return `vnfm-${createHash("sha256").update(rotation).digest("hex").slice(0, 10)}`;
}
