# shellcheck shell=bash disable=SC2154
# The first of several masters, on a new server, begins the cluster again from a snapshot of etcd, where all masters are
# lost and somebody has agreed to what it misses.
#
# create: a new server gets the control plane from the chosen snapshot; nothing, if the cluster has begun here, or if the
#         API answers elsewhere, for this master to join
#
# node_name     name of this Node
# api_endpoint  address:port of the API, which the masters share
# not_before    time of the snapshot that was agreed to, as far as it is known: an older one is refused
# provider_id   as for init-master.sh
# and those of control-plane-archive.sh

. ./control-plane-archive.sh
. ./control-plane-etcd.sh
. ./functions/kubeadm.sh
. ./functions/kubectl.sh
. ./functions/kubelet-words.sh
. ./functions/renew-node.sh

# the archive, of which only the CAs, the keys and etcd's data are used: the rest belongs to the node that has packed it
unpacked=$work/archive
# there while the cluster begins here again: a run that was cut off is done again
restoring=/var/lib/vnfm-restoring

join_others() {
  within 120 runs_elsewhere || die "this server is new, and the Kubernetes API does not answer at $api_endpoint, so it \
cannot join: heal the other masters. If all are lost, 'vnfm restore' begins the cluster again from a snapshot of etcd"
}

# sets `version`: that of the snapshot
read_version() {
  local kubeadm
  kubeadm=$(kubeadm version -o short)
  version=$(cut -d' ' -f4 "$work/header")
  [ "$version" != - ] || version=$kubeadm
  [ "$(minor "$kubeadm")" = "$(minor "$version")" ] || die "the image has kubeadm $kubeadm, and the snapshot of etcd is of \
a cluster of $version: use an image of v1.$(minor "$version"), and set a new trigger value for this node under heal. The \
snapshot stays"
}

take_keys() {
  local from=$unpacked/etc/kubernetes to=/etc/kubernetes file
  mkdir -p "$to/pki/etcd" "$to/manifests"
  for file in pki/{ca,front-proxy-ca,etcd/ca}.{crt,key} pki/sa.{key,pub}; do
    cp -p "$from/$file" "$to/$file"
  done
  cp -p "$from/${certificate_key_file##*/}" "$certificate_key_file"
  cp -p "$from/${complete##*/}.new" "$complete.new"
  [ ! -e "$from/${encryption##*/}" ] || cp -p "$from/${encryption##*/}" "$encryption"
}

# kubeadm's init finds the CAs and etcd's data, and makes what else a first master has. The objects that it would upload
# or install are in etcd
begin_again() {
  local version data
  read_version
  take_keys
  fill_in "$version" <"$complete.new" >"$config"
  kubeadm config images pull --config "$config" >&2
  kubeadm init phase certs all --config "$config" >&2
  # it says where etcd has its data, and how this member is called
  kubeadm init phase etcd local --config "$config" >&2
  mv "$manifest" "$parked"
  snapshot=$unpacked$snapshot
  restore_etcd
  data=$(etcd_data)
  rm "$parked"
  kubeadm init --config "$config" --upload-certs --skip-token-print --skip-certificate-key-print \
    --skip-phases=addon,upload-config/kubeadm --ignore-preflight-errors="DirAvailable-${data//\//-}" >&2 || {
    kubelet_words
    die "kubeadm init failed: see the lines above. Run the same command again"
  }
}

# the others join again, under the same names
forget_others() {
  local nodes node
  nodes=$(kubectl get nodes -l node-role.kubernetes.io/control-plane -o name --request-timeout=20s) || return
  for node in $nodes; do
    [ "$node" = "node/$node_name" ] || kubectl delete "$node" --ignore-not-found --request-timeout=60s >&2 || return
  done
}

create() {
  [ ! -e "$complete" ] || return 0
  unlock
  local status=0 since
  find_archive || status=$?
  if [ "$status" != 0 ]; then
    join_others
    return
  fi
  if [ ! -e "$restoring" ] && runs_elsewhere; then
    say "the Kubernetes API answers at $api_endpoint: this master joins there, and the snapshot of etcd is not used"
    store drop
    return
  fi
  : >"$restoring"
  if [ -e /etc/kubernetes/manifests/kube-apiserver.yaml ] || [ -d /var/lib/etcd/member ]; then
    say "an earlier restore did not finish: starting again"
    kubeadm reset --force >&2
  fi
  mkdir -p "$unpacked"
  store get | unpack "$not_before" "$unpacked"
  since=$(date -u +%Y-%m-%dT%H:%M:%SZ)
  begin_again
  within 300 kubectl get --raw /readyz || die "the Kubernetes API does not answer: see 'crictl ps -a' there"
  within 120 forget_others || die "the Nodes of the other masters cannot be deleted: run the same command again"
  within 120 forget_former_store || die "the Node $store_node cannot be deleted: run the same command again"
  take_node
  within 300 has_reported "$since" || not_ready
  mv "$complete.new" "$complete"
  rm "$restoring"
  # one that is down keeps what nobody can read, until the next snapshot
  store drop || true
}

exclusively
"$1" </dev/null
