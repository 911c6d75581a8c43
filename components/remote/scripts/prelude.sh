# shellcheck shell=bash disable=SC2034 # variables of the scripts that use them
# In front of every script: strict mode, errors that say where, waiting for each other and for what comes.
set -euo pipefail
# in $(...) too, where bash goes on after a failure by default
shopt -s inherit_errexit
umask 077
export LC_ALL=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export KUBECONFIG=/etc/kubernetes/admin.conf

# holds kubeadm's configuration once kubeadm is done here: what a cut-off run leaves behind is done again
complete=/etc/kubernetes/vnfm-complete
certificate_key_file=/etc/kubernetes/vnfm-certificate-key
# what kube-apiserver encrypts Secrets with
encryption=/etc/kubernetes/encryption.yaml

say() { printf '%s\n' "$*" >&2; }
die() {
  say "$(hostname): $*"
  exit 1
}

verb=${1-}

# A run that was cut off may still be at work here. A question changes nothing and waits for nobody: who asks would take a
# node that is at work for one that does not answer.
exclusively() {
  case $verb in check | use | vote | kept | begun | expiry | holds) return ;; esac
  exec 9>/run/vnfm.lock
  flock -w 1200 9 || die "another run of vnfm has locked this node for 20 minutes; see which process holds /run/vnfm.lock"
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

# where a script has nothing else to do for changed data
update() { create; }
