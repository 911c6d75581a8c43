# shellcheck shell=bash disable=SC2154
# delete: refuse to go on where a claim holds the PersistentVolume; runs before it is deleted
#
# persistent_volume  its name

delete() {
  local phase claim
  phase=$(kubectl get persistentvolume "$persistent_volume" --ignore-not-found -o 'jsonpath={.status.phase}')
  [ "$phase" = Bound ] || return 0
  claim=$(kubectl get persistentvolume "$persistent_volume" \
    -o 'jsonpath={.spec.claimRef.namespace}/{.spec.claimRef.name}')
  die "PersistentVolume $persistent_volume is in use by the claim $claim: delete the claim, and the pods \
that mount it, then run again"
}

"$1" </dev/null
