# shellcheck shell=bash disable=SC2154
# The Node of a master whose etcd knows it from another server.

# what etcd knows of this Node is from the server before until the kubelet has reported
has_reported() { # SINCE
  local status reported
  read -r status reported < <(kubectl get node "$node_name" -o \
    'jsonpath={range .status.conditions[?(@.type=="Ready")]}{.status} {.lastHeartbeatTime}{"\n"}{end}')
  [ "$status" = True ] && [[ ! $reported < $1 ]]
}

# a Node keeps the provider id that it was made with, and a cloud controller manager removes one whose server is gone: so
# the same Node is made again, with that of this server. Where there is none the kubelet makes it, at its start
renew_node() {
  local node
  node=$(kubectl get node "$node_name" --ignore-not-found --request-timeout=20s -o json) || return
  [[ $node != *"\"$provider_id\""* ]] || return 0
  [ -z "$node" ] || printf '%s\n' "$node" | sed "s|\"providerID\": \"[^\"]*\"|\"providerID\": \"$provider_id\"|" |
    kubectl replace --force --request-timeout=60s -f - || return
  systemctl restart kubelet
}

# the Node of before is that of this server, and takes pods
take_node() {
  [ -z "$provider_id" ] || within 120 renew_node ||
    die "the Node $node_name has the provider id of the previous server, and cannot be re-created: run the same command again"
  # if somebody has removed the Node, the kubelet creates it
  within 120 kubectl uncordon "$node_name" || die "there is no Node $node_name: see the kubelet's journal there"
}
