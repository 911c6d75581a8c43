# shellcheck shell=bash disable=SC2154
# Queries and changes of etcd's members, from a control-plane node.

# in_url ADDRESS: prints the address in the form of a URL
in_url() {
  case $1 in *:*) printf '[%s]\n' "$1" ;; *) printf '%s\n' "$1" ;; esac
}

# runs etcdctl on a control-plane node with a healthy etcd, except $leaving; tries this node first, because a dead one times
# out slowly
etcdctl_somewhere() {
  local masters master
  masters=$(kubectl get nodes -l node-role.kubernetes.io/control-plane -o name --request-timeout=20s)
  for master in "$(hostname)" ${masters//node\//}; do
    [ "$master" != "${leaving:-}" ] || continue
    if etcdctl_on "$master" 15 endpoint health >/dev/null 2>&1; then
      etcdctl_on "$master" 60 "$@"
      return
    fi
  done
  say "no other control-plane node has a healthy etcd"
  return 1
}

# prints the id of the running etcd container on this node; empty if there is none, or if ctr does not know
etcd_here() {
  local running id
  running=$(ctr -n k8s.io tasks ls 2>/dev/null) || return 0
  for id in $(ctr -n k8s.io containers ls -q \
    "labels.\"io.kubernetes.pod.name\"==etcd-$(hostname),labels.\"io.kubernetes.container.name\"==etcd" 2>/dev/null); do
    ! grep -q "^$id .*RUNNING" <<<"$running" || printf '%s\n' "$id"
  done
}

# address_of NODE
address_of() {
  kubectl get node "$1" --request-timeout=20s -o 'jsonpath={.status.addresses[?(@.type=="InternalIP")].address}' |
    cut -d ' ' -f 1
}

# etcdctl_on MASTER SECONDS ARGUMENTS...: queries the etcd of a control-plane node, from the etcd container on this node:
# kubectl would need that node's kubelet, which may fail while everything else works
etcdctl_on() {
  local master=$1 limit=$2 pki=/etc/kubernetes/pki/etcd container address=127.0.0.1 run
  shift 2
  container=$(etcd_here)
  if [ -n "$container" ]; then
    [ "$master" = "$(hostname)" ] || address=$(address_of "$master") || return
    run=(ctr -n k8s.io tasks exec --exec-id "vnfm-$BASHPID-$RANDOM" "$container")
  else
    run=(kubectl -n kube-system exec -c etcd "etcd-$master" --)
  fi
  timeout -k 5 "$limit" "${run[@]}" etcdctl --endpoints "https://$(in_url "$address"):2379" \
    --cacert "$pki/ca.crt" --cert "$pki/server.crt" --key "$pki/server.key" "$@"
}

# sets `all` to the members, as lines of "id, status, name, peer URL, client URL, is learner"
read_members() { all=$(etcdctl_somewhere member list -w simple); }

# prints ids of $node_name among these members: by its name, or by $node_address if the member has not started
ids_among() {
  awk -F', ' -v name="$node_name" -v url="https://$(in_url "$node_address"):2380" \
    '$3 == name || $4 == url { print $1 }' <<<"$1"
}

# succeeds if the node is not a member of etcd
is_out_of_etcd() {
  local all id
  read_members || return
  for id in $(ids_among "$all"); do
    etcdctl_somewhere member remove "$id" || return
  done
}
