# shellcheck shell=bash disable=SC2154
# print: a bootstrap token with which one node may join within a day
#
# node_name  the node it is for
#
# A day is how long a cut-off run may be continued; wait-for-node.sh revokes the token once the node is in.

create() {
  kubeadm token create --ttl 24h --description "vnfm: $node_name"
}

"$1" </dev/null
