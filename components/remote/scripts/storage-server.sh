# shellcheck shell=bash disable=SC2154
# ensure: each volume has a file system and is mounted, and the directories are exported by NFS
# check: all of this holds
#
# volumes      lines of VOLUME_ID SIZE_GIB MOUNT_POINT: all mounts of this server
# directories  all exported directories, one in each line
# nfs_server   kernel or ganesha
# nfs_config   all its exports: a file of /etc/exports.d, or ganesha.conf
# http_proxy_url, https_proxy_url, no_proxy_list  the site's proxy; empty for none

. ./functions/apt.sh
. ./functions/files.sh
. ./functions/nfs.sh

exports=/etc/exports.d/vnfm.exports
ganesha_config=/etc/ganesha/ganesha.conf
first_line='# vnfm: begin'
last_line='# vnfm: end'

# device_of VOLUME_ID: prints the device; a virtio disk has the first 20 characters of the id as its serial number
device_of() {
  local link
  # a shorter part could match other disks
  ((${#1} >= 20)) || return 1
  for link in /dev/disk/by-id/*"${1:0:20}"*; do
    if [ -b "$link" ] && [[ $link != *-part* ]]; then
      readlink -f "$link"
      return
    fi
  done
  return 1
}

# has_size DEVICE GIB: succeeds if the device has the size; an extended volume may show it only after a moment
has_size() { [ "$(blockdev --getsize64 "$1")" -ge $(($2 << 30)) ]; }

# signature_of DEVICE NAME: prints a property of the device, such as TYPE, read by blkid without a cache
signature_of() { blkid -p -o value -s "$2" "$1"; }

# make_file_system DEVICE VOLUME_ID: creates a file system only on an empty device
make_file_system() {
  local device=$1 volume=$2 found status=0
  # blkid reports an unreadable device as empty
  head -c 1M "$device" >/dev/null || die "volume $volume, $device, cannot be read"
  found=$(blkid -p -o export "$device") || status=$?
  if [ "$status" = 2 ]; then
    mkfs.ext4 -q "$device" >&2
  elif [ "$status" != 0 ]; then
    die "volume $volume, $device: blkid cannot identify its content (status $status), so it is not changed"
  elif ! grep -q '^TYPE=' <<<"$found"; then
    die "volume $volume, $device, has partitions and no file system, so it is not changed"
  fi
  if command -v udevadm >/dev/null; then
    udevadm trigger --action=change --name-match="$device"
    udevadm settle
  fi
}

nfs_config_file() { if [ "$nfs_server" = ganesha ]; then echo "$ganesha_config"; else echo "$exports"; fi; }

# stops the NFS server, which uses the exported file systems; at the end it is started again in any case
rest_nfs_server() {
  trap 'systemctl start "$(nfs_service)" || true' EXIT
  systemctl stop "$(nfs_service)" 2>/dev/null || true
}

ours_of_fstab() { sed -n "/^$first_line\$/,/^$last_line\$/{/^#/!p}" /etc/fstab; }

# write_fstab LINES: replaces vnfm's lines, which are between two marks
write_fstab() {
  local before stale mount_to
  before=$(ours_of_fstab)
  [ "$before" != "$1" ] || return 0
  # before anything is unmounted: this fails if the block of vnfm's lines has no end
  without_block /etc/fstab "$first_line" "$last_line" >/etc/fstab.new
  stale=$(comm -23 <(sort <<<"$before") <(sort <<<"$1") | awk '{ print $2 }')
  for mount_to in $stale; do
    mountpoint -q "$mount_to" || continue
    rest_nfs_server
    umount "$mount_to" >&2 ||
      die "$mount_to was removed from the config, but is in use: see 'fuser -vm $mount_to' there"
  done
  printf '%s\n' "$first_line" "$1" "$last_line" >>/etc/fstab.new
  chmod 644 /etc/fstab.new
  mv /etc/fstab.new /etc/fstab
  systemctl daemon-reload
}

# fstab_line DEVICE MOUNT_POINT: prints a line with which a server still boots if the volume is missing
fstab_line() {
  printf 'UUID=%s %s %s defaults,nofail,x-systemd.device-timeout=5min 0 2\n' \
    "$(signature_of "$1" UUID)" "$2" "$(signature_of "$1" TYPE)"
}

# is_mounted DEVICE MOUNT_POINT
is_mounted() { mountpoint -q "$2" && [ "$(mountpoint -d "$2")" = "$(mountpoint -x "$1")" ]; }

# mount_volume DEVICE MOUNT_POINT
mount_volume() {
  local device=$1 mount_to=$2
  [ -d "$mount_to" ] || install -d -m 755 "$mount_to"
  if ! mountpoint -q "$mount_to"; then
    mount "$mount_to" >&2
  fi
  is_mounted "$device" "$mount_to" ||
    die "$mount_to has another file system mounted than $device: see 'findmnt $mount_to' there"
}

mount_volumes() {
  local id size mount_to device fstab=
  local -a mounts=()
  while read -r id size mount_to; do
    within 120 device_of "$id" ||
      die "volume $id is not attached to this server after 120 s: see /dev/disk/by-id there"
    device=$(device_of "$id")
    within 60 has_size "$device" "$size" || die "volume $id, $device, is smaller than $size GiB"
    make_file_system "$device" "$id"
    fstab+=$(fstab_line "$device" "$mount_to")$'\n'
    mounts+=("$device" "$mount_to")
  done <<<"$volumes"
  write_fstab "${fstab%$'\n'}"
  set -- "${mounts[@]}"
  while [ $# -gt 0 ]; do
    mount_volume "$1" "$2"
    # the volume may have been extended
    [ "$(signature_of "$1" TYPE)" != ext4 ] || resize2fs "$1" >&2
    shift 2
  done
}

make_directories() {
  local directory
  while read -r directory; do
    # writable for pods of any user, because Kubernetes does not change the owner of NFS volumes
    [ -d "$directory" ] || install -d -m 777 "$directory"
  done <<<"$directories"
}

# the NFS server must not start before all mounts, or clients would write to the root disk
order() {
  local drop_in
  drop_in=/etc/systemd/system/$(nfs_service).service.d/vnfm.conf
  local text
  text=$(printf '[Unit]\nRequiresMountsFor=%s' "$(awk '{ print $3 }' <<<"$volumes" | paste -sd ' ')")
  [ "$(cat "$drop_in" 2>/dev/null)" != "$text" ] || return 0
  install -d -m 755 "${drop_in%/*}"
  printf '%s\n' "$text" >"$drop_in"
  chmod 644 "$drop_in"
  systemctl daemon-reload
}

has_config() { [ "$(cat "$1" 2>/dev/null)" = "$nfs_config" ]; }

# replace FILE: writes $nfs_config to the file; the former content stays in FILE.before
replace() {
  install -d -m 755 "${1%/*}"
  # may remain from before a change of the NFS server
  rm -f "$1.before"
  [ ! -e "$1" ] || cp -p "$1" "$1.before"
  printf '%s\n' "$nfs_config" >"$1.new"
  chmod 644 "$1.new"
  mv "$1.new" "$1"
}

kernel() {
  needs exportfs nfs-kernel-server
  systemctl disable -q --now nfs-ganesha 2>/dev/null || true
  systemctl enable -q --now nfs-server
  # exportfs fails without this file
  [ -e /etc/exports ] || : >/etc/exports
  ! has_config "$exports" || { exportfs -r >&2 && return; }
  replace "$exports"
  if ! exportfs -ra >&2; then
    mv "$exports" "$exports.refused"
    [ ! -e "$exports.before" ] || mv "$exports.before" "$exports"
    exportfs -ra >&2 || true
    die "exportfs refuses the exports, see above and $exports.refused there; the previous ones stay in force"
  fi
}

# prints the directories that the server exports, one in each line
exported() {
  if [ "$nfs_server" = ganesha ]; then
    dbus-send --system --print-reply --dest=org.ganesha.nfsd /org/ganesha/nfsd/ExportMgr \
      org.ganesha.nfsd.exportmgr.ShowExports | sed -n 's/^ *string "\(\/.*\)"$/\1/p'
  else
    exportfs -s | awk '{ print $1 }'
  fi
}

# prints declared directories that the server does not export
unexported() {
  local shown
  shown=$(exported) || return
  comm -23 <(sort <<<"$directories") <(sort <<<"$shown")
}

all_exported() {
  local missing
  missing=$(unexported) && [ -z "$missing" ]
}

ganesha() {
  needs ganesha.nfsd nfs-ganesha nfs-ganesha-vfs
  systemctl disable -q --now nfs-server 2>/dev/null || true
  [ ! -e "$exports" ] || rm "$exports"
  systemctl enable -q nfs-ganesha
  # has what is to be done until that is done, because a run may be interrupted before
  local unread=$ganesha_config.unread before way
  if ! has_config "$ganesha_config"; then
    before=$(head -n 1 "$ganesha_config" 2>/dev/null) || true
    # a reload only reads the exports again, which clients do not notice
    way=try-reload-or-restart
    [ "$before" = "${nfs_config%%$'\n'*}" ] && [ "$(cat "$unread" 2>/dev/null)" != try-restart ] || way=try-restart
    echo "$way" >"$unread"
    replace "$ganesha_config"
  fi
  if [ -e "$unread" ]; then
    systemctl "$(<"$unread")" nfs-ganesha
    rm "$unread"
  elif systemctl is-active -q nfs-ganesha && ! all_exported; then
    systemctl reload nfs-ganesha
  fi
  systemctl start nfs-ganesha
  within 60 all_exported ||
    die "nfs-ganesha does not export all of the directories: see /var/log/ganesha/ganesha.log there"
}

create() {
  settle
  needs mkfs.ext4 e2fsprogs
  mount_volumes
  make_directories
  order
  "$nfs_server"
}

check() {
  local id mount_to device directory
  while read -r id _ mount_to; do
    device=$(device_of "$id") || {
      echo "volume $id is not attached to this server"
      continue
    }
    is_mounted "$device" "$mount_to" || echo "volume $id is not mounted at $mount_to"
    grep -qxF -- "$(fstab_line "$device" "$mount_to")" <<<"$(ours_of_fstab)" ||
      echo "/etc/fstab does not mount volume $id at $mount_to"
  done <<<"$volumes"
  while read -r directory; do
    [ -d "$directory" ] || echo "the directory $directory is missing"
  done <<<"$directories"
  has_config "$(nfs_config_file)" || echo "$(nfs_config_file) differs from the desired state"
  systemctl is-enabled -q "$(nfs_service)" 2>/dev/null ||
    echo "$(nfs_service) is not enabled, so it would not start at boot"
  if systemctl is-active -q "$(nfs_service)"; then
    unexported | sed 's/$/ is not exported/'
  else
    echo "$(nfs_service) does not run"
  fi
}

exclusively
"$1" </dev/null
