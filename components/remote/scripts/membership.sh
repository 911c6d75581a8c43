# shellcheck shell=bash disable=SC2154
# check: whether the Node is Ready, and a master in etcd and answers there
# vote: prints what etcd has of a master, as JSON: `well`, or `dead` if it does not answer, or `none` if it has no vote
# drain: the pods of a node that may leave move away
# delete: the node leaves: a worker's pods move, as by `drain`; a master, which was drained and has handed over what it
#         serves, goes from etcd; the Node object is removed. Both run on a master that is alive, which is another one if
#         any is; the node itself may be dead
#
# node_name     name of the Node
# node_address  its address in the cluster
# node_role     master or worker
# drain_seconds, delete_emptydir_data (true or false)

. ./functions/etcd.sh
. ./functions/kubectl.sh

rejoin_seconds=600
url_host=$(in_url "$node_address")

check() {
  local found standing
  # with a master that is lost the API moves to another one; the last try says what is wrong
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

# the Node of a master that died is called Ready for most of a minute; also etcd alone may be down
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

# sets `health`: a line of each member, which ends with a failure where one is not well
read_health() {
  health=$(etcdctl_somewhere endpoint health --cluster 2>&1) || true
  [[ $health = *"https://$url_host:2379 is "* ]]
}

is_healthy() { [[ $health = *"https://$url_host:2379 is healthy"* ]]; }

# sets `node`: empty where there is no such Node
find_node() { node=$(kubectl get node "$node_name" --ignore-not-found -o name); }

# before other masters are waited for: who takes the node back uncordons it, and leaves_still sees that
cordon() {
  within 120 kubectl cordon "$node_name" || die "node $node_name cannot be cordoned: the Kubernetes API does not answer"
}

drain_unless_gone() {
  leaves_still
  is_gone "$node_name" || drain_node
}

# nothing is decided without them
unknown_members() {
  die "the members of etcd are not known, of which $node_name is one: none answers, by its container on this control-plane \
node or by kubectl, through that node's kubelet. See 'crictl ps -a' on the control-plane nodes. Only if most of them are \
lost for ever, re-create the cluster"
}

# sets `all`; with a master that is lost the API moves to another one
know_members() { within 120 read_members || unknown_members; }

# sets `voters`, and `well`: how many of them, without this node, are healthy
count_members() {
  local all
  read_members || return
  voters=$(awk -F', ' '$6 == "false"' <<<"$all" | wc -l)
  # the members that do not answer make it fail
  well=$(etcdctl_somewhere endpoint health --cluster 2>&1 | grep ' is healthy' |
    grep -cvF "https://$url_host:2379 " || true)
}

# The others alone are a majority of what etcd has now. How many that is cannot be data of the step: the voters are known
# only here. components/kube/cluster/quorum.ts says why a majority, and why one of two may leave all the same
others_are_a_majority() {
  local voters well
  count_members && ((well >= voters / 2 + 1))
}

other_of_two_is_well() {
  local voters well
  count_members && ((voters == 2 && well == 1))
}

# another master may be on its way back; or a cut-off run has left it where it comes back after this one
may_leave() {
  local all
  know_members
  [ -z "$(ids_among "$all")" ] || within "$rejoin_seconds" others_are_a_majority || other_of_two_is_well ||
    die "$node_name cannot leave etcd: the members that are well without it are no majority. Heal the others first, \
one at a time: $(etcdctl_somewhere endpoint health --cluster 2>&1 | tr '\n' ';')"
}

# sets `cordon`: its name, and true where it is cordoned; empty where there is no such Node
read_cordon() {
  cordon=$(kubectl get node "$node_name" --ignore-not-found --request-timeout=20s \
    -o 'jsonpath={.metadata.name} {.spec.unschedulable}')
}

# a run that was cut off may still be at work here, and its node be taken back since
leaves_still() {
  local cordon
  within 120 read_cordon || die "whether $node_name is to leave still cannot be read: the Kubernetes API does not answer"
  [ "$cordon" != "$node_name " ] ||
    die "node $node_name takes pods again: it was taken back, or uncordoned, while it was leaving. If it is to leave, run \
the same command again"
}

# sets `heir`: the id of another member that is well and has a vote, of `all` and `health`; empty for none
find_heir() {
  heir=$(awk -F', ' -v name="$node_name" -v health="${health//$'\n'/ }" \
    '$3 != name && $2 == "started" && $6 == "false" && index(health, $5 " is healthy") { print $1; exit }' <<<"$all")
}

# of the line of its member, whose columns are others with each minor version of etcd: the first that is true or false
leads() {
  local status
  status=$(etcdctl_on "$node_name" 15 endpoint status -w simple) || return
  [ "$(tr ',' '\n' <<<"$status" | awk '$1 == "true" || $1 == "false" { print $1; exit }')" = true ]
}

# an election among the others would hold all writes for more than a second
pass_leadership() {
  local all health heir
  if read_members && read_health && is_healthy && leads; then
    find_heir
    etcdctl_on "$node_name" 15 move-leader "$heir" >&2 ||
      say "$node_name is the leader of etcd, and cannot transfer that: the others elect a leader"
  fi
}

leave_etcd() {
  # one master at a time: who leaves next counts this one out
  exec 8>/run/vnfm-etcd.lock
  flock -w 1200 8 || die "another control-plane node has been leaving etcd for 20 minutes; see which process holds /run/vnfm-etcd.lock"
  may_leave
  leaves_still
  pass_leadership
  within 120 is_out_of_etcd || die "$node_name cannot be removed from etcd: run the same command again"
}

# a sole master may be on its way to another server: see control-plane-copy.sh
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
    master) know_members ;;
  esac
  within 120 find_node || die "whether there is a Node $node_name cannot be read, so it cannot be drained"
  [ -z "$node" ] || cordon
  # before anything is moved
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
  # the API may be moving to another master
  within 120 kubectl delete node "$node_name" --ignore-not-found || die "the Node object $node_name cannot be deleted"
}

"$1" </dev/null
