# shellcheck shell=bash disable=SC2154
# Snapshots of a sole master's etcd, with what else makes a server this master, for a worker to keep. They are for a
# server that is lost.

. ./control-plane-archive.sh

# a file that is as old as the last snapshot
taken=/var/lib/vnfm-control-plane-taken

take() {
  exec 9>/run/vnfm.lock
  # a run of vnfm is at work on this node, and etcd may rest
  flock -w 30 9 || return 0
  [ -e "$complete" ] && [ -e "$manifest" ] && [ ! -e "$parked" ] || return 0
  unlock
  local time
  time=$(now)
  of_etcd "$(image_in "$manifest")" "$etcd_programs/etcdctl" --endpoints=https://127.0.0.1:2379 \
    --cacert=/etc/kubernetes/pki/etcd/ca.crt --cert=/etc/kubernetes/pki/etcd/server.crt \
    --key=/etc/kubernetes/pki/etcd/server.key snapshot save "$snapshot"
  leave snapshot "$time" "$snapshot"
  touch "$taken"
}

# The program that takes a snapshot by itself: the functions, and the values that they use.
program() {
  printf 'set -euo pipefail\nshopt -s inherit_errexit\numask 077\n'
  declare -p LC_ALL PATH KUBECONFIG complete taken manifest parked keys work snapshot etcd_image etcd_programs \
    store_node store_address store_user store_host_key store_key
  declare -f say die unlock forget store cipher now signed pack leave image_in of_etcd take
  printf 'take </dev/null\n'
}
