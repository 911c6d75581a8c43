# shellcheck shell=bash disable=SC2016,SC2154
# create: what is in use on a cluster that is to be made anew as a whole. Ends with 0 where nothing is, or where it has
#         ended the pods; with 3 where something is, which it names; with anything else where it cannot tell. Runs on a
#         master, by evacuation.ts
#
# evacuate       yes: the pods are ended; else empty
# drain_seconds  how long they may take

. ./functions/kubectl.sh

# volumes that a claim holds
claims() {
  kubectl get persistentvolumes -o go-template='{{range .items}}{{if eq (printf "%v" .status.phase) "Bound"}}'\
'PersistentVolume {{.metadata.name}} is in use by the PVC {{.spec.claimRef.namespace}}/{{.spec.claimRef.name}}{{"\n"}}'\
'{{end}}{{end}}'
}

# lines "NAMESPACE NAME"; those that have ended, and those of the cluster itself, use nothing
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

# what takes their place waits for the new cluster
evacuate_nodes() {
  local nodes node
  nodes=$(kubectl get nodes -o 'jsonpath={.items[*].metadata.name}')
  for node in $nodes; do
    kubectl cordon "$node" >&2
    # nobody is there to end them
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
