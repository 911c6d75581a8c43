# shellcheck shell=bash disable=SC2154
# ensure: this node is a member of the cluster
#
# join_config      kubeadm's JoinConfiguration, token included
# cluster_config   for a master: the configuration that the cluster was made with; else empty
# certificate_key  for a master; else empty

create() {
  [ ! -e "$complete" ] || return 0
  if [ -e /etc/kubernetes/kubelet.conf ] || [ -e /etc/kubernetes/bootstrap-kubelet.conf ]; then
    say "an earlier kubeadm join did not finish: starting over"
    kubeadm reset --force >&2
  fi
  local config=/run/vnfm-kubeadm.yaml
  printf '%s\n' "$join_config" >"$config"
  kubeadm join --config "$config" >&2 || die "kubeadm join failed: see the lines above. Run the same command \
again; if they say that the token is not valid (it is for a day) or that the certificates are gone (they are there \
for two hours), add --replace with the URN of this node's join-token resource"
  rm "$config"
  [ -z "$certificate_key" ] || printf '%s\n' "$certificate_key" >/etc/kubernetes/vnfm-certificate-key
  printf '%s\n' "$cluster_config" >"$complete.new"
  mv "$complete.new" "$complete"
}

exclusively
"$1" </dev/null
