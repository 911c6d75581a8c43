# shellcheck shell=bash
# Images of virtual machines: Debian with its own kernel, run by QEMU. The tree has layers like a guest's, and is written to
# the file system of a disk. The third line of $GUESTS/NAME is the directory of disk and kernel.

MACHINE_HOST_PACKAGES="qemu-system-x86 qemu-utils genisoimage e2fsprogs"
# packages that Debian's cloud image has, and that kubeadm requires
export MACHINE_PACKAGES="linux-image-cloud-amd64 initramfs-tools zstd udev systemd-resolved libpam-systemd netplan.io cloud-init
  cloud-guest-utils openssh-server sudo curl iputils-ping e2fsprogs procps kmod netbase ethtool apparmor unattended-upgrades
  containerd runc containernetworking-plugins conntrack socat iptables haproxy keepalived psmisc nfs-kernel-server nfs-common"
MACHINE_DISK=10G             # a server's disk is as large as its flavor says; cloud-init lets the file system grow

machine_layer() { # ROOT: Debian as its cloud image is, and what kubeadm asks for
  apt_install "$MACHINE_PACKAGES" "$1"
  # cloud-init writes files for netplan, and netplan files for networkd
  ln -s ../run/systemd/resolve/stub-resolv.conf "$1/etc/resolv.conf"
  # cloud-init's default en_US.UTF-8 is not generated, so it would fail
  echo 'locale: C.UTF-8' >"$1/etc/cloud/cloud.cfg.d/90-locale.cfg"
  chroot "$1" systemctl enable systemd-networkd
  chroot "$1" systemctl disable haproxy keepalived nfs-server
  rm -f "$1"/etc/ssh/ssh_host_* "$1/etc/hostname"
  : >"$1/etc/machine-id"
  ln -sf /etc/machine-id "$1/var/lib/dbus/machine-id"
}

# ROOT: configures containerd for a node and the lab's registry. kubeadm, kubelet and kubectl are in the apt repository.
machine_node_layer() {
  cp -r "$LAB_HOME/guest/machine/." "$1/"
  cp -r "$LAB_HOME/guest/kube/etc/containerd/certs.d" "$1/etc/containerd/"
  mkdir -p "$1/opt/cni" "$1/etc/cni/net.d" "$1/var/lib/containerd"
  ln -s /usr/lib/cni "$1/opt/cni/bin"
  chroot "$1" systemctl enable containerd
}

# STACK STORE DIRECTORY: writes the kernel, its command line, and the base of a machine's disk. mkfs reads the tree without
# a mount; the tree itself is mounted in a private mount namespace. STORE may be "".
write_disk() {
  mkdir "$3/tree"
  # shellcheck disable=SC2016 # of the inner shell
  unshare --mount --propagation slave bash -euo pipefail -c '
    mount -t overlay overlay -o "ro,lowerdir=$1" "$3/tree"
    [ -z "$2" ] || mount --bind "$2" "$3/tree/var/lib/containerd"
    cp "$3"/tree/boot/vmlinuz-* "$3/vmlinuz"
    cp "$3"/tree/boot/initrd.img-* "$3/initrd"
    mkfs.ext4 -q -L root -d "$3/tree" "$3/disk.raw" "$4"' - "$1" "$2" "$3" "$MACHINE_DISK"
  rmdir "$3/tree"
  # Without mitigations, because they cost time and separate nothing that matters in a lab. QEMU's time stamp counter is
  # reliable, although it does not declare that; other clocks are emulated devices, which are slow to read.
  echo "root=LABEL=root rw console=ttyS0 mitigations=off tsc=reliable" >"$3/options"
}

machine_disk() { # STACK STORE
  local recipe
  recipe=$(echo "$1 $2 $MACHINE_DISK $(declare -f write_disk)" | fingerprint -)
  build_layer disk "$recipe" write_disk "$1" "$2"
}

machine_stack() {
  local base recipe layer; base=$(base_stack)
  recipe=$(echo "$base $MACHINE_PACKAGES $(declare -f machine_layer apt_install)" | fingerprint -)
  layer=$(build_layer machine "$recipe" on_top_of "$base" machine_layer)
  echo "$layer:$base"
}

build_machine_guest() { # VERSION of Kubernetes whose container images it starts with
  local below stack recipe store disk
  below=$(machine_stack)
  recipe=$(recipe_fingerprint "$below $(declare -f machine_node_layer)" guest/machine guest/kube/etc/containerd/certs.d)
  stack=$(build_layer machine-node "$recipe" on_top_of "$below" machine_node_layer):$below
  { read -r _; read -r store; } <"$GUESTS/debian-12-kube-$1"
  disk=$(machine_disk "$stack" "$store")
  printf '%s\n%s\n%s\n' "$stack" "$store" "$disk" >"$GUESTS/debian-12-machine"
}

# shellcheck disable=SC2034 # used by the function
install_machine_packages() {
  local DEBIAN_HOST_PACKAGES=$MACHINE_HOST_PACKAGES
  install_debian_packages
}
