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

# the image's own preparation is over
settle() {
  # 2 is "done, with recoverable errors"
  command -v cloud-init >/dev/null || return 0
  timeout 600 cloud-init status --wait >/dev/null 2>&1 || [ $? = 2 ] ||
    die "cloud-init failed: see 'cloud-init status --long' and /var/log/cloud-init-output.log there"
}

install_packages() {
  DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "$@" >&2 ||
    die "cannot install $*: use an image that has it, or give the node a package repository that it can reach"
}

# manifests on standard input
apply() {
  kubectl apply --server-side --force-conflicts -f - >&2
}
