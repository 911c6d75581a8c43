# shellcheck shell=bash disable=SC2154
# Runs where Pulumi runs, with the SSH client there: runs a script on a server with whichever of some keys the server
# takes. One that was made before a rotation takes a former key, one that was made after it the present one.
#
# host, port, login, host_key  of the server
# private_keys                 the newest first
# remote_command               reads the script from standard input
# remote_script                safe to run again

set -euo pipefail
umask 077

# sshd ends a connection that has offered six
MOST_KEYS=5

die() {
  printf '%s\n' "$*" >&2
  exit 1
}

over_ssh() {
  ssh -F none -T -p "$port" -l "$login" "${identities[@]}" -o BatchMode=yes -o ConnectTimeout=10 \
    -o GlobalKnownHostsFile=none -o HostKeyAlias=vnfm -o IdentitiesOnly=yes -o IdentityAgent=none -o LogLevel=ERROR \
    -o ServerAliveInterval=10 -o StrictHostKeyChecking=yes -o UserKnownHostsFile="$folder/known_hosts" \
    -- "$host" "$remote_command" <<<"$remote_script"
}

command -v ssh >/dev/null || die "there is no ssh on this machine: install an OpenSSH client"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
printf 'vnfm %s\n' "$host_key" >"$folder/known_hosts"
identities=()
number=0
while IFS= read -r line; do
  printf '%s\n' "$line" >>"$folder/key-$number"
  [[ $line == -----END* ]] || continue
  identities+=(-i "$folder/key-$number")
  number=$((number + 1))
  ((number < MOST_KEYS)) || break
done <<<"$private_keys"

# a new server has yet to boot
until over_ssh 2>"$folder/said"; do
  status=$?
  # 255 is that of ssh itself
  if [ "$status" != 255 ] || ((SECONDS > 300)); then
    cat "$folder/said" >&2
    [ "$status" != 255 ] || die "$login@$host takes none of the instance's SSH keys, or does not answer: if the \
server stays, heal it"
    exit 1
  fi
  sleep 5
done
