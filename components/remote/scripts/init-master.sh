# shellcheck shell=bash disable=SC2154
# ensure: the cluster is bootstrapped on this node, and has a service account for vnfm
#
# kubernetes_version  first version of the cluster; empty for kubeadm's own
# kubeadm_config      kubeadm's configuration; @KUBERNETES_VERSION@, @CERTIFICATE_KEY@ and @PROVIDER_ID@ are filled in here
# encryption_config   kube-apiserver's EncryptionConfiguration; empty if Secrets are not encrypted
# provider_id         provider ID of this server in a cluster with a cloud provider; else empty
# access_manifest     service account, its token and its role binding
# api_endpoint        address:port of the API if several control-plane nodes share it; else empty

. ./functions/kubeadm.sh
. ./functions/kubectl.sh
. ./functions/kubelet-words.sh
. ./functions/reach.sh

init() {
  if [ -e "$complete" ]; then
    unchanged
    return
  fi
  if [ -e /etc/kubernetes/manifests/kube-apiserver.yaml ] || [ -d /var/lib/etcd/member ]; then
    say "an earlier kubeadm init did not finish: starting again"
    kubeadm reset --force >&2
  elif [ -n "$api_endpoint" ] && runs_elsewhere; then
    die "a cluster runs at $api_endpoint on other control-plane nodes, but the state of this stack does not contain it"
  fi
  mkdir -p /etc/kubernetes
  kubeadm certs certificate-key >"$certificate_key_file"
  [ -z "$encryption_config" ] || printf '%s\n' "$encryption_config" >"$encryption"
  local config=/run/vnfm-kubeadm.yaml
  trap 'rm -f /run/vnfm-kubeadm.yaml' EXIT
  fill_in "${kubernetes_version:-$(kubeadm version -o short)}" <<<"$kubeadm_config" >"$config"
  # kubeadm init itself ignores unknown fields, and may find other errors only in the middle
  kubeadm config validate --config "$config" >&2 || die "kubeadm $(kubeadm version -o short) rejects its \
configuration, see its output above: correct kubeadm in the stack config, or kubernetes_version. The cluster \
was not bootstrapped"
  ! command -v crictl >/dev/null ||
    reach_registries "$(kubeadm config images list --config "$config" 2>/dev/null || true)"
  kubeadm init --config "$config" --upload-certs --skip-token-print --skip-certificate-key-print >&2 || {
    kubelet_words
    die "kubeadm init failed: see the lines above"
  }
  printf '%s\n' "$kubeadm_config" >"$complete.new"
  mv "$complete.new" "$complete"
}

create() {
  init
  within 120 kubectl get --raw /readyz || {
    kubelet_words
    die "the Kubernetes API does not answer: see the lines above, and 'crictl ps -a' there"
  }
  printf '%s\n' "$access_manifest" | apply
}

# a new server must not bootstrap a second cluster: a single control plane is restored next, by control-plane-copy.sh; one
# of several is by control-plane-restore.sh, or joins the others
update() { [ ! -e "$complete" ] || create; }

exclusively
"$1" </dev/null
