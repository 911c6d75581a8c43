# shellcheck shell=bash
# Guest trees: root file systems; each Glance image contains only the name of one. $GUESTS/NAME lists the layers of the
# tree NAME, the topmost first, and the containerd store of new servers.

BASE_PACKAGES="systemd systemd-sysv dbus ca-certificates iproute2"
export DEBIAN_PACKAGES="openssh-server cloud-init sudo curl iputils-ping e2fsprogs procps kmod netbase ethtool"
export KUBE_PACKAGES="containerd runc containernetworking-plugins conntrack socat iptables busybox haproxy keepalived psmisc
  nfs-ganesha nfs-ganesha-vfs"
# units of a virtual machine that a container does not need
export MASKED_UNITS="apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service
  fstrim.timer getty@tty1.service console-getty.service systemd-networkd-wait-online.service systemd-pstore.service
  cloud-init-hotplugd.socket run-rpc_pipefs.mount"

# Prints this machine's own Debian mirror, if it is an HTTP URL; otherwise debootstrap chooses.
debian_mirror() {
  cat /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null | # only one of the two exists
    awk '/^URIs: *http/ {print $2; exit}
      /^deb / {for (i = 2; i <= NF; i++) if ($i ~ /^https?:/) {print $i; exit}}' || true
}

