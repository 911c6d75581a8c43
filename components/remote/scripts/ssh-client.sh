# shellcheck shell=bash disable=SC2154
# In front of the scripts that run where Pulumi runs, and go to servers with the SSH client there. A connection of the
# command plugin knows one server and one key; here a script may try several.
#
# login_user
# login_password, login_keys  either is empty. A server takes one of the keys, the newest first: a former one if it was
#                             made before a rotation
# result_mark                 the line after which a script's own output begins; before it a login shell prints
# jump_host, jump_port, jump_host_key, jump_user, jump_password, jump_keys
#                             a host that the connection goes through, and the login there; unset for none

set -euo pipefail
umask 077

# sshd ends a connection that has offered six
MOST_KEYS=5

die() {
  printf '%s\n' "$*" >&2
  exit 1
}

# both of the server and of the jump host
CLIENT=(ssh -F none -T -o ConnectTimeout=10 -o GlobalKnownHostsFile=none -o HostKeyAlias=vnfm -o IdentitiesOnly=yes
  -o IdentityAgent=none -o LogLevel=ERROR -o ServerAliveInterval=10 -o StrictHostKeyChecking=yes)

# before over_ssh
prepare_login() {
  command -v ssh >/dev/null || die "there is no ssh on this machine: install an OpenSSH client"
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  way=()
  [ -z "${jump_host-}" ] || prepare_jump
  prepare_credentials "$folder" "$login_password" "$login_keys"
}

# prepare_credentials FOLDER PASSWORD KEYS: puts them in files there, and the options for them into `credentials`
prepare_credentials() {
  if [ -n "$2" ]; then
    printf '%s' "$2" >"$1/password"
    # shellcheck disable=SC2016 # read when ssh asks
    printf '#!/bin/sh\nexec cat "${0%%/*}/password"\n' >"$1/askpass"
    chmod 700 "$1/askpass"
    credentials=(-o NumberOfPasswordPrompts=1 -o PubkeyAuthentication=no
      -o "PreferredAuthentications=password,keyboard-interactive")
    return
  fi
  credentials=(-o BatchMode=yes)
  local line number=0
  while IFS= read -r line; do
    printf '%s\n' "$line" >>"$1/key-$number"
    [[ $line == -----END* ]] || continue
    credentials+=(-o "IdentityFile=$1/key-$number")
    number=$((number + 1))
    ((number < MOST_KEYS)) || break
  done <<<"$3"
}

# not ProxyJump, whose connection has no options of its own on the command line
prepare_jump() {
  local command words
  mkdir "$folder/jump"
  prepare_credentials "$folder/jump" "$jump_password" "$jump_keys"
  printf 'vnfm %s\n' "$jump_host_key" >"$folder/jump/known_hosts"
  command=(env "SSH_ASKPASS=$folder/jump/askpass" "${CLIENT[@]}" -l "$jump_user" -p "$jump_port" "${credentials[@]}"
    -o "UserKnownHostsFile=$folder/jump/known_hosts")
  # a shell runs it, after ssh has put host and port in the place of %h and %p
  words=$(quoted "${command[@]}")
  way=(-o "ProxyCommand=${words//%/%%}-W '[%h]:%p' -- $(quoted "${jump_host//%/%%}")")
}

# quoted WORD...: for any shell; %q of bash writes some words as only bash reads them
quoted() {
  local word
  for word; do
    printf "'%s' " "${word//\'/\'\\\'\'}"
  done
}

# over_ssh HOST HOST_KEY COMMAND: standard input is the command's, standard output that of its script; 255 where ssh itself fails, or takes longer than
# ssh_limit seconds. The command's own limit is one of the server, which may hang
over_ssh() {
  local status=0 begin=$SECONDS limit=${ssh_limit:-1560}
  printf 'vnfm %s\n' "$2" >"$folder/known_hosts"
  SHELL=/bin/sh SSH_ASKPASS=$folder/askpass SSH_ASKPASS_REQUIRE=force timeout --foreground -s KILL "$limit" \
    "${CLIENT[@]}" -l "$login_user" "${credentials[@]}" "${way[@]}" \
    -o UserKnownHostsFile="$folder/known_hosts" -- "$1" "$3" | sed "1,/^$result_mark\$/d" || status=$?
  # of KILL; a command that was killed there ends with it too
  [ "$status" != 137 ] || ((SECONDS - begin < limit)) || status=255
  return "$status"
}

# is_master HOST HOST_KEY COMMAND: whether it is in a cluster, and answers: one whose disk hangs takes connections too
is_master() {
  ssh_limit=20 over_ssh "$@" <<<'[ -e /etc/kubernetes/vnfm-complete ]'
}
