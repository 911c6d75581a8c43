# shellcheck shell=bash disable=SC2154
# Static pods of a master: another annotation of a manifest starts the pod anew.

# has_mark COMPONENT ANNOTATION VALUE: the manifest of the static pod has it
has_mark() { grep -q "$2: .*$3" "/etc/kubernetes/manifests/$1.yaml"; }

# restart_component COMPONENT ANNOTATION VALUE: a manifest that has changed makes the kubelet start the pod anew
restart_component() {
  local manifest=/etc/kubernetes/manifests/$1.yaml new=/etc/kubernetes/vnfm-$1.yaml
  ! has_mark "$@" || return 0
  kubectl annotate --local --overwrite -f "$manifest" "$2=$3" -o yaml >"$new"
  mv "$new" "$manifest"
}

# runs_with COMPONENT ANNOTATION VALUE: the pod of this master is of that manifest, and Ready
runs_with() {
  [ "$(kubectl -n kube-system get pod "$1-$node_name" --request-timeout=10s -o \
    "jsonpath={.metadata.annotations.$2} {.status.conditions[?(@.type==\"Ready\")].status}")" = "$3 True" ]
}
