# shellcheck shell=bash disable=SC2154
# Runs where Pulumi runs, after ssh-client.sh: runs a script on a server with whichever of some keys the server takes.
#
# host, host_key  of the server
# remote_command  reads the script from standard input
# remote_script   safe to run again

prepare_login
# a new server has yet to boot
until over_ssh "$host" "$host_key" "$remote_command" <<<"$remote_script" 2>"$folder/said"; do
  status=$?
  if [ "$status" != 255 ] || ((SECONDS > 300)); then
    cat "$folder/said" >&2
    [ "$status" != 255 ] || die "$login_user@$host takes none of the instance's SSH keys, or does not answer: if the \
server stays, heal it"
    exit 1
  fi
  sleep 5
done
