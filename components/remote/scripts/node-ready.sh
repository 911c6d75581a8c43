# shellcheck shell=bash disable=SC2154
# create: wait until the Node is Ready and schedulable; runs on a living control-plane node
# update: wait until it is Ready; a Node that was cordoned since its join stays cordoned
#
# node_name  name of the Node

. ./functions/kubectl.sh

# after a scale-in or heal that was started and reverted
uncordon() { kubectl uncordon "$node_name" --request-timeout=20s >&2; }

update() { within 300 will_be_ready "$node_name" || not_ready; }

create() {
  update
  within 60 uncordon || uncordon || die "node $node_name cannot be uncordoned: run the same command again"
}

"$1" </dev/null
