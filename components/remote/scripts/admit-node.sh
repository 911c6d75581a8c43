# shellcheck shell=bash disable=SC2154
# Runs on a control-plane node before another node joins. run-script.ts calls it, with the variables of join-node.sh.
# create: print a bootstrap token and, for a control-plane node, after it this node's EncryptionConfiguration if it has one
# delete: revoke the joining node's tokens
#
# node_name        the joining node
# certificate_key  for a control-plane node: the key that encrypts the uploaded certificates; else empty
# cluster_config   for a control-plane node: the expected configuration of the cluster; else empty
#
# A token expires after an hour, which is longer than a join may take, in case a killed run does not revoke it. The
# uploaded certificates expire after two hours (kubeadm's limit).

. ./functions/kubeadm.sh
. ./functions/kubectl.sh

description="vnfm: $node_name"

upload_certificates() {
  local config=/run/vnfm-upload-certs.yaml
  printf 'apiVersion: kubeadm.k8s.io/v1beta4\nkind: InitConfiguration\ncertificateKey: %s\n' "$certificate_key" >"$config"
  kubeadm init phase upload-certs --upload-certs --skip-certificate-key-print --config "$config" >&2
  rm "$config"
}

create() {
  # shellcheck disable=SC2034 # for unchanged
  local kubeadm_config=$cluster_config
  if [ -n "$certificate_key" ]; then
    unchanged
    upload_certificates
  fi
  kubeadm token create --ttl 1h --description "$description"
  # it contains all present keys
  [ -z "$certificate_key" ] || [ ! -e "$encryption" ] || cat "$encryption"
}

# prints the names of the Secrets with the node's tokens
tokens() {
  kubectl -n kube-system get secrets --field-selector type=bootstrap.kubernetes.io/token --request-timeout=20s \
    -o 'jsonpath={range .items[*]}{.metadata.name}{" "}{.data.description}{"\n"}{end}' |
    awk -v description="$(printf '%s' "$description" | base64 -w 0)" '$2 == description { print $1 }'
}

revoke() {
  local names
  names=$(tokens)
  # shellcheck disable=SC2086 # one word each
  [ -z "$names" ] || kubectl -n kube-system delete secret $names --ignore-not-found --request-timeout=20s >&2
}

delete() {
  within 60 revoke || revoke ||
    die "the bootstrap token of $node_name cannot be revoked: run the same command again, or it expires an hour after its creation"
}

exclusively
"$1" </dev/null
