# shellcheck shell=bash disable=SC2154
# ensure: the cluster has its CNI
#
# cni_manifest  manifest of the CNI, whole

create() {
  printf '%s\n' "$cni_manifest" | apply
}

"$1" </dev/null
