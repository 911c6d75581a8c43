# shellcheck shell=bash disable=SC2154
# Asks a cluster, before it is made anew as a whole, whether something on it is in use. Runs on the machine that runs
# Pulumi: a cluster that does not answer is no reason to fail where all of it may go.
#
# create: nothing is there that could be in use
# update: with a new token, refuses what is in use, or ends it; with the same one there is nothing to ask
#
# It prints the token; PULUMI_COMMAND_STDOUT has what it has printed the time before.
#
# instance     name of the VNF instance
# heal_token   under heal.all; all that is given where it is empty
# evacuate     yes: what is on the cluster may go; else empty
# refusal      what the stack config alone says against it; else empty
# masters      lines "HOST HOST_KEY"
# login_user, login_password, login_keys  who logs in there; either password or keys are empty. A server takes one of
#              the keys, the newest first: a former one until the run rotates them there
# in_use       command that runs a script there
# in_use_stdin that script: in-use.sh

set -euo pipefail
umask 077

# sshd ends a connection that has offered six
MOST_KEYS=5

die() {
  printf '%s\n' "$*" >&2
  exit 1
}

create() { printf '%s\n' "$heal_token"; }

# HOST HOST_KEY
ask() {
  printf 'vnfm %s\n' "$2" >"$folder/known_hosts"
  local -a login=(-o BatchMode=yes "${identities[@]}")
  [ -z "$login_password" ] ||
    login=(-o NumberOfPasswordPrompts=1 -o PubkeyAuthentication=no
      -o "PreferredAuthentications=password,keyboard-interactive")
  printf '%s' "$in_use_stdin" | SSH_ASKPASS=$folder/askpass SSH_ASKPASS_REQUIRE=force ssh -F none -T -l "$login_user" \
    -o ConnectTimeout=10 -o ServerAliveInterval=10 -o LogLevel=ERROR -o IdentitiesOnly=yes -o IdentityAgent=none \
    -o StrictHostKeyChecking=yes -o HostKeyAlias=vnfm -o UserKnownHostsFile="$folder/known_hosts" \
    -o GlobalKnownHostsFile=none "${login[@]}" -- "$1" "$in_use" >&2
}

split_keys() {
  local line number=0
  identities=()
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$folder/key-$number"
    [[ $line == -----END* ]] || continue
    identities+=(-o "IdentityFile=$folder/key-$number")
    number=$((number + 1))
    ((number < MOST_KEYS)) || break
  done <<<"$login_keys"
}

# each master in turn until one answers for the cluster
ask_masters() {
  local host host_key status
  while read -r host host_key; do
    status=0
    ask "$host" "$host_key" || status=$?
    case $status in
      0) return ;;
      3) die "Nothing has changed. End what uses them, or set vnfm:vnfs.$instance.evacuate to true: all of it goes with \
the cluster then, and CNFs of this stack are made again on the new one" ;;
    esac
  done <<<"$masters"
  return 1
}

update() {
  if [ "$heal_token" != "${PULUMI_COMMAND_STDOUT-}" ]; then
    [ -n "$heal_token" ] || die "the token under heal.all is gone from the stack config, which would make the whole \
cluster anew. Nothing has changed. Set it back to $PULUMI_COMMAND_STDOUT"
    [ -z "$refusal" ] || die "$refusal"
    command -v ssh >/dev/null || die "there is no ssh: install an OpenSSH client"
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    split_keys
    printf '%s' "$login_password" >"$folder/password"
    # shellcheck disable=SC2016 # read when ssh asks
    printf '#!/bin/sh\nexec cat "${0%%/*}/password"\n' >"$folder/askpass"
    chmod 700 "$folder/askpass"
    ask_masters || [ -n "$evacuate" ] ||
      die "no master of $instance answers for its cluster, so what is in use there is not known. Nothing has changed. \
Mend a master, or set vnfm:vnfs.$instance.evacuate to true: whatever is on the cluster goes with it then"
  fi
  create
}

"$1" </dev/null
