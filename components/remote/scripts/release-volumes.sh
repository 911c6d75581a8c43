# shellcheck shell=bash disable=SC2154
# delete: all that was written to the volumes is on their disks, and Nova may take them away: the server goes
#
# mount_points  lines
# nfs_server    kernel or ganesha, which has hold of them

delete() {
  local mount_point
  systemctl stop "$(nfs_service)" || say "$(nfs_service) does not stop"
  # one may be in another
  while read -r mount_point; do
    ! mountpoint -q "$mount_point" || umount "$mount_point" || {
      say "$mount_point is in use: what is in memory for it is written now"
      sync -f "$mount_point"
    }
  done < <(sort -r <<<"$mount_points")
}

exclusively
"$1" </dev/null
