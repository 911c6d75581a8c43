# shellcheck shell=bash disable=SC2154
# Runs where Pulumi runs, after ssh-client.sh: runs a script on a server that is about to be deleted. One that does not
# answer is dead, and not waited for.
#
# host, host_key  of the server
# remote_command  reads the script from standard input
# remote_script   safe to run again

prepare_login
status=0
ssh_limit=120 over_ssh "$host" "$host_key" "$remote_command" <<<"$remote_script" >&2 || status=$?
case $status in
  0) exit ;;
  124 | 137) why="has not done this in its time" ;;
  255) why="cannot be reached by SSH" ;;
  *) why="says the above" ;;
esac
printf '%s goes as it is: it %s\n' "$host" "$why" >&2
