# shellcheck shell=bash disable=SC2154
# print: what a client needs to use the cluster, as lines of KEY=VALUE
#
# namespace, secret  where the service account's token is

token() { kubectl -n "$namespace" get secret "$secret" -o 'jsonpath={.data.token}'; }
has_token() { [ -n "$(token)" ]; }

create() {
  within 60 has_token || die "Secret $namespace/$secret has got no token: is kube-controller-manager running?"
  printf 'bearer_token=%s\n' "$(token | base64 -d)"
  printf 'ca=%s\n' "$(base64 -w0 /etc/kubernetes/pki/ca.crt)"
  printf 'ssl_ca_cert_hash=sha256:%s\n' "$(openssl x509 -pubkey -noout -in /etc/kubernetes/pki/ca.crt |
    openssl pkey -pubin -outform der | sha256sum | cut -d' ' -f1)"
  printf 'certificate_key=%s\n' "$(</etc/kubernetes/vnfm-certificate-key)"
}

"$1" </dev/null
