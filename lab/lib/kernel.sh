# shellcheck shell=bash
# Modules and limits of this machine's kernel, which all servers share.

# Kernel modules that a Kubernetes node needs. A server has no /lib/modules, so this machine loads the modules for all
# servers. The limit of connections below exists only if nf_conntrack is loaded or built in.
MODULES="br_netfilter nf_conntrack"

# systemd, containerd, the kubelet and pods use about fifteen inotify instances on a server. All belong to root, whose
# limit is 128 on most machines, so kubelets would fail to start from the ninth server on.
INOTIFY=fs.inotify.max_user_instances
ENOUGH_INOTIFY=4096

# kube-proxy ends if it cannot set this limit, which only the machine can, and not a server. It does not try if the limit
# has the value of its defaults already: conntrack.maxPerCore 32768 and conntrack.min 131072.
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
  # does not exist on a kernel without connection tracking
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
