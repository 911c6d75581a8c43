# shellcheck shell=bash disable=SC2154
# create: wait until the Node is Ready and takes pods; runs on a master that is alive
# update: the same; who cordoned the Node since it joined is left to it
#
# node_name  name of the Node

. ./functions/kubectl.sh

# of a scale-in or heal that was begun and is taken back
uncordon() { kubectl uncordon "$node_name" --request-timeout=20s >&2; }

update() { within 300 will_be_ready "$node_name" || not_ready; }

create() {
  update
  within 60 uncordon || uncordon || die "node $node_name cannot be uncordoned: run the same command again"
}

"$1" </dev/null
