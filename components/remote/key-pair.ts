import { local } from "@pulumi/command";
import * as pulumi from "@pulumi/pulumi";

/** An SSH key pair, ed25519. */
export interface SshKeyPair {
  /** One line of authorized_keys. */
  readonly publicKey: pulumi.Output<string>;
  /** OpenSSH format; secret. */
  readonly privateKey: pulumi.Output<string>;
}

/**
 * Makes a key pair once and keeps it in the state as a secret. ssh-keygen of the machine that runs Pulumi
 * makes it: Nova makes none in its newer API versions, and the program itself must not be random.
 */
export function sshKeyPair(name: string, opts: pulumi.CustomResourceOptions): SshKeyPair {
  const command = new local.Command(
    name,
    {
      create: [
        "set -e; umask 077; d=$(mktemp -d); trap 'rm -rf \"$d\"' EXIT",
        "ssh-keygen -q -t ed25519 -N '' -C '' -f \"$d/key\" </dev/null",
        'cat "$d/key.pub" "$d/key"',
      ].join("\n"),
      logging: "none",
      addPreviousOutputInEnv: false,
    },
    // a key that is in use stays, whatever becomes of the command that made it
    pulumi.mergeOptions(opts, { additionalSecretOutputs: ["stdout"], ignoreChanges: ["create"] }),
  );
  const lines = command.stdout.apply((text) => text.split("\n"));
  return {
    publicKey: pulumi.unsecret(lines.apply(([first = ""]) => first.trim())),
    privateKey: pulumi.secret(lines.apply(([, ...rest]) => `${rest.join("\n").trimEnd()}\n`)),
  };
}