base_layer() { # DIRECTORY: a minimal Debian that boots
  debootstrap --variant=minbase --include="${BASE_PACKAGES// /,}" bookworm "$1" "$(debian_mirror)"
  rm -rf "$1"/var/cache/apt/archives/*.deb "$1"/var/lib/apt/lists/*
}

debian_layer() { # ROOT: Debian as a cloud image has it
  apt_install "$DEBIAN_PACKAGES" "$1"
  cp -r "$LAB_HOME/guest/debian/." "$1/"
  for unit in $MASKED_UNITS; do ln -sf /dev/null "$1/etc/systemd/system/$unit"; done
  chroot "$1" systemctl enable volumes.service
  rm -f "$1"/etc/ssh/ssh_host_* "$1/etc/hostname"
  : >"$1/etc/machine-id"
}

kube_layer() { # PROGRAMS ROOT: a node of a cluster before kubeadm
  apt_install "$KUBE_PACKAGES" "$2"
  cp -r "$LAB_HOME/guest/kube/." "$2/"
  install -m 755 "$1/kubernetes" "$2/usr/bin/kubernetes"
  for name in kubeadm kubelet kubectl; do ln -s kubernetes "$2/usr/bin/$name"; done
  mkdir -p "$2/opt/cni" "$2/etc/cni/net.d" "$2/etc/kubernetes/manifests"
  ln -s /usr/lib/cni "$2/opt/cni/bin"
  chroot "$2" systemctl enable container-host metadata containerd kubelet
  chroot "$2" systemctl disable haproxy keepalived nfs-ganesha
}

components_of() { # VERSION: what the toolchain makes a cluster of this version of
  case $1 in
    v1.33.0) echo kubernetes-v1.33 etcd-v3.5 ;;
    v1.34.4) echo kubernetes-v1.34 etcd-v3.6 ;;
    *) echo "there is no Kubernetes $1 here, only $KUBERNETES_VERSIONS" >&2; return 1 ;;
  esac
  echo coredns flannel pause
}

build() { as_operator "$LAB_HOME/../toolchain/build.sh" "$@"; } # COMPONENT...: programs of the toolchain

build_programs() { # VERSION: the programs of its nodes; minutes the first time
  local components
  components=$(components_of "$1")
  # shellcheck disable=SC2086 # one word a component
  build $components
}

# VERSION: prints the directory with the toolchain's programs of a cluster
cluster_programs() {
  local components
  components=$(components_of "$1")
  # shellcheck disable=SC2086 # one word a component
  programs_of $components
}

# COMPONENT...: prints a directory with programs of the toolchain, under their own names
programs_of() {
  local component path
  build "$@" >&2
  local -a files=()
  for component in "$@"; do
    path=$(build --path "$component")
    mapfile -t -O ${#files[@]} files < <(find "$path" -type f -perm -u+x | sort)
  done
  build_layer programs "$(echo "${files[@]}" | fingerprint -)" ln -s "${files[@]}"
}

build_images() { # VERSION PROGRAMS LAYOUT ROOT
  python3 "$LAB_HOME/images/build.py" "$3" "$4" "$2" "$1"
}
images_of() { in_layers "$3" "" build_images "$1" "$2" "$4"; } # VERSION PROGRAMS STACK LAYOUT

fill_store() { # IMAGES STORE ROOT: let containerd itself unpack the images that every node has
  mkdir -p "$3/var/lib/containerd"
  mount --bind "$2" "$3/var/lib/containerd"
  # containerd must end if an import fails, and must not hold the lab's lock
  setpriv --pdeathsig KILL chroot "$3" containerd --address /run/import.sock --log-level warn 9>&- &
  local containerd=$!
  for _ in $(seq 100); do [ ! -S "$3/run/import.sock" ] || break; sleep .1; done
  python3 "$LAB_HOME/images/preload.py" "$1" |
    chroot "$3" ctr --address /run/import.sock --namespace k8s.io images import --all-platforms -
  kill "$containerd"
  wait "$containerd" || true
}
store_of() { in_layers "$2" "" fill_store "$1" "$3"; } # IMAGES STACK STORE

base_stack() { build_layer base "$(echo "$BASE_PACKAGES" | fingerprint -)" base_layer; }

system_stack() { # NAME BASE: a system as its cloud image has it
  local recipe layer
  recipe=$(recipe_fingerprint "$2 $DEBIAN_PACKAGES $MASKED_UNITS $(declare -f debian_layer apt_install)" guest/debian)
  layer=$(build_layer "$1" "$recipe" on_top_of "$2" debian_layer)
  echo "$layer:$2"
}

debian_stack() {
  local base; base=$(base_stack)
  system_stack debian "$base"
}

build_debian_guest() {
  local stack; stack=$(debian_stack)
  mkdir -p "$GUESTS"
  printf '%s\n\n' "$stack" >"$GUESTS/debian-12"
}

# ROOT: removes the files that packages of the apt repository contain
without_kubernetes() {
  rm "$1"/usr/bin/{kubernetes,kubeadm,kubelet,kubectl} "$1"/usr/lib/systemd/system/kubelet.service \
    "$1"/usr/lib/systemd/system/kubelet.service.d/10-kubeadm.conf "$1"/etc/systemd/system/multi-user.target.wants/kubelet.service
}

node_stack() { # NAME SYSTEM PROGRAMS
  local recipe layer
  recipe=$(recipe_fingerprint "$2 $3 $KUBE_PACKAGES $(declare -f kube_layer apt_install)" guest/kube)
  layer=$(build_layer "$1" "$recipe" on_top_of "$2" kube_layer "$3")
  echo "$layer:$2"
}

containerd_stack() { # NAME NODE: the node without kubeadm, kubelet and kubectl, which the apt repository has
  local recipe layer
  recipe=$(recipe_fingerprint "$2 $(declare -f without_kubernetes)" guest/kube)
  layer=$(build_layer "$1" "$recipe" on_top_of "$2" without_kubernetes)
  echo "$layer:$2"
}

build_kube_guest() { # VERSION
  local system programs stack recipe images store
  system=$(debian_stack)
  programs=$(cluster_programs "$1")
  stack=$(node_stack kube "$system" "$programs")
  recipe=$(recipe_fingerprint "$stack" images)
  images=$(build_layer images "$recipe" images_of "$1" "$programs" "$stack")
  store=$(build_layer store "$recipe" store_of "$images" "$stack")
  printf '%s\n%s\n' "$stack" "$store" >"$GUESTS/debian-12-kube-$1"
  ln -sfn "$images" "$VNFM_LAB/images-$1"
}

build_containerd_guest() { # VERSION of Kubernetes whose container images it starts with
  local stack store
  { read -r stack; read -r store; } <"$GUESTS/debian-12-kube-$1"
  stack=$(containerd_stack containerd "$stack")
  printf '%s\n%s\n' "$stack" "$store" >"$GUESTS/debian-12-containerd"
}

# Reads the trees into the page cache. Memory that is cached before a server reads it is charged to no server, and stays
# when a server ends. Virtual machines have disks instead.
read_guests() {
  local guest
  for guest in "$GUESTS"/*; do [ "$(wc -l <"$guest")" -gt 2 ] || head -n 1 "$guest"; done | tr : '\n' | sort -u | xargs -I@ find @ -xdev -type f -exec cat {} + >/dev/null
}
