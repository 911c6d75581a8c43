# shellcheck shell=bash disable=SC2154
# check: whether the PersistentVolume is there
# use: which claim holds it, as a line
# delete: refuse to go on where a claim holds the PersistentVolume; runs before it is deleted
#
# persistent_volume  its name
# uid                of the one that this is about: another object of the name is another volume

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
