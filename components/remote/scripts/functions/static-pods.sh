# shellcheck shell=bash disable=SC2154
# Static pods of a control-plane node. A changed annotation in the manifest restarts the pod.

# has_mark COMPONENT ANNOTATION VALUE: the manifest of the static pod has this annotation
has_mark() { grep -q "$2: .*$3" "/etc/kubernetes/manifests/$1.yaml"; }

# restart_component COMPONENT ANNOTATION VALUE: changes the manifest, so that the kubelet restarts the pod
restart_component() {
  local manifest=/etc/kubernetes/manifests/$1.yaml new=/etc/kubernetes/vnfm-$1.yaml
  ! has_mark "$@" || return 0
  kubectl annotate --local --overwrite -f "$manifest" "$2=$3" -o yaml >"$new"
  mv "$new" "$manifest"
}

# runs_with COMPONENT ANNOTATION VALUE: the pod on this node has this annotation, and is Ready
runs_with() {
  [ "$(kubectl -n kube-system get pod "$1-$node_name" --request-timeout=10s -o \
    "jsonpath={.metadata.annotations.$2} {.status.conditions[?(@.type==\"Ready\")].status}")" = "$3 True" ]
}
