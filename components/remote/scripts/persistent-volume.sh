# shellcheck shell=bash disable=SC2154
# check: the PersistentVolume exists
# use: print the PVC that is bound to it, as a line
# delete: fail if a PVC is bound to the PersistentVolume; runs before its deletion
#
# persistent_volume  its name
# uid                its uid: an object of the same name with another uid is another volume

check() {
  local found
  found=$(kubectl get persistentvolume "$persistent_volume" --ignore-not-found -o 'jsonpath={.metadata.uid}')
  [ "$found" = "$uid" ] ||
    echo "PersistentVolume $persistent_volume is missing${found:+: another one has the same name}"
}

use() {
  local found
  found=$(kubectl get persistentvolume "$persistent_volume" --ignore-not-found \
    -o 'jsonpath={.metadata.uid} {.status.phase} {.spec.claimRef.namespace}/{.spec.claimRef.name}')
  [[ $found != "$uid Bound "* ]] ||
    echo "PersistentVolume $persistent_volume is in use by the PVC ${found#"$uid Bound "}"
}

delete() {
  local held
  held=$(use)
  [ -z "$held" ] || die "$held: delete the PVC, and the pods that mount it, then run again"
}

"$1" </dev/null
