# shellcheck shell=bash disable=SC2154
# ensure: the Node has the pod CIDR of its route. Runs on a living control-plane node
# check: it has
#
# node_name  name of the Node
# pod_cidr   the pod CIDR

given() { kubectl get node "$node_name" --request-timeout=20s -o 'jsonpath={.spec.podCIDR}'; }

# Kubernetes lets it be set only once
give() {
  local found
  found=$(given)
  [ -z "$found" ] || return 0
  kubectl patch node "$node_name" --request-timeout=20s --type=merge \
    -p "{\"spec\":{\"podCIDR\":\"$pod_cidr\",\"podCIDRs\":[\"$pod_cidr\"]}}" >&2
}

create() {
  local found
  within 300 give || die "Node $node_name cannot be given the block $pod_cidr for its pods: see the kubelet's journal on \
its server"
  found=$(given)
  [ "$found" = "$pod_cidr" ] ||
    die "Node $node_name has the pod CIDR $found, but its route is for $pod_cidr: heal that node"
}

check() {
  local found
  found=$(kubectl get node "$node_name" --ignore-not-found -o 'jsonpath={.metadata.name} {.spec.podCIDR}')
  # another check reports a missing Node
  [ -z "$found" ] || [ "$found" = "$node_name $pod_cidr" ] ||
    echo "Node $node_name has the pod CIDR '${found#* }', but its route is for $pod_cidr"
}

"$1" </dev/null
