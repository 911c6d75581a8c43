# shellcheck shell=bash disable=SC2154
# create: wait until the Node is Ready, then revoke its bootstrap token; runs on a master that is alive
#
# node_name   name of the Node
# join_token  the bootstrap token it joined with; empty for the master that began the cluster

revoke() {
  kubectl -n kube-system delete secret "bootstrap-token-${join_token%%.*}" --ignore-not-found --request-timeout=20s >&2
}

create() {
  within 300 is_ready "$node_name" || not_ready
  # gone already where a cut-off run is continued
  [ -z "$join_token" ] || within 60 revoke || revoke ||
    die "the bootstrap token of $node_name cannot be revoked: run the same command again, or it ends a day after it was made"
}

"$1" </dev/null
