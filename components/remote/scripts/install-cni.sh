# shellcheck shell=bash disable=SC2154
# ensure: the cluster has its CNI
# check: whether its objects are as in the manifest
#
# cni_manifest  manifest of the CNI, whole

. ./functions/kubectl.sh

create() {
  printf '%s\n' "$cni_manifest" | apply
}

check() {
  local found status=0
  found=$(kubectl diff --server-side --force-conflicts -f - <<<"$cni_manifest") || status=$?
  # 1 says that there are differences
  ((status < 2)) || return "$status"
  sed -n 's|^diff .*/MERGED-[^/]*/\(.*\)|\1 is not as in the manifest of the CNI|p' <<<"$found"
}

"$1" </dev/null
