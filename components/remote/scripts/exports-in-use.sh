# shellcheck shell=bash disable=SC2154
# create: fail if the exports lack the directory of a PersistentVolume that is bound to a PVC; runs on a control-plane
#         node, before the storage server is changed
#
# nfs_servers  the storage server's addresses, one in each line
# directories  its new exports, one in each line

create() {
  local lost
  # if a control-plane node is lost, the API moves to another one
  within 120 read_bound ||
    die "the Kubernetes API does not answer, so the exports in use are not known. Nothing is changed"
  lost=$(without_export)
  [ -z "$lost" ] ||
    die "directories in use would be removed from the exports. Nothing is changed on the storage server. Keep them, or delete \
the PVCs and the pods that mount them, and run the same command again:
$lost"
}

# sets `bound`: lines "PHASE<tab>SERVER<tab>PATH<tab>NAME<tab>CLAIM"
read_bound() {
  local columns='{.status.phase}{"\t"}{.spec.nfs.server}{"\t"}{.spec.nfs.path}{"\t"}{.metadata.name}{"\t"}'
  columns+='{.spec.claimRef.namespace}/{.spec.claimRef.name}'
  bound=$(kubectl get persistentvolumes -o "jsonpath={range .items[?(@.spec.nfs)]}$columns{\"\\n\"}{end}")
}

without_export() {
  local phase server path name claim
  while IFS=$'\t' read -r phase server path name claim; do
    [ "$phase" = Bound ] || continue
    grep -qxF -- "$server" <<<"$nfs_servers" || continue
    is_exported "$path" || echo "PersistentVolume $name is in use by the PVC $claim: $path"
  done <<<"$bound"
}

# an export includes its subdirectories
is_exported() {
  local directory
  while read -r directory; do
    [[ $1/ != "$directory"/* ]] || return 0
  done <<<"$directories"
  return 1
}

"$1" </dev/null
