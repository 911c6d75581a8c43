# shellcheck shell=bash disable=SC2016,SC2154
# create: what is in use on a cluster before it is re-created as a whole. Exit status 0: nothing is in use, or the pods were
#         ended; 3: something is in use, which it prints; others: unknown. evacuation.ts runs it on a control-plane node
#
# evacuate       yes: end the pods; else empty
# drain_seconds  time limit for the pods to end

. ./functions/kubectl.sh

# prints volumes that are bound to a PVC
claims() {
  kubectl get persistentvolumes -o go-template='{{range .items}}{{if eq (printf "%v" .status.phase) "Bound"}}'\
'PersistentVolume {{.metadata.name}} is in use by the PVC {{.spec.claimRef.namespace}}/{{.spec.claimRef.name}}{{"\n"}}'\
'{{end}}{{end}}'
}

# prints lines "NAMESPACE NAME", without ended pods and those of the cluster itself, which use nothing
pods() {
  kubectl get pods --all-namespaces "$@" -o go-template='{{range .items}}{{$of := ""}}'\
'{{range .metadata.ownerReferences}}{{$of = .kind}}{{end}}{{$phase := printf "%v" .status.phase}}'\
'{{if not (or (eq .metadata.namespace "kube-system") (eq $of "DaemonSet") (eq $of "Node") (eq $phase "Succeeded")'\
' (eq $phase "Failed"))}}{{.metadata.namespace}} {{.metadata.name}}{{"\n"}}{{end}}{{end}}'
}

on_nodes() { pods --field-selector=spec.nodeName!=; }

ended() {
  local left
  left=$(on_nodes) && [ -z "$left" ]
}

end_pods() {
  local namespace name left
  left=$(on_nodes)
  [ -n "$left" ] || return 0
  while read -r namespace name; do
    kubectl -n "$namespace" delete pod "$name" --ignore-not-found --wait=false "$@" >&2
  done <<<"$left"
}

# cordons all nodes and ends their pods; replacing pods wait for the new cluster
evacuate_nodes() {
  local nodes node
  nodes=$(kubectl get nodes -o 'jsonpath={.items[*].metadata.name}')
  for node in $nodes; do
    kubectl cordon "$node" >&2
    # on a lost node, no kubelet can end the pods
    ! is_gone "$node" ||
      kubectl delete pods --all-namespaces --field-selector="spec.nodeName=$node" --force --grace-period=0 --wait=false >&2
  done
  end_pods
  within "$drain_seconds" ended || end_pods --force --grace-period=0
}

create() {
  kubectl get --raw /readyz --request-timeout=20s >/dev/null
  if [ -n "$evacuate" ]; then
    evacuate_nodes
    return
  fi
  local held running
  held=$(claims)
  running=$(pods)
  [ -n "$held$running" ] || return 0
  [ -z "$held" ] || say "$held"
  [ -z "$running" ] || sed 's/^\(.*\) /Pod \1\//; s/$/ runs/' <<<"$running" >&2
  exit 3
}

"$1" </dev/null
