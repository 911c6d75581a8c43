# shellcheck shell=bash
# Limits of this machine's kernel that its servers share with it.

# systemd, containerd, kubelet and its pods take some fifteen inotify instances on a server, and all of them are root's,
# who has 128 on most machines: from the ninth server on kubelets would not start
INOTIFY=fs.inotify.max_user_instances
ENOUGH_INOTIFY=4096

raise_limits() {
  local present; present=$(sysctl -n "$INOTIFY")
  [ "$present" -lt "$ENOUGH_INOTIFY" ] || return 0
  echo "$present" >"$RUN/$INOTIFY"
  sysctl -qw "$INOTIFY=$ENOUGH_INOTIFY"
}

restore_limits() {
  [ -e "$RUN/$INOTIFY" ] || return 0
  sysctl -qw "$INOTIFY=$(<"$RUN/$INOTIFY")"
  rm "$RUN/$INOTIFY"
}
