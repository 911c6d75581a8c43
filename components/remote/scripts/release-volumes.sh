# shellcheck shell=bash disable=SC2154
# delete: all that was written to the volumes is on their disks, and Nova may take them away: the server goes
#
# mount_points  lines
# nfs_server    kernel or ganesha, which has hold of them

. ./functions/nfs.sh

# each_mounted COMMAND...: for each; one may be in another
each_mounted() {
  local mount_point
  while read -r mount_point; do
    ! mountpoint -q "$mount_point" || "$@" "$mount_point" || say "$* $mount_point: failed"
  done < <(sort -r <<<"$mount_points")
}

# an earlier script that is at work here is not waited for, as this server goes; what fails leaves the rest to be done
delete() {
  each_mounted sync -f
  timeout -k 5 30 systemctl stop "$(nfs_service)" || say "$(nfs_service) does not stop"
  each_mounted umount
  # what is in use
  each_mounted sync -f
}

"$1" </dev/null
