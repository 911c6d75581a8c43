#!/bin/bash
# A virtual machine without a lab: Debian 12 with Debian's kernel and cgroup v2, under QEMU without KVM.
#   machine.sh up NAME [DIRECTORY]  creates it if necessary, and boots it; DIRECTORY is /mnt/share there, read-only
#   machine.sh ssh NAME [COMMAND]   logs in as root
#   machine.sh down NAME            shuts it down; its disk stays for the next `up`
#   machine.sh remove NAME          shuts it down, and deletes it
# MACHINE_MIB (4096), MACHINE_CPUS (2) and MACHINE_GIB (20, at its creation) are its size. It can connect to everything that
# this machine can connect to; only this machine can connect to it, by SSH at a port of the loopback.
set -euo pipefail
shopt -s inherit_errexit extglob nullglob
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. lib/env.sh
become_root "$LAB_HOME/machine/machine.sh" "$@"
. lib/process.sh
. lib/packages.sh
. lib/layers.sh
. lib/guests.sh
. lib/machines.sh

# make IMAGE: creates the boot disk; the host key is known before the first boot
make() {
  local image=$1
  mkdir -p "$machine/seed"
  ssh-keygen -q -t ed25519 -N '' -C "$name" -f "$machine/key"
  ssh-keygen -q -t ed25519 -N '' -C "$name" -f "$machine/host-key"
  printf 'instance-id: %s\nlocal-hostname: %s\n' "$name" "$name" >"$machine/seed/meta-data"
  {
    printf '#cloud-config\ndisable_root: false\nssh_keys:\n  ed25519_public: %s\n  ed25519_private: |\n' "$(<"$machine/host-key.pub")"
    sed 's/^/    /' "$machine/host-key"
    printf 'users:\n  - name: root\n    ssh_authorized_keys: [%s]\n' "$(<"$machine/key.pub")"
    printf 'mounts:\n  - [share, /mnt/share, virtiofs, "ro,nofail", "0", "0"]\n'
  } >"$machine/seed/user-data"
  genisoimage -quiet -J -r -V cidata -o "$machine/config.iso" "$machine/seed"
  echo "[127.0.0.1]:$((22000 + RANDOM % 10000))" >"$machine/address"
  echo "$(<"$machine/address") $(<"$machine/host-key.pub")" >"$machine/known-hosts"
  qemu-img create -q -f qcow2 -F raw -b "$image/disk.raw" "$machine/system.qcow2.new" "${MACHINE_GIB:-20}G"
  mv "$machine/system.qcow2.new" "$machine/system.qcow2"
}

up() {
  local image port memory=${MACHINE_MIB:-4096}
  local -a share=()
  mkdir -p "$VNFM_LAB" "$CACHE"
  install_machine_packages
  image=$(machine_disk "$(machine_stack)" "")
  [ -e "$machine/system.qcow2" ] || make "$image"
  ! is_up "$name" || return 0
  if [ -n "${1:-}" ]; then
    # virtiofsd ends with the machine
    start "$name-share" /usr/lib/qemu/virtiofsd --socket-path="$machine/share" -o source="$(realpath "$1")" -o cache=auto -f
    wait_for "$name-share" test -S "$machine/share"
    share=(-chardev "socket,id=share,path=$machine/share" -device "vhost-user-fs-pci,chardev=share,tag=share")
  fi
  port=$(<"$machine/address")
  # the same processor as in nova-virt/nspawn/emulator.py, where the reason is
  start "$name" qemu-system-x86_64 -name "$name" -nodefaults -no-user-config -display none \
    -machine pc,memory-backend=memory -object "memory-backend-memfd,id=memory,share=on,size=${memory}M" -m "$memory" \
    -accel tcg,thread=multi -cpu max,la57=off,erms=off,fsrm=off,avx=off,avx2=off -smp "${MACHINE_CPUS:-2}" \
    -kernel "$image/vmlinuz" -initrd "$image/initrd" -append "$(<"$image/options")" \
    -chardev "file,id=console,append=on,path=$machine/console.log" -serial chardev:console \
    -qmp "unix:$machine/qmp,server=on,wait=off" -device virtio-rng-pci \
    -drive "if=virtio,format=qcow2,file=$machine/system.qcow2" \
    -device virtio-scsi-pci -drive "if=none,id=config,format=raw,readonly=on,file=$machine/config.iso" -device scsi-cd,drive=config \
    -netdev "user,id=net,hostfwd=tcp:127.0.0.1:${port##*:}-:22" -device virtio-net-pci,netdev=net "${share[@]}"
  wait_for "$name" ssh_there cloud-init status --wait
}

ssh_there() {
  local address; address=$(<"$machine/address")
  ssh -q -i "$machine/key" -o UserKnownHostsFile="$machine/known-hosts" -o IdentitiesOnly=yes -o ConnectTimeout=60 \
    -p "${address##*:}" root@127.0.0.1 "$@"
}

# Requests an orderly shutdown, and waits for it, at most ten minutes.
down() {
  local pid
  if is_up "$name"; then
    ssh_there systemctl poweroff || true
    for _ in $(seq 6000); do is_up "$name" || break; sleep .1; done
  fi
  for pid in "$name" "$name-share"; do stop "$pid"; done
}

case ${1:-} in
  up | down | ssh | remove)
    name=${2:?the name of the machine}
    # shellcheck disable=SC2034 # lib/process.sh uses LOG
    machine=$VNFM_LAB/machines/$name RUN=$VNFM_LAB/machines/$name/run LOG=$VNFM_LAB/machines/$name
    mkdir -p "$RUN"
    case $1 in
      up) up "${3:-}" ;;
      ssh) ssh_there "${@:3}" ;;
      down) down ;;
      remove) down && rm -r "$machine" ;;
    esac ;;
  *) sed -n '2,/^set /s/^# \{0,1\}//p' machine/machine.sh; exit 2 ;;
esac
