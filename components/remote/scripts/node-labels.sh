# shellcheck shell=bash disable=SC2154
# ensure: the Node has the labels of where its server is; runs on a master that is alive
# check: whether it has
#
# node_name  name of the Node
# node_zone  Nova's availability zone of its server, as a label's value; empty where the cloud names none

zone_label=topology.kubernetes.io/zone

is_there() { kubectl get node "$node_name" --request-timeout=20s; }

# what others have set stays where the cloud names no zone
create() {
  [ -n "$node_zone" ] || return 0
  within 300 is_there || die "there is no Node $node_name to give a zone: see the kubelet's journal on its server"
  kubectl label --overwrite node "$node_name" "$zone_label=$node_zone" >&2
}

# a Node that is missing is another check's finding
check() {
  local found
  [ -n "$node_zone" ] || return 0
  found=$(kubectl get node "$node_name" --ignore-not-found \
    -o 'jsonpath={.metadata.name} {.metadata.labels.topology\.kubernetes\.io/zone}')
  case $found in
    '' | "$node_name $node_zone") ;;
    *) echo "Node $node_name has the zone '${found#* }', and its server has $node_zone" ;;
  esac
}

"$1" </dev/null
