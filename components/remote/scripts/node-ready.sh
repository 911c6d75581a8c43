# shellcheck shell=bash disable=SC2154
# create: wait until the Node is Ready, then revoke its bootstrap token; runs on a master that is alive
#
# node_name   name of the Node
# join_token  the bootstrap token it joined with; empty for the master that began the cluster

create() {
  within 300 is_ready "$node_name" || not_ready
  # gone already where a cut-off run is continued
  [ -z "$join_token" ] || kubeadm token delete "${join_token%%.*}" >&2 || true
}

"$1" </dev/null
