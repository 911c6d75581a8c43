# shellcheck shell=bash
# What this machine's kernel must have and allow for the servers that share it.

# Kernel modules that a Kubernetes node needs. A server has no /lib/modules to load them from, so this machine loads them
# for all its servers. The limit of connections below exists only where nf_conntrack is loaded or built in.
MODULES="br_netfilter nf_conntrack"

# systemd, containerd, kubelet and its pods take some fifteen inotify instances on a server, and all of them are root's,
# who has 128 on most machines: from the ninth server on kubelets would not start
INOTIFY=fs.inotify.max_user_instances
ENOUGH_INOTIFY=4096

# kube-proxy ends if it cannot set this one, and a server cannot: only the machine may. It does not try where the value is
# the one that it would set by its defaults, conntrack.maxPerCore 32768 and conntrack.min 131072.
CONNTRACK=net.netfilter.nf_conntrack_max

prepare_kernel() {
  # shellcheck disable=SC2086 # a list of modules
  modprobe -qa $MODULES || true # it also fails on a kernel without modules, which may have them built in
  raise_limits
}

raise_limits() {
  local connections=$((32768 * $(nproc)))
  [ "$connections" -gt 131072 ] || connections=131072
  [ "$(sysctl -n "$INOTIFY")" -ge "$ENOUGH_INOTIFY" ] || set_limit "$INOTIFY" "$ENOUGH_INOTIFY"
  # not there on a kernel that cannot track connections
  [ ! -e "/proc/sys/${CONNTRACK//.//}" ] || set_limit "$CONNTRACK" "$connections"
}

set_limit() { # NAME VALUE: and note what it was before the lab
  [ "$(sysctl -n "$1")" != "$2" ] || return 0
  [ -e "$RUN/$1" ] || sysctl -n "$1" >"$RUN/$1"
  sysctl -qw "$1=$2"
}

restore_limits() {
  local name
  for name in "$INOTIFY" "$CONNTRACK"; do
    [ -e "$RUN/$name" ] || continue
    sysctl -qw "$name=$(<"$RUN/$name")"
    rm "$RUN/$name"
  done
}
