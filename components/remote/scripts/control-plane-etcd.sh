# shellcheck shell=bash disable=SC2154
# In front of control-plane-copy.sh and control-plane-restore.sh: etcd begins with a snapshot, on a server that is new.
#
# Those of control-plane-archive.sh.

config=$keys/kubeadm.yaml

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
