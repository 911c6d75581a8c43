# shellcheck shell=bash disable=SC2154
# create: wait until the Node is Ready and takes pods, then revoke its bootstrap token; runs on a master that is alive
# update: the same; who cordoned the Node since it joined is left to it
#
# node_name   name of the Node
# join_token  the bootstrap token it joined with; empty for the master that began the cluster

. ./functions/kubectl.sh

revoke() {
  kubectl -n kube-system delete secret "bootstrap-token-${join_token%%.*}" --ignore-not-found --request-timeout=20s >&2
}

# of a scale-in or heal that was begun and is taken back
uncordon() { kubectl uncordon "$node_name" --request-timeout=20s >&2; }

update() {
  within 300 will_be_ready "$node_name" || not_ready
  # gone already where a cut-off run is continued
  [ -z "$join_token" ] || within 60 revoke || revoke ||
    die "the bootstrap token of $node_name cannot be revoked: run the same command again, or it ends a day after it \
was made"
}

create() {
  update
  within 60 uncordon || uncordon || die "node $node_name cannot be uncordoned: run the same command again"
}

"$1" </dev/null
