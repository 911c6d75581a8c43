# shellcheck shell=bash disable=SC2154
# create: wait until the Node is Ready, then revoke its bootstrap token
# delete: move the node's pods away and remove the Node object; runs on a master, the node itself may be dead
#
# node_name   name of the Node
# join_token  the bootstrap token it joined with

drain_seconds=300

is_ready() {
  [ "$(kubectl get node "$node_name" -o 'jsonpath={.status.conditions[?(@.type=="Ready")].status}')" = True ]
}

create() {
  if ! within 300 is_ready; then
    kubectl describe node "$node_name" >&2 || true
    die "node $node_name is not Ready after 300 s"
  fi
  # gone already where a cut-off run is continued
  kubeadm token delete "${join_token%%.*}" >&2 || true
}

delete() {
  kubectl get node "$node_name" >/dev/null 2>&1 || return 0
  kubectl cordon "$node_name" >&2
  if is_ready; then
    kubectl drain "$node_name" --ignore-daemonsets --delete-emptydir-data --timeout="${drain_seconds}s" >&2 ||
      die "node $node_name cannot be drained in $drain_seconds s: the lines above name the pods and their budgets"
  fi
  kubectl delete node "$node_name" >&2
}

"$1" </dev/null
