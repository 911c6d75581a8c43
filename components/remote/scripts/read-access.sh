# shellcheck shell=bash disable=SC2154
# print: what a client needs to use the cluster, as lines of KEY=VALUE
#
# namespace, secret  where the service account's token is

token() { kubectl -n "$namespace" get secret "$secret" -o 'jsonpath={.data.token}'; }
has_token() { [ -n "$(token)" ]; }

# nothing is printed before all of it is known: what a failed script has printed ends up in the error message
create() {
  local bearer_token ca public_key certificate_key
  within 60 has_token || die "Secret $namespace/$secret has got no token: is kube-controller-manager running?"
  bearer_token=$(token | base64 -d)
  ca=$(base64 -w0 /etc/kubernetes/pki/ca.crt)
  public_key=$(openssl x509 -pubkey -noout -in /etc/kubernetes/pki/ca.crt |
    openssl pkey -pubin -outform der | sha256sum | cut -d' ' -f1)
  certificate_key=$(</etc/kubernetes/vnfm-certificate-key)
  printf 'bearer_token=%s\nca=%s\nssl_ca_cert_hash=sha256:%s\ncertificate_key=%s\n' \
    "$bearer_token" "$ca" "$public_key" "$certificate_key"
}

"$1" </dev/null
