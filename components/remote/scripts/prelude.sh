# shellcheck shell=bash disable=SC2034 # variables of the scripts that use them
# Precedes every script: strict mode, errors with their place, locks between scripts, and waits.
set -euo pipefail
# also in $(...), where bash continues after a failure by default
shopt -s inherit_errexit
umask 077
export LC_ALL=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export KUBECONFIG=/etc/kubernetes/admin.conf

# contains kubeadm's configuration after kubeadm has succeeded on this node; without it, an interrupted run is repeated
complete=/etc/kubernetes/vnfm-complete
certificate_key_file=/etc/kubernetes/vnfm-certificate-key
# kube-apiserver's EncryptionConfiguration
encryption=/etc/kubernetes/encryption.yaml

say() { printf '%s\n' "$*" >&2; }
die() {
  say "$(hostname): $*"
  exit 1
}

verb=${1-}

# Takes a lock, because a script of an interrupted run may still be running. Questions change nothing and do not wait: a
# busy node would look like one that does not answer.
exclusively() {
  case $verb in check | use | vote | kept | begun | expiry | holds) return ;; esac
  exec 9>/run/vnfm.lock
  flock -w 1200 9 || die "another run of vnfm has locked this node for 20 minutes; see which process holds /run/vnfm.lock"
}

# within SECONDS COMMAND...: repeats the command until it succeeds; fails after that time
within() {
  local limit=$1 start=$SECONDS
  shift
  until "$@" >/dev/null 2>&1; do
    ((SECONDS - start < limit)) || return 1
    sleep 0.5
  done
}

# default for scripts that do the same for changed data
update() { create; }
