# shellcheck shell=bash disable=SC2154
# check: the Node is Ready; a control-plane node is a healthy member of etcd
# vote: prints a control-plane node's state in etcd, as JSON: `well`, `dead` if it does not answer, `none` without a vote
# drain: if the node may leave the cluster, evict its pods
# delete: remove the node from the cluster: a worker is drained; a control-plane node, which was drained and has handed over
#         its services, leaves etcd; the Node object is deleted. `drain` and `delete` run on a living control-plane node,
#         another one if there is any; the node itself may be dead
#
# node_name     name of the Node
# node_address  address of the node in the cluster
# node_role     master or worker
# drain_seconds, delete_emptydir_data (true or false)

. ./functions/etcd.sh
. ./functions/kubectl.sh

rejoin_seconds=600
url_host=$(in_url "$node_address")

check() {
  local found standing
  # if a control-plane node is lost, the API moves to another one; the last attempt prints the error
  within 30 read_status "$node_name" || read_status "$node_name"
  case $found in
    "$node_name True") ;;
    '') echo "Node $node_name is missing" ;;
    *) echo "Node $node_name is not Ready" ;;
  esac
  [ "$node_role" = master ] || return 0
  standing=$(ask_etcd)
  case $standing in
    none) echo "$node_name is not a member of etcd that has a vote" ;;
    dead) echo "etcd of $node_name does not answer" ;;
  esac
}

vote() {
  local standing
  standing=$(ask_etcd)
  printf '{"vote": "%s"}\n' "$standing"
}

# the Node of a dead server stays Ready for most of a minute, and only etcd may be down
ask_etcd() {
  local all health=
  within 30 read_members || unknown_members
  if ! has_vote; then
    echo none
  elif within 30 read_health && { is_healthy || { sleep 1 && read_health && is_healthy; }; }; then
    echo well
  elif [[ $health = *"https://$url_host:2379 is unhealthy"* ]]; then
    echo dead
  else
    die "whether etcd of $node_name answers is not known: the query failed"
  fi
}

has_vote() {
  awk -F', ' -v name="$node_name" '$3 == name && $2 == "started" && $6 == "false" { found = 1 } END { exit !found }' \
    <<<"$all"
}

# sets `health` to a line for each member; an unhealthy member's ends with the error
read_health() {
  health=$(etcdctl_somewhere endpoint health --cluster 2>&1) || true
  [[ $health = *"https://$url_host:2379 is "* ]]
}

is_healthy() { [[ $health = *"https://$url_host:2379 is healthy"* ]]; }

# sets `node`; empty if the Node does not exist
find_node() { node=$(kubectl get node "$node_name" --ignore-not-found -o name); }

# before waiting for other control-plane nodes: if the node stays after all, it is uncordoned, which leaves_still detects
cordon() {
  within 120 kubectl cordon "$node_name" || die "node $node_name cannot be cordoned: the Kubernetes API does not answer"
}

drain_unless_gone() {
  leaves_still
  is_gone "$node_name" || drain_node
}

# without the members, nothing can be decided
unknown_members() {
  die "the members of etcd are not known, of which $node_name is one: none answers, by its container on this control-plane \
node or by kubectl, through that node's kubelet. See 'crictl ps -a' on the control-plane nodes. Only if most of them are \
lost for ever, re-create the cluster"
}

# sets `all`; if a control-plane node is lost, the API moves to another one
know_members() { within 120 read_members || unknown_members; }

# sets `voters`, and `well` to the number of healthy ones, without this node
count_members() {
  local all
  read_members || return
  voters=$(awk -F', ' '$6 == "false"' <<<"$all" | wc -l)
  # it fails because of members that do not answer
  well=$(etcdctl_somewhere endpoint health --cluster 2>&1 | grep ' is healthy' |
    grep -cvF "https://$url_host:2379 " || true)
}

# The other healthy voters are a majority of etcd's present voters. This is decided here, because only the node knows the
# voters. components/kube/cluster/quorum.ts explains why a majority, and why one of two may leave nevertheless
others_are_a_majority() {
  local voters well
  count_members && ((well >= voters / 2 + 1))
}

other_of_two_is_well() {
  local voters well
  count_members && ((voters == 2 && well == 1))
}

# prints the name of the Node that is declared as the only control-plane node, if there is one
only_node() {
  kubectl get nodes -l node-role.kubernetes.io/control-plane,vnfm.io/only-control-plane-node --request-timeout=20s \
    -o 'jsonpath={.items[*].metadata.name}'
}

