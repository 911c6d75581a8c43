# shellcheck shell=bash disable=SC2154
# delete: write all data to the volumes and unmount them, so that Nova can detach them before the server is deleted
#
# mount_points  one in each line
# nfs_server    kernel or ganesha, which uses them

. ./functions/nfs.sh

# each_mounted COMMAND...: runs the command for each mount point; they may be nested
each_mounted() {
  local mount_point
  while read -r mount_point; do
    ! mountpoint -q "$mount_point" || "$@" "$mount_point" || say "$* $mount_point: failed"
  done < <(sort -r <<<"$mount_points")
}

# does not wait for other scripts, because the server is deleted; after a failure the rest is still done
delete() {
  each_mounted sync -f
  timeout -k 5 30 systemctl stop "$(nfs_service)" || say "$(nfs_service) does not stop"
  each_mounted umount
  # volumes in use
  each_mounted sync -f
}

"$1" </dev/null
