# shellcheck shell=bash disable=SC2154
# In front of the scripts that run where Pulumi runs, and go to servers with the SSH client there. A connection of the
# command plugin knows one server and one key; here a script may try several.
#
# login_user
# login_password, login_keys  either is empty. A server takes one of the keys, the newest first: a former one if it was
#                             made before a rotation

set -euo pipefail
umask 077

# sshd ends a connection that has offered six
MOST_KEYS=5

die() {
  printf '%s\n' "$*" >&2
  exit 1
}

# before over_ssh
prepare_login() {
  command -v ssh >/dev/null || die "there is no ssh on this machine: install an OpenSSH client"
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  if [ -n "$login_password" ]; then
    printf '%s' "$login_password" >"$folder/password"
    # shellcheck disable=SC2016 # read when ssh asks
    printf '#!/bin/sh\nexec cat "${0%%/*}/password"\n' >"$folder/askpass"
    chmod 700 "$folder/askpass"
    credentials=(-o NumberOfPasswordPrompts=1 -o PubkeyAuthentication=no
      -o "PreferredAuthentications=password,keyboard-interactive")
    return
  fi
  credentials=(-o BatchMode=yes)
  local line number=0
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$folder/key-$number"
    [[ $line == -----END* ]] || continue
    credentials+=(-o "IdentityFile=$folder/key-$number")
    number=$((number + 1))
    ((number < MOST_KEYS)) || break
  done <<<"$login_keys"
}

# over_ssh HOST HOST_KEY COMMAND: standard input is the command's; 255 where ssh itself fails, or takes longer than
# ssh_limit seconds. The command's own limit is one of the server, which may hang
over_ssh() {
  local status=0 begin=$SECONDS limit=${ssh_limit:-1560}
  printf 'vnfm %s\n' "$2" >"$folder/known_hosts"
  SSH_ASKPASS=$folder/askpass SSH_ASKPASS_REQUIRE=force timeout --foreground -s KILL "$limit" \
    ssh -F none -T -l "$login_user" "${credentials[@]}" \
    -o ConnectTimeout=10 -o GlobalKnownHostsFile=none -o HostKeyAlias=vnfm -o IdentitiesOnly=yes \
    -o IdentityAgent=none -o LogLevel=ERROR -o ServerAliveInterval=10 -o StrictHostKeyChecking=yes \
    -o UserKnownHostsFile="$folder/known_hosts" -- "$1" "$3" || status=$?
  # of KILL; a command that was killed there ends with it too
  [ "$status" != 137 ] || ((SECONDS - begin < limit)) || status=255
  return "$status"
}

# is_master HOST HOST_KEY COMMAND: whether it is in a cluster, and answers: one whose disk hangs takes connections too
is_master() {
  ssh_limit=20 over_ssh "$@" <<<'[ -e /etc/kubernetes/vnfm-complete ]'
}
