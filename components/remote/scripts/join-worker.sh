# shellcheck shell=bash disable=SC2154
# ensure: this node is a worker of the cluster
#
# join_config  kubeadm's JoinConfiguration, token included

complete=/etc/kubernetes/vnfm-complete

create() {
  [ ! -e "$complete" ] || return 0
  if [ -e /etc/kubernetes/kubelet.conf ] || [ -e /etc/kubernetes/bootstrap-kubelet.conf ]; then
    say "an earlier kubeadm join did not finish: starting over"
    kubeadm reset --force >&2
  fi
  local config=/run/vnfm-kubeadm.yaml
  printf '%s\n' "$join_config" >"$config"
  kubeadm join --config "$config" >&2 || die "kubeadm join failed; a bootstrap token older than a day is not \
valid any more: make a new one by 'pulumi up --replace' of this node's join-token resource"
  rm "$config"
  touch "$complete"
}

exclusively
"$1" </dev/null
