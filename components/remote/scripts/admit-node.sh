# shellcheck shell=bash disable=SC2154
# Runs on a master for a node that is about to join; run-script.ts calls it, with the variables of join-node.sh.
# create: print a bootstrap token, and after it, for a master, the EncryptionConfiguration of this one if there is one
# delete: revoke the tokens of that node
#
# node_name        the node
# certificate_key  for a master: what encrypts the control plane's certificates, which it fetches; else empty
# cluster_config   for a master: the configuration that the cluster must have been made with; else empty
#
# An hour is longer than a join may take: what a run that was killed has not revoked ends by itself. The certificates are
# there for two hours (kubeadm's limit).

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
  # it has all keys of just now
  [ -z "$certificate_key" ] || [ ! -e "$encryption" ] || cat "$encryption"
}

# the names of the Secrets with the node's tokens
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
