# shellcheck shell=bash disable=SC2154
# Snapshots of etcd, with what else makes a server this master, for a worker or the storage server to keep. They are for
# masters that are lost, so each is proven before it is sent: an etcd begins with it.
#
# turn  minute of five in which this master takes one; those after the first master do so where no other one has
# and those of control-plane-archive.sh

. ./control-plane-archive.sh

etcd_pki=/etc/kubernetes/pki/etcd
# of the etcd that begins with a snapshot, on loopback alone
proof=$work/proof
proof_port=2389
proof_peer=https://127.0.0.1:2390

etcdctl_at() { # PORT ARGUMENTS...
  "$etcd_programs/etcdctl" --endpoints="https://127.0.0.1:$1" --cacert="$etcd_pki/ca.crt" \
    --cert="$etcd_pki/server.crt" --key="$etcd_pki/server.key" "${@:2}"
}

# count_keys PORT: sets `revision` and `key_count`, as of now: an etcd without its majority has no answer
count_keys() {
  local answer
  answer=$(etcdctl_at "$1" get '' --prefix --count-only -w fields) || return
  revision=$(sed -n 's/^"Revision" : //p' <<<"$answer")
  key_count=$(sed -n 's/^"Count" : //p' <<<"$answer")
  [[ $revision =~ ^[0-9]+$ && $key_count =~ ^[0-9]+$ ]]
}

# with the certificates of etcd, as other users of this server can connect to it too
serve_proof() {
  local flags=("cert-file=$etcd_pki/server.crt" "key-file=$etcd_pki/server.key" "trusted-ca-file=$etcd_pki/ca.crt"
    client-cert-auth "peer-cert-file=$etcd_pki/peer.crt" "peer-key-file=$etcd_pki/peer.key"
    "peer-trusted-ca-file=$etcd_pki/ca.crt" peer-client-cert-auth
    name=proof "data-dir=$proof" unsafe-no-fsync log-level=error
    "listen-client-urls=https://127.0.0.1:$proof_port" "advertise-client-urls=https://127.0.0.1:$proof_port"
    "listen-peer-urls=$proof_peer" "initial-advertise-peer-urls=$proof_peer" "initial-cluster=proof=$proof_peer")
  exec "$etcd_programs/etcd" "${flags[@]/#/--}" 9>&-
}

# that etcd is asked until it answers, or has ended
count_proven() {
  local process=$1 start=$SECONDS
  until count_keys "$proof_port" 2>/dev/null; do
    kill -0 "$process" 2>/dev/null && ((SECONDS - start < 60)) || return 1
    sleep 0.5
  done
}

# save_proven: sets `revision` and `key_count`, of what is in the snapshot. Runs where a failure does not end the script
save_proven() {
  local before process status=0
  count_keys 2379 || {
    say "etcd here has no answer, or no majority: no snapshot is taken"
    return 1
  }
  before=$revision
  etcdctl_at 2379 snapshot save "$snapshot" || return
  rm -rf "$proof"
  restore_tool snapshot restore "$snapshot" --data-dir="$proof" --name=proof --initial-cluster="proof=$proof_peer" \
    --initial-advertise-peer-urls="$proof_peer" || return
  serve_proof &
  process=$!
  count_proven "$process" || status=$?
  kill "$process" 2>/dev/null || true
  wait "$process" 2>/dev/null || true
  rm -rf "$proof"
  [ "$status" = 0 ] || {
    say "etcd does not begin with the snapshot, so nothing is sent: see the lines above"
    return 1
  }
  ((key_count > 0 && revision >= before)) || {
    say "the snapshot has $key_count keys at revision $revision, and etcd was at $before: nothing is sent"
    return 1
  }
}

# header_of TIME: time, revision, number of keys, version of Kubernetes, CA of the cluster, the node; without spaces
header_of() {
  local version
  version=$(present_version)
  printf '%s %s %s %s %s %s\n' "$1" "$revision" "$key_count" "${version:--}" "$(ca_hash)" "$(hostname)"
}

take() {
  exec 9>/run/vnfm.lock
  # a run of vnfm is at work on this node, and etcd may rest
  flock -w 30 9 || return 0
  [ -e "$complete" ] && [ -e "$manifest" ] && [ ! -e "$parked" ] || return 0
  unlock
  if [ "$turn" != 0 ] && store recent; then return; fi
  local time revision key_count
  time=$(now)
  of_etcd "$(image_in "$manifest")" save_proven
  leave snapshot "$(header_of "$time")" "$snapshot"
}

# The program that takes a snapshot by itself: the functions, and the values that they use.
program() {
  printf 'set -euo pipefail\nshopt -s inherit_errexit\numask 077\n'
  declare -p LC_ALL PATH KUBECONFIG complete manifest parked keys work snapshot etcd_image etcd_programs \
    etcd_pki proof proof_port proof_peer turn store_node store_address store_user store_host_key store_key
  declare -f say die unlock forget store cipher now signed pack leave image_in of_etcd restore_tool present_version \
    ca_hash etcdctl_at count_keys serve_proof count_proven save_proven header_of take
  printf 'take </dev/null\n'
}
