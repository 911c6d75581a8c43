# shellcheck shell=bash disable=SC2154
# Asks a cluster, before it is made anew as a whole, whether something on it is in use. Runs where Pulumi runs, after
# ssh-client.sh: a cluster that does not answer is no reason to fail where all of it may go.
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
# in_use       command that runs a script there
# in_use_stdin that script: in-use.sh

create() { printf '%s\n' "$heal_token"; }

# each master in turn until one answers for the cluster
ask_masters() {
  local host host_key status
  while read -r host host_key; do
    is_master "$host" "$host_key" "$in_use" >&2 || continue
    status=0
    printf '%s' "$in_use_stdin" | over_ssh "$host" "$host_key" "$in_use" >&2 || status=$?
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
    prepare_login
    ask_masters || [ -n "$evacuate" ] ||
      die "no master of $instance answers for its cluster, so what is in use there is not known. Nothing has changed. \
Mend a master, or set vnfm:vnfs.$instance.evacuate to true: whatever is on the cluster goes with it then"
  fi
  create
}

"$1" </dev/null
