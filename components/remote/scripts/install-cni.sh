# shellcheck shell=bash disable=SC2154
# ensure: the cluster has its CNI
# check: its objects equal the manifest
#
# cni_manifest  the whole manifest of the CNI

. ./functions/kubectl.sh

create() {
  printf '%s\n' "$cni_manifest" | apply
}

check() {
  local found status=0
  found=$(kubectl diff --server-side --force-conflicts -f - <<<"$cni_manifest") || status=$?
  # status 1 means differences
  ((status < 2)) || return "$status"
  sed -n 's|^diff .*/MERGED-[^/]*/\(.*\)|\1 is not as in the manifest of the CNI|p' <<<"$found"
}

"$1" </dev/null
