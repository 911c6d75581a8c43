# Guest trees: the root file systems that Glance images stand for. A tree is a stack of layers (an overlay's lower
# directories), each built once. $GUESTS/NAME names the layers of tree NAME, topmost first.

# Where this machine itself gets Debian from.
debian_mirror() {
  awk '/^URIs:/ {print $2; exit} /^deb / {for (i = 2; i <= NF; i++) if ($i ~ /^https?:/) {print $i; exit}}' \
    /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null
}

BASE_PACKAGES="systemd systemd-sysv dbus ca-certificates iproute2"
DEBIAN_PACKAGES="openssh-server cloud-init sudo curl iputils-ping e2fsprogs procps kmod netbase ethtool"
# what a virtual machine has and a container has no use for
MASKED_UNITS="apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service
  fstrim.timer getty@tty1.service console-getty.service systemd-networkd-wait-online.service systemd-pstore.service
  cloud-init-hotplugd.socket"

base_layer() { # DIRECTORY: a minimal Debian that boots
  debootstrap --variant=minbase --include="${BASE_PACKAGES// /,}" bookworm "$1" "$(debian_mirror)"
  rm -rf "$1"/var/cache/apt/archives/*.deb "$1"/var/lib/apt/lists/*
}

debian_layer() { # ROOT: a cloud image of Debian
  local unit
  apt_install "$DEBIAN_PACKAGES" "$1"
  cp -r "$LAB_HOME/guest/debian/." "$1/"
  for unit in $MASKED_UNITS; do ln -sf /dev/null "$1/etc/systemd/system/$unit"; done
  chroot "$1" systemctl enable volumes.service cgroup-writable.service
  rm -f "$1"/etc/ssh/ssh_host_* "$1/etc/hostname"
  : >"$1/etc/machine-id"
}

# Run a command inside a stack of layers, its changes going to a new top layer.
in_layer() { # LOWER COMMAND... NEW-LAYER: the command gets the root's path as its last argument
  local lower=$1 top=${*: -1} root; shift; set -- "${@:1:$#-1}"
  root=$(mktemp -d "$CACHE/root.XXXXXX")
  mkdir -p "$top" "$root.work"
  (
    trap 'cd /; umount -R "$root" 2>/dev/null; rm -rf "$root.work"; rmdir "$root"' EXIT
    mount -t overlay overlay -o "lowerdir=$lower,upperdir=$top,workdir=$root.work" "$root"
    mount -t proc proc "$root/proc"
    mount -t sysfs -o ro sysfs "$root/sys"
    mount --rbind /dev "$root/dev" && mount --make-rslave "$root/dev"
    mount -t tmpfs tmpfs "$root/run"
    "$@" "$root"
  )
}

apt_install() { # "PACKAGES" ROOT
  local root=$2
  cp -L /etc/resolv.conf "$root/etc/resolv.conf"
  printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"; chmod 755 "$root/usr/sbin/policy-rc.d"
  chroot "$root" apt-get -q update
  # shellcheck disable=SC2086 # a list of packages
  DEBIAN_FRONTEND=noninteractive chroot "$root" apt-get -q install -y --no-install-recommends $1
  rm -rf "$root"/var/cache/apt/*.bin "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/* \
    "$root/usr/sbin/policy-rc.d" "$root/etc/resolv.conf"
}

tree_fingerprint() { # LAYER TEXT DIRECTORY...: of a layer made from all these
  local below=$1 text=$2; shift 2
  { echo "$below" "$text"; cd "$LAB_HOME" && tar -c --sort=name --mtime=@0 --owner=0 --group=0 "$@"; } | fingerprint -
}

build_layer() { # NAME FINGERPRINT COMMAND...: prints where it is; the command gets the directory to fill
  local layer=$CACHE/layer-$1-$2 new; shift 2
  if [ ! -d "$layer" ]; then
    new=$(mktemp -d "$CACHE/new.XXXXXX"); chmod 755 "$new"
    "$@" "$new" >&2
    mv "$new" "$layer"
  fi
  echo "$layer"
}

build_debian_guest() {
  local base debian
  base=$(build_layer base "$(echo "$BASE_PACKAGES" | fingerprint -)" base_layer)
  debian=$(build_layer debian "$(tree_fingerprint "$base" "$DEBIAN_PACKAGES $MASKED_UNITS" guest/debian)" \
    in_layer "$base" debian_layer)
  mkdir -p "$GUESTS"
  printf '%s\n\n' "$debian:$base" >"$GUESTS/debian-12"
}
