# shellcheck shell=bash disable=SC2154
# ensure: the Node has the labels of where its server is; that of a sole master is there and Ready, as kubeadm made it.
#         Runs on a master that is alive
# check: whether it has, and is
#
# node_name       name of the Node
# node_zone       Nova's availability zone of its server, as a label's value; empty where the cloud names none
# kubeadm_config  of a sole master, as for init-master.sh; else empty: a Node that is missing is another check's finding

. ./functions/kubeadm.sh
. ./functions/kubectl.sh

zone_label="topology.kubernetes.io/zone"
role_label="node-role.kubernetes.io/control-plane"

is_there() { kubectl get node "$node_name" --request-timeout=20s; }

has_role() {
  [ -n "$(kubectl get nodes -l "$role_label" --field-selector "metadata.name=$node_name" -o name)" ]
}

# what somebody removed: the kubelet makes a Node at its start alone, and kubeadm's label and taint are not on it
mark() {
  is_there >/dev/null 2>&1 || systemctl restart kubelet
  within 120 is_there || die "there is no Node $node_name: see the kubelet's journal there"
  fill_in "$(kubeadm version -o short)" <<<"$kubeadm_config" |
    kubeadm init phase mark-control-plane --config /dev/stdin >&2
}

be_sole_master() {
  # others need the node while this waits for its network
  (
    exclusively
    systemctl start kubelet
    has_role || mark
  )
  within 300 will_be_ready "$node_name" || not_ready
}

# what others have set stays where the cloud names no zone
create() {
  [ -z "$kubeadm_config" ] || be_sole_master
  [ -n "$node_zone" ] || return 0
  within 300 is_there || die "there is no Node $node_name to give a zone: see the kubelet's journal on its server"
  kubectl label --overwrite node "$node_name" "$zone_label=$node_zone" >&2
}

check_sole_master() {
  is_ready "$node_name" || echo "Node $node_name is not Ready"
  has_role || echo "Node $node_name has no label $role_label"
}

check() {
  local found
  found=$(kubectl get node "$node_name" --ignore-not-found \
    -o 'jsonpath={.metadata.name} {.metadata.labels.topology\.kubernetes\.io/zone}')
  if [ -z "$found" ]; then
    [ -z "$kubeadm_config" ] || echo "Node $node_name is missing"
    return
  fi
  [ -z "$kubeadm_config" ] || check_sole_master
  [ -z "$node_zone" ] || [ "$found" = "$node_name $node_zone" ] ||
    echo "Node $node_name has the zone '${found#* }', and its server has $node_zone"
}

"$1" </dev/null
