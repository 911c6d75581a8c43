# shellcheck shell=bash
# In front of every script: strict mode, one script at a time on a node, errors that say where.
set -euo pipefail
umask 077
export LC_ALL=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export KUBECONFIG=/etc/kubernetes/admin.conf

say() { printf '%s\n' "$*" >&2; }
die() {
  say "$(hostname): $*"
  exit 1
}

# a run that was cut off may still be at work here
exclusively() {
  exec 9>/run/vnfm.lock
  flock -w 1200 9 || die "another run of vnfm has held this node for 20 minutes; see who holds /run/vnfm.lock"
}

# within SECONDS COMMAND...: until the command succeeds
within() {
  local limit=$1 start=$SECONDS
  shift
  until "$@" >/dev/null 2>&1; do
    ((SECONDS - start < limit)) || return 1
    sleep 0.5
  done
}
