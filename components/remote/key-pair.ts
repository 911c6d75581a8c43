import { createHash } from "node:crypto";
import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";
import { MAKE_KEY, parseKeys, type KeyTexts } from "./ssh-keys";

/** An SSH key pair, ed25519. */
export interface SshKeyPair {
  /** One line of authorized_keys. */
  readonly publicKey: pulumi.Output<string>;
  /** OpenSSH format; secret. */
  readonly privateKey: pulumi.Output<string>;
}

/** A key pair, with those that it replaced: servers may still have one of these. */
export interface RotatedKeyPair extends SshKeyPair {
  /** The key pairs, the newest first, which is the present one. Secret. */
  readonly all: pulumi.Output<readonly KeyTexts[]>;
  /** The first private key, which no rotation changes: for what has to stay the same for good. Secret. */
  readonly origin: pulumi.Output<string>;
}

/**
 * Makes a key pair once and keeps it in the state as a secret. ssh-keygen of the machine that runs Pulumi
 * makes it: Nova makes none in its newer API versions, and the program itself must not be random.
 *
 * @param rotation a token: another one replaces the key pair by a new one. Undefined: the present one stays
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
      // a rotation puts its new key in front of the keys that were there
      addPreviousOutputInEnv: isRotated,
    },
    pulumi.mergeOptions(opts, {
      additionalSecretOutputs: ["stdout"],
      // a key that is in use stays, whatever becomes of the command that made it
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

/** What stands for a rotation in the comment of the key that it made. */
function rotationId(rotation: string): string {
  return `vnfm-${createHash("sha256").update(rotation).digest("hex").slice(0, 10)}`;
}
