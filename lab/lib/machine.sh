# shellcheck shell=bash
# Requirements on this machine, checked before anything is changed.

check_machine() {
  local faults; faults=$(machine_faults)
  [ -z "$faults" ] || { echo "$faults" >&2; return 1; }
}

machine_faults() { # one line each
  local network taken
  [ "$(uname -m)" = x86_64 ] ||
    echo "this machine is $(uname -m); the lab's programs and images are for x86_64 only: run it on such a machine"
  [ -e /sys/fs/cgroup/memory/cgroup.procs ] || grep -qsw memory /sys/fs/cgroup/cgroup.controllers ||
    echo "/sys/fs/cgroup has no memory controller, of cgroup v1 or v2: the lab's servers need it. A container has the" \
      "cgroups of its host, as far as that gives them to it"
  [ -e /proc/config.gz ] || [ -e "/boot/config-$(uname -r)" ] ||
    echo "neither /proc/config.gz nor /boot/config-$(uname -r) is there: kubeadm reads in one of them which options the" \
      "kernel of the lab's servers has, which is this machine's. A container gets the file of its host as the second one"
  # MariaDB and RabbitMQ run as other users, with their files there
  mkdir -p "$VNFM_LAB"
  runuser -u nobody -- test -x "$VNFM_LAB" ||
    echo "$VNFM_LAB, the lab's folder (VNFM_LAB), is closed to other users: have them enter it and the folders above it" \
      "(chmod a+x), or set VNFM_LAB to a folder of which that is true"
  for network in "$UNDERLAY.0/24" "$PUBLIC_CIDR"; do
    taken=$(routes_beside "$network")
    [ -z "$taken" ] ||
      echo "$network is a network of the lab, and this machine has a route there: $taken. Remove that route or" \
        "address, or run the lab on another machine"
  done
}

# NETWORK: prints other routes that overlap with it, except the lab's own and default routes. Prints nothing if `ip` is
# not installed yet.
routes_beside() {
  command -v ip >/dev/null || return 0
  { ip -4 -o route show table all root "$1"; ip -4 -o route show table all match "$1"; } |
    awk '!/^(default|0\.0\.0\.0\/1|128\.0\.0\.0\/1) | dev br-(under|pub) /' | sort -u | paste -s -d ';'
}
