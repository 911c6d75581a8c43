# shellcheck shell=bash disable=SC2154
# Queries and changes of the Kubernetes API, by kubectl on a control-plane node.

# is_ready NODE
is_ready() {
  [ "$(kubectl get node "$1" -o 'jsonpath={.status.conditions[?(@.type=="Ready")].status}')" = True ]
}

# read_status NODE: sets `found` to its name and readiness; empty if the Node does not exist
read_status() {
  found=$(kubectl get node "$1" --ignore-not-found --request-timeout=10s \
    -o 'jsonpath={.metadata.name} {.status.conditions[?(@.type=="Ready")].status}')
}

# kubelet_answers NODE: the kubelet reports itself healthy; several attempts, because a running one may miss a request
kubelet_answers() {
  local try
  for try in 1 2 3; do
    ! kubectl get --raw "/api/v1/nodes/$1/proxy/healthz" --request-timeout=10s >/dev/null || return 0
    say "the kubelet of $1 does not answer, $try of 3"
  done
  return 1
}

# read_lease NODE: sets `lease` to the time of the kubelet's last renewal, and the seconds after which a node without
# renewal is not Ready; empty if there is none
read_lease() {
  lease=$(kubectl -n kube-node-lease get lease "$1" --ignore-not-found --request-timeout=10s \
    -o 'jsonpath={.spec.renewTime} {.spec.leaseDurationSeconds}')
}

# renews_lease NODE: waits for a renewal; a running kubelet renews four times in this time
renews_lease() {
  local lease first seconds start=$SECONDS
  within 120 read_lease "$1" || die "the lease of $1 cannot be read: the Kubernetes API does not answer"
  first=$lease
  seconds=${lease##* }
  say "waiting up to ${seconds:-0} s for the kubelet of $1 to renew its lease"
  while ((SECONDS - start <= ${seconds:-0})); do
    ! read_lease "$1" || [ "$lease" = "$first" ] || return 0
    sleep 0.5
  done
  return 1
}

# is_gone NODE: two conditions must hold. Its kubelet does not answer, and its Node is not Ready or its lease is not renewed:
# the Node of a dead server stays Ready for most of a minute. A kubelet with a rejected certificate or a closed port does
# not answer either, but its pods run
is_gone() {
  local found
  ! kubelet_answers "$1" || return 1
  within 120 read_status "$1" || die "whether node $1 is Ready cannot be read: the Kubernetes API does not answer"
  [ "$found" = "$1 True" ] || return 0
  ! renews_lease "$1"
}

# will_be_ready NODE: waits some time. Repeated queries by kubectl would slow down the control-plane node during joins
will_be_ready() { kubectl wait --for=condition=Ready "node/$1" --timeout=20s; }

not_ready() {
  kubectl describe node "$node_name" >&2 || true
  die "node $node_name is not Ready after 300 s"
}

# the API answers at $api_endpoint, which the masters share; anonymous, because this node does not know the CA yet: with
# no login at all kubectl prompts for one. The API knows no passwords, and takes this one for none
runs_elsewhere() {
  KUBECONFIG=/dev/null kubectl --server "https://$api_endpoint" --insecure-skip-tls-verify --username=anonymous \
    --password=none --request-timeout=10s get --raw /readyz >/dev/null 2>&1
}

# evicts the pods of the Node, as far as PodDisruptionBudgets allow
drain_node() {
  kubectl drain "$node_name" --ignore-daemonsets --delete-emptydir-data="$delete_emptydir_data" \
    --timeout="${drain_seconds}s" >&2 ||
    die "node $node_name cannot be drained in $drain_seconds s: the lines above name the pods and their budgets. \
It stays cordoned and in the cluster; run the same command again once the pods may move, or, if the node is broken, \
once its server is stopped: a node without a server is not drained"
}

# applies the manifests on standard input
apply() {
  kubectl apply --server-side --force-conflicts -f - >&2
}
