# shellcheck shell=bash
# What this machine's kernel must have and allow for the servers that share it.

# A node loads these itself, but a server cannot: it has none of this machine's modules. The second one also brings the
# limit of connections below, which is to be set before the first server boots. Many kernels have both built in.
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
  modprobe -qa $MODULES || true # built in, or the kernel has none of it
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
