# shellcheck shell=bash disable=SC2154
# take: a snapshot of a sole master's etcd, and what else makes a server this master, goes to a worker, for a server
#       that is lost. Runs by itself on the master: see control-plane-snapshots.sh
#
# taken  file that is as old as the last snapshot
# and those of control-plane-archive.sh

take() {
  exec 9>/run/vnfm.lock
  # a run of vnfm is at work on this node, and etcd may rest
  flock -w 30 9 || return 0
  [ -e "$complete" ] && [ -e "$manifest" ] && [ ! -e "$parked" ] || return 0
  unlock
  of_etcd "$(image_in "$manifest")" "$etcd_programs/etcdctl" --endpoints=https://127.0.0.1:2379 \
    --cacert=/etc/kubernetes/pki/etcd/ca.crt --cert=/etc/kubernetes/pki/etcd/server.crt \
    --key=/etc/kubernetes/pki/etcd/server.key snapshot save "$snapshot"
  pack "$snapshot" | store put next
  # a connection that breaks ends a transfer as if all had come
  store keep
  touch "$taken"
}

"$1" </dev/null
