# shellcheck shell=bash disable=SC2154
# ensure: the cluster has begun on this node, and has a service account for the manager
#
# kubernetes_version  version that the cluster begins with; empty for kubeadm's own
# kubeadm_config      kubeadm's configuration; @KUBERNETES_VERSION@ and @CERTIFICATE_KEY@ are filled in here
# access_manifest     service account, its token and its role binding
# api_endpoint        address:port of the API where several masters share it; else empty

certificate_key=/etc/kubernetes/vnfm-certificate-key

init() {
  if [ -e "$complete" ]; then
    unchanged
    return
  fi
  if [ -e /etc/kubernetes/manifests/kube-apiserver.yaml ] || [ -d /var/lib/etcd/member ]; then
    say "an earlier kubeadm init did not finish: starting over"
    kubeadm reset --force >&2
  elif [ -n "$api_endpoint" ] && curl -skfo /dev/null --max-time 10 "https://$api_endpoint/readyz"; then
    # this node was replaced: it is to join, never to begin another cluster
    die "kubernetes_version or the kubeadm settings have changed, and the cluster at $api_endpoint runs on other \
masters: set them back and run again. A new kubernetes_version goes first, a new token of this node after it"
  fi
  mkdir -p /etc/kubernetes
  kubeadm certs certificate-key >"$certificate_key"
  local config=/run/vnfm-kubeadm.yaml
  local filled_in=${kubeadm_config//@KUBERNETES_VERSION@/${kubernetes_version:-$(kubeadm version -o short)}}
  printf '%s\n' "${filled_in//@CERTIFICATE_KEY@/$(<"$certificate_key")}" >"$config"
  kubeadm init --config "$config" --upload-certs --skip-token-print --skip-certificate-key-print >&2
  rm "$config"
  printf '%s\n' "$kubeadm_config" >"$complete.new"
  mv "$complete.new" "$complete"
}

create() {
  init
  within 120 kubectl get --raw /readyz || die "the Kubernetes API does not answer: see 'crictl ps -a' and the kubelet's journal there"
  printf '%s\n' "$access_manifest" | apply
}

# a sole master that is new gets the cluster next, by control-plane-copy.sh; no other is begun on it
update() {
  if [ -e "$complete" ] || [ -n "$api_endpoint" ]; then create; fi
}

exclusively
"$1" </dev/null