# the others are a majority; or the other of two is well, and is declared as the only one, so that no third is going to join
others_suffice() { others_are_a_majority || { other_of_two_is_well && [ -n "$(only_node)" ]; }; }

# waits, because another control-plane node may be returning; after an interrupted run it may return only after this one
may_leave() {
  local all
  know_members
  [ -z "$(ids_among "$all")" ] || within "$rejoin_seconds" others_suffice || other_of_two_is_well ||
    die "$node_name cannot leave etcd: the members that are well without it are no majority. Heal the others first, \
one at a time: $(etcdctl_somewhere endpoint health --cluster 2>&1 | tr '\n' ';')"
}

# sets `cordon` to its name, and true if it is cordoned; empty if the Node does not exist
read_cordon() {
  cordon=$(kubectl get node "$node_name" --ignore-not-found --request-timeout=20s \
    -o 'jsonpath={.metadata.name} {.spec.unschedulable}')
}

# this script may belong to an interrupted run, and the node may stay after all since then
leaves_still() {
  local cordon
  within 120 read_cordon || die "whether $node_name is to leave still cannot be read: the Kubernetes API does not answer"
  [ "$cordon" != "$node_name " ] ||
    die "node $node_name takes pods again: it was taken back, or uncordoned, while it was leaving. If it is to leave, run \
the same command again"
}

# sets `heir` to the id of another healthy voter, from `all` and `health`; empty if there is none
find_heir() {
  heir=$(awk -F', ' -v name="$node_name" -v health="${health//$'\n'/ }" \
    '$3 != name && $2 == "started" && $6 == "false" && index(health, $5 " is healthy") { print $1; exit }' <<<"$all")
}

# succeeds if the member is the leader. The columns of its line depend on etcd's version: the first boolean is the leader's
leads() {
  local status
  status=$(etcdctl_on "$node_name" 15 endpoint status -w simple) || return
  [ "$(tr ',' '\n' <<<"$status" | awk '$1 == "true" || $1 == "false" { print $1; exit }')" = true ]
}

# without this, an election would block all writes for more than a second
pass_leadership() {
  local all health heir
  if read_members && read_health && is_healthy && leads; then
    find_heir
    etcdctl_on "$node_name" 15 move-leader "$heir" >&2 ||
      say "$node_name is the leader of etcd, and cannot transfer that: the others elect a leader"
  fi
}

leave_etcd() {
  # one control-plane node at a time, so that the next one does not count this one
  exec 8>/run/vnfm-etcd.lock
  flock -w 1200 8 || die "another control-plane node has been leaving etcd for 20 minutes; see which process holds /run/vnfm-etcd.lock"
  may_leave
  leaves_still
  pass_leadership
  within 120 is_out_of_etcd || die "$node_name cannot be removed from etcd: run the same command again"
}

# the control plane of a single control-plane node may be moving to another server: see control-plane-copy.sh
api_is_here_to_stay() {
  exec 7>/run/vnfm-drain.lock
  flock -s -w 1200 7 || die "the control plane has been locked for 20 minutes; see which process holds /run/vnfm-drain.lock"
  within 120 kubectl get --raw /readyz ||
    die "the Kubernetes API does not answer, so $node_name cannot be drained: run again once the control-plane node is back"
}

drain() {
  # shellcheck disable=SC2034 # for etcdctl_somewhere
  local leaving=$node_name
  local node all
  case $node_role in
    worker) api_is_here_to_stay ;;
    master)
      [ "$(only_node)" != "$node_name" ] ||
        die "$node_name is the only control-plane node: add others first, by the scale level of their aspect"
      know_members
      ;;
  esac
  within 120 find_node || die "whether there is a Node $node_name cannot be read, so it cannot be drained"
  [ -z "$node" ] || cordon
  # before any pod is evicted
  [ "$node_role" = worker ] || may_leave
  [ -z "$node" ] || drain_unless_gone
}

delete() {
  # shellcheck disable=SC2034 # for etcdctl_somewhere
  local leaving=$node_name
  case $node_role in
    worker)
      drain
      leaves_still
      ;;
    master) leave_etcd ;;
  esac
  # the API may be moving to another control-plane node
  within 120 kubectl delete node "$node_name" --ignore-not-found || die "the Node object $node_name cannot be deleted"
}

"$1" </dev/null
