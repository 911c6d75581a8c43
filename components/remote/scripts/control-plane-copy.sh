# shellcheck shell=bash disable=SC2154
# The control plane of a sole master outlives its server: a copy of etcd and of /etc/kubernetes waits on a worker while
# the server is replaced; of a server that was lost, the last snapshot does, once somebody agreed to what it misses. The
# new server makes it one of kubernetes_version, where that is newer.
#
# create: a new server gets the control plane from the copy, and the copy is removed
# delete: the copy is made, and its time printed. etcd rests from then on, so nothing that was acknowledged is missing in
#         the copy, and the others see the same etcd go on
# begun: prints whether this server has a control plane, as JSON
#
# node_name                                 name of this Node
# kubernetes_version                        v1.34.4; empty where the version is that of the copy
# minors_at_a_time                          how many minor versions a master goes up at a time
# not_before                                time of the last copy, as far as it is known: an older one is refused, which
#                                           the worker may have kept; empty where it is not known
# kubeadm_config, access_manifest           as for init-master.sh
# provider_id                               as for init-master.sh
# drain_seconds, delete_emptydir_data       as for membership.sh
# and those of control-plane-archive.sh

. ./control-plane-archive.sh
. ./control-plane-etcd.sh
. ./functions/kubeadm.sh
. ./functions/kubectl.sh
. ./functions/renew-node.sh

api_answers() { kubectl get --raw /readyz --request-timeout=10s >/dev/null 2>&1; }

rest() {
  # it starts etcd again, and stops none where the API does not answer
  systemctl stop kubelet
  [ ! -e "$manifest" ] || mv "$manifest" "$parked"
  local process
  for process in /proc/[0-9]*; do
    [ "$(cat "$process/comm" 2>/dev/null)" != etcd ] || kill "${process#/proc/}" || true
  done
  # etcd has a lock on it while it runs
  exec 6<"$(etcd_data)/member/snap/db"
  flock -w 120 6 || die "etcd does not stop on SIGTERM: see 'crictl ps' there"
}

go_on() {
  exec 6<&-
  cp "$parked" "$parked.new"
  mv "$parked.new" "$manifest"
  # also ends its waiting for what failed before
  systemctl restart kubelet
}

# where no copy can be made
stay() {
  go_on
  rm "$parked"
  within 120 api_answers || return 0
  kubectl uncordon "$node_name" >&2
}

restore() {
  local status=0 away="$store_node does not answer at $store_address, and the control plane is there: bring it back, then \
run again"
  [ -n "$not_before" ] || within 120 store_answers || die "$away"
  find_archive || status=$?
  case $status in
    0) ;;
    1) die "this server is new, and $store_node has no copy of the control plane: the server before went without one. \
'vnfm heal' takes its last snapshot, where there is one; else heal the whole cluster" ;;
    *) die "$away" ;;
  esac
  systemctl stop kubelet
  store get | unpack "$not_before" /
  # the kubelet's flags are those of the server before
  [ -z "$provider_id" ] || sed -i "s|--provider-id=[^ \"]*|--provider-id=$provider_id|" /var/lib/kubelet/kubeadm-flags.env
  # a snapshot is of etcd where it went on
  [ ! -e "$manifest" ] || mv "$manifest" "$parked"
  fit_version
  [ ! -e "$snapshot" ] || restore_etcd
  sync
  mv "$complete.new" "$complete"
}

# the master goes up by kubeadm of the new version; a kubelet may be older than its API server, never newer
fit_version() {
  local kubelet kubeadm present wanted way_out="set a new trigger value for this node under heal. The copy stays"
  kubelet=$(kubelet --version | awk '{ print $2 }')
  kubeadm=$(kubeadm version -o short)
  present=$(present_version)
  [ -n "$present" ] || die "the copy's kube-apiserver has an image without a version: $way_out"
  wanted=$(printf '%s\n' "$present" "$kubernetes_version" | sort -V | tail -n 1)
  (($(minors_after "$wanted" "$present") <= minors_at_a_time)) || die "kubernetes_version is $wanted, and the cluster is of \
$present: a control-plane node is upgraded by one minor version at a time. Set kubernetes_version and an image of \
v1.$(($(minor "$present") + minors_at_a_time)), and $way_out"
  (($(minors_after "$kubelet" "$wanted") <= 0)) || die "the image has kubelet $kubelet, and the cluster is of $wanted: \
use an image of v1.$(minor "$wanted"), or set kubernetes_version to the image's, and $way_out"
  [ "$wanted" != "$present" ] || return 0
  [ "$(minor "$kubeadm")" = "$(minor "$wanted")" ] || die "the image has kubeadm $kubeadm, and kubernetes_version is \
$wanted: kubeadm creates control planes of its own minor version. Use an image of v1.$(minor "$wanted"), and $way_out"
  go_up "$wanted"
}

# the static Pods and the kubelet's files, as kubeadm makes them in a cluster that begins
go_up() { # VERSION
  say "the control plane is upgraded to $1"
  fill_in "$1" <"$complete.new" >"$config"
  kubeadm init phase control-plane all --config "$config" >&2
  kubeadm init phase etcd local --config "$config" >&2
  # as kubeadm's own upgrade does: they are of one year
  kubeadm certs renew all --config "$config" >&2
  # etcd rests until all of this is done
  mv "$manifest" "$parked"
  kubeadm init phase kubelet-start --config "$config" >&2
}

begun() {
  local begun=false
  [ ! -e "$complete" ] || begun=true
  printf '{"begun": %s}\n' "$begun"
}

create() {
  # the cluster has begun here, or everything is back already
  [ ! -e "$complete" ] || [ -e "$parked" ] || return 0
  unlock
  [ -e "$complete" ] || restore
  local since
  since=$(date -u +%Y-%m-%dT%H:%M:%SZ)
  go_on
  # images may have to be pulled
  within 600 api_answers || die "the Kubernetes API does not answer: see 'crictl ps -a' and the kubelet's journal there"
  within 120 forget_former_store || die "the Node $store_node cannot be deleted: run the same command again"
  take_node
  printf '%s\n' "$access_manifest" | apply
  within 300 has_reported "$since" || die "node $node_name is not Ready after 300 s: see 'kubectl describe node $node_name'"
  # one that is down keeps what nobody can read, until the next copy
  store drop || true
  unchanged
  rm "$parked"
}

delete() {
  # a server without the control plane: it is lost, or its copy waits for the next one
  [ -e "$complete" ] || return 0
  [ -e "$manifest" ] || [ -e "$parked" ] || die "etcd does not run on this node: the single control-plane node cannot be replaced"
  unlock
  store drop || die "$store_node does not answer at $store_address. It keeps the control plane while this server \
is replaced: heal it first. Nothing is changed"
  # a node that is leaving is drained through this master
  exec 7>/run/vnfm-drain.lock
  flock -w 900 7 || die "a node has been draining for 15 minutes; see which process holds /run/vnfm-drain.lock"
  if api_answers; then
    [ -n "$(kubectl get node "$store_node" --ignore-not-found -o name)" ] ||
      die "$store_node is leaving the cluster, and it is to have the control plane while this server is replaced: run \
the same command again"
    # so that the cluster's DNS goes on, where it is on the master
    [ -z "$(kubectl get node "$node_name" --ignore-not-found -o name)" ] || drain_node
  fi
  trap 'forget; stay' EXIT
  rest
  local time
  time=$(now)
  leave copy "$time" "$(etcd_data)"
  trap forget EXIT
  printf '%s\n' "$time"
}

exclusively
"$1" </dev/null
