# shellcheck shell=bash disable=SC2154
# print: the data by which nodes and clients trust the cluster, as lines of KEY=VALUE

# prints only when all values are known, because the output of a failed script becomes part of the error message
create() {
  local ca public_key certificate_key
  ca=$(base64 -w0 /etc/kubernetes/pki/ca.crt)
  public_key=$(openssl x509 -pubkey -noout -in /etc/kubernetes/pki/ca.crt |
    openssl pkey -pubin -outform der | sha256sum | cut -d' ' -f1)
  certificate_key=$(<"$certificate_key_file")
  printf 'ca=%s\nssl_ca_cert_hash=sha256:%s\ncertificate_key=%s\n' "$ca" "$public_key" "$certificate_key"
}

"$1" </dev/null
