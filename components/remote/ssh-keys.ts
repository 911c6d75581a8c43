/** An SSH key pair as text. */
export interface KeyTexts {
  /** A line of authorized_keys. */
  readonly publicKey: string;
  /** Private key in OpenSSH format. */
  readonly privateKey: string;
}

/** A shell script that prints the key pair of a rotation, followed by the former ones. */
export const MAKE_KEY = [
  "set -e; umask 077",
  "before=${PULUMI_COMMAND_STDOUT-}; rotation=${VNFM_ROTATION-}",
  "unset PULUMI_COMMAND_STDOUT PULUMI_COMMAND_STDERR",
  // a run that was cut off may have generated it already
  'case $(printf "%s\\n" "$before" | head -n 1) in *" $rotation") printf "%s\\n" "$before"; exit ;; esac',
  "d=$(mktemp -d); trap 'rm -rf \"$d\"' EXIT",
  'ssh-keygen -q -t ed25519 -N \'\' -C "$rotation" -f "$d/key" </dev/null',
  'cat "$d/key.pub" "$d/key"',
  'if [ -n "$before" ]; then printf "%s\\n" "$before"; fi',
].join("\n");

/** Parses consecutive key pairs: each is a line of authorized_keys, then the private key. */
export function parseKeys(text: string): readonly KeyTexts[] {
  return text.split(/^(?=ssh-)/m).map((pair) => {
    const [first = "", ...rest] = pair.split("\n");
    return { publicKey: first.trim(), privateKey: `${rest.join("\n").trimEnd()}\n` };
  });
}
