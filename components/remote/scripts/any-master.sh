# shellcheck shell=bash disable=SC2154
# Runs where Pulumi runs, after ssh-client.sh: runs a script about a cluster on a master that is alive, and once more on
# another one where the connection breaks.
#
# check, use, vote: only once
#
# masters         addresses
# host_key        of all of them
# remote_command  reads the script from standard input; @VERB@ in it is what to do
# remote_script   safe to run again

TRIES=60

# addresses, as they take connections; each a moment after the one before, so that scripts at the same time meet on the
# same master, where they wait for each other
answering() {
  local address delay=0
  # only the jump host can tell
  if [ -n "${jump_host-}" ]; then
    tr ' ' '\n' <<<"$masters"
    return
  fi
  for address in $masters; do
    # shellcheck disable=SC2016 # for the inner bash
    { sleep "0.$delay" && timeout -k 1 5 bash -c 'exec 3<>"/dev/tcp/$0/22"' "$address" 2>/dev/null && printf '%s\n' "$address"; } &
    delay=$((delay + 3))
  done
  wait
}

# VERB: on the first that is a master; 255 where none is, or where the connection broke
run_somewhere() {
  local address status=255 command=${remote_command//@VERB@/$1}
  while read -r address; do
    is_master "$address" "$host_key" "$command" >/dev/null 2>"$folder/stderr" || continue
    # the run was cut off, and what the script does may have been taken back since
    kill -0 "$PPID" 2>/dev/null || exit 1
    status=0
    over_ssh "$address" "$host_key" "$command" >"$folder/stdout" 2>"$folder/stderr" <<<"$remote_script" || status=$?
    [ "$status" = 255 ] || break
  # without the error output, which whoever started this waits for the end of
  done < <(answering 2>/dev/null)
  return "$status"
}

run() {
  local try status=255
  prepare_login
  touch "$folder/stdout" "$folder/stderr"
  for ((try = 0; try < TRIES; try++)); do
    ((try == 0)) || sleep 5
    status=0
    run_somewhere "$1" || status=$?
    if [ "$status" != 255 ] || [[ $1 = check || $1 = use || $1 = vote ]]; then break; fi
  done
  [ "$status" != 255 ] || printf 'no master of the cluster answers at any of %s\n' "$masters" >&2
  cat "$folder/stderr" >&2
  cat "$folder/stdout"
  return "$status"
}

run "$1" </dev/null
