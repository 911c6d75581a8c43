# shellcheck shell=bash disable=SC2154
# In front of control-plane-copy.sh and control-plane-restore.sh: etcd begins with a snapshot, on a server that is new.
#
# not_before  time of the archive, as far as it is known; empty where it is not
# and those of control-plane-archive.sh

config=$keys/kubeadm.yaml

# true once a new store has the snapshot of this server from the bucket
store_is_new=

store_answers() {
  local status=0
  store has || status=$?
  [ "$status" != 255 ]
}

# find_archive: the status of `store has`. Where a restore was agreed to, the store may be a new server, which is waited
# for: it has the snapshots of the bucket, and this server selects the one of the time not_before
find_archive() {
  local status=0
  [ -z "$not_before" ] || within 900 store_answers || true
  store has || status=$?
  [ "$status" = 1 ] && [ -n "$not_before" ] || return "$status"
  store agree "$not_before" || return 1
  store_is_new=true
}

# A new store joins under the name of the former one, and kubeadm rejects the name of a Node that is Ready.
forget_former_store() {
  [ -z "$store_is_new" ] || kubectl delete node "$store_node" --ignore-not-found --request-timeout=60s >&2
}

etcd_data() { etcd_flag data-dir; }

etcd_flag() { sed -n "s/^ *- --$1=//p" "$parked"; }

# https://etcd.io/docs/v3.6/op-guide/recovery/: the revisions that were lost are skipped, as clients wait for what is
# newer than what they have seen
restore_etcd() {
  local image name url
  image=$(image_in "$parked")
  if ! has_image "$image"; then
    fill_in "$(present_version)" <"$complete.new" >"$config"
    kubeadm config images pull --config "$config" >&2
    # of another patch version of kubeadm
    has_image "$image" || image=$(kubeadm config images list --config "$config" | grep /etcd:)
  fi
  name=$(etcd_flag name)
  url=$(etcd_flag initial-advertise-peer-urls)
  rm -rf "$(etcd_data)"
  of_etcd "$image" restore_tool snapshot restore "$snapshot" --data-dir="$(etcd_data)" --name="$name" \
    --initial-advertise-peer-urls="$url" --initial-cluster="$name=$url" --bump-revision=1000000000 --mark-compacted >&2
}

# not in a pipeline, which would fail where grep has found it before ctr has written all
has_image() {
  local images
  images=$(ctr -n k8s.io images ls -q)
  grep -qxF "$1" <<<"$images"
}
