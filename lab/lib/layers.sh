# shellcheck shell=bash
# Layers: directories, of which overlay mounts make root file systems. Each is built once, in a temporary directory that
# is renamed at the end to a name with a hash of its inputs.

build_layer() { # NAME FINGERPRINT COMMAND...: prints where it is; the command gets the directory to fill
  local layer=$CACHE/$1-$2 new; shift 2
  if [ ! -d "$layer" ]; then
    new=$(mktemp -d "$CACHE/new.XXXXXX")
    chmod 755 "$new"
    "$@" "$new" >&2
    mv "$new" "$layer"
  fi
  echo "$layer"
}

recipe_fingerprint() { # TEXT PATH...: of a recipe's text and the files that it uses
  local text=$1; shift
  { echo "$text"; tar -c --sort=name --mtime=@0 --owner=0 --group=0 -C "$LAB_HOME" --exclude=__pycache__ "$@"; } | fingerprint -
}

in_layers() { # LOWER UPPER COMMAND...: the command gets the mounted stack's path; its changes go to UPPER, if that is not ""
  local lower=$1 upper=$2 root; shift 2
  root=$(mktemp -d "$CACHE/root.XXXXXX")
  mkdir "$root/tree" "$root/work" "$root/upper"
  upper=${upper:-$root/upper}
  ( # with a mount namespace of its own, nothing stays mounted whatever happens
    export -f apt_install "$1"
    export CACHE LAB_HOME
    unshare --mount --propagation slave bash -euo pipefail -c '
      lower=$1 upper=$2 root=$3; shift 3
      mount -t overlay overlay -o "lowerdir=$lower,upperdir=$upper,workdir=$root/work" "$root/tree"
      mount -t proc proc "$root/tree/proc"
      mount -t sysfs -o ro sysfs "$root/tree/sys"
      mount --rbind /dev "$root/tree/dev"
      mount -t tmpfs tmpfs "$root/tree/run"
      "$@" "$root/tree"' - "$lower" "$upper" "$root" "$@"
  )
  rm -rf "$root"
}

on_top_of() { # LOWER COMMAND... NEW-LAYER
  local -a words=("$@")
  in_layers "$1" "${words[-1]}" "${words[@]:1:$#-2}"
}

apt_install() { # "PACKAGES" ROOT
  local root=$2
  cp -L /etc/resolv.conf "$root/etc/resolv.conf"
  printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d" # start nothing
  chmod 755 "$root/usr/sbin/policy-rc.d"
  chroot "$root" apt-get -q update
  # shellcheck disable=SC2086 # a list of packages
  DEBIAN_FRONTEND=noninteractive chroot "$root" apt-get -q install -y --no-install-recommends $1
  rm -rf "$root"/var/cache/apt/*.bin "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/* \
    "$root/usr/sbin/policy-rc.d" "$root/etc/resolv.conf"
}
