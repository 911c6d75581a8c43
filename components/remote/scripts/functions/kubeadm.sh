# shellcheck shell=bash disable=SC2154
# kubeadm's configuration of a cluster, and comparisons of versions.

# fails if the configuration differs from the one that the cluster was created with
unchanged() {
  diff "$complete" <(printf '%s\n' "$kubeadm_config") >&2 ||
    die "the settings above ('<' as the cluster was created, '>' as they are now) cannot change on an existing \
cluster: set them back, or create a new cluster"
}

# fill_in VERSION: completes kubeadm's configuration on standard input for this node, and a kubelet with $provider_id
fill_in() {
  local text key
  text=$(cat)
  # without sed, whose arguments every process can see
  key=$(<"$certificate_key_file")
  text=${text//@KUBERNETES_VERSION@/"$1"}
  text=${text//@PROVIDER_ID@/"${provider_id:-}"}
  printf '%s\n' "${text//@CERTIFICATE_KEY@/"$key"}"
}

# minor VERSION: prints 34 for v1.34.4
minor() {
  local rest=${1#v1.}
  printf '%s\n' "${rest%%[!0-9]*}"
}

# minors_after VERSION OTHER: prints 1 for v1.34.4 and v1.33.0. Allowed values are data, from
# components/kube/cluster/version-skew.ts
minors_after() { printf '%s\n' $(($(minor "$1") - $(minor "$2"))); }
