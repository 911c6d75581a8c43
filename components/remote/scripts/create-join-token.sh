# shellcheck shell=bash disable=SC2154
# print: a bootstrap token with which one node may join within a day
#
# node_name        the node it is for
# certificate_key  for a master: what encrypts the control plane's certificates, which it fetches; else empty
# kubeadm_config   for a master: the configuration that the cluster must have been made with; else empty
#
# A day is how long a cut-off run may be continued; node-ready.sh revokes the token once the node is in. The
# certificates are there for two hours (kubeadm's limit).

. ./functions/kubeadm.sh

upload_certificates() {
  local config=/run/vnfm-upload-certs.yaml
  printf 'apiVersion: kubeadm.k8s.io/v1beta4\nkind: InitConfiguration\ncertificateKey: %s\n' "$certificate_key" >"$config"
  kubeadm init phase upload-certs --upload-certs --skip-certificate-key-print --config "$config" >&2
  rm "$config"
}

create() {
  [ -z "$kubeadm_config" ] || unchanged
  [ -z "$certificate_key" ] || upload_certificates
  kubeadm token create --ttl 24h --description "vnfm: $node_name"
}

exclusively
"$1" </dev/null
