#!/bin/sh
# A stand-in for cluster-autoscaler, of which no Go module can be had. With the arguments and credentials of the real one it
# scales a group up by one while pods wait for a Node, and down by one where a Node of the group has no pods but those of
# DaemonSets.
set -eu
range=cluster\\.x-k8s\\.io/cluster-api-autoscaler-node-group
for argument in "$@"; do
  case $argument in
    --kubeconfig=*) kubeconfig=${argument#*=} ;;
    --node-group-auto-discovery=clusterapi:*)
      namespace=${argument#*namespace=} namespace=${namespace%%,*}
      cluster=${argument##*clusterName=}
      ;;
  esac
done

management() { kubectl -n "$namespace" "$@"; }
workload() { kubectl --kubeconfig="$kubeconfig" "$@"; }

# scale GROUP FROM TO: with the present number kubectl updates the subresource, as the autoscaler does, and patches nothing
scale() { management scale "machinedeployments.cluster.x-k8s.io/$1" --current-replicas="$2" --replicas="$3"; }

# idle GROUP: prints the Machines whose Nodes have no pods but those of DaemonSets
idle() {
  management get machines.cluster.x-k8s.io -l "cluster.x-k8s.io/deployment-name=$1" \
    -o 'jsonpath={range .items[*]}{.metadata.name}{" "}{.status.nodeRef.name}{"\n"}{end}' |
    while read -r machine node; do
      [ -n "$node" ] || continue
      owners=$(workload get pods -A --field-selector="spec.nodeName=$node" \
        -o 'jsonpath={range .items[*]}{.metadata.ownerReferences[0].kind}{"\n"}{end}')
      printf '%s\n' "$owners" | grep -qvx DaemonSet || echo "$machine"
    done
}

# is_changing: a group, autoscaled or not, has other machines than it is to have
is_changing() {
  management get machinedeployments.cluster.x-k8s.io -l "cluster.x-k8s.io/cluster-name=$cluster" \
    -o 'jsonpath={range .items[*]}{.spec.replicas} {.status.readyReplicas}{"\n"}{end}' |
    awk '$1 != $2 + 0 { changes = 1 } END { exit !changes }'
}

# groups: prints name, replicas, least and most of each group; the last two are missing if it is not autoscaled
groups() {
  management get machinedeployments.cluster.x-k8s.io -l "cluster.x-k8s.io/cluster-name=$cluster" -o "jsonpath={range .items[*]}\
{.metadata.name} {.spec.replicas} {.metadata.annotations.$range-min-size} {.metadata.annotations.$range-max-size}\
{\"\n\"}{end}"
}

# A pod may wait for machines that come already, as while the cluster begins, or for the scheduler's next moment.
look() {
  before=$waiting
  waiting=$(workload get pods -A --field-selector=status.phase=Pending,spec.nodeName= -o name) || return
  [ "$waiting" = "$before" ] && ! is_changing || return 0
  groups | while read -r name replicas least most; do
    [ -n "$most" ] || continue
    if [ -n "$waiting" ] && [ "$replicas" -lt "$most" ]; then
      scale "$name" "$replicas" $((replicas + 1))
    elif [ -z "$waiting" ] && [ "$replicas" -gt "$least" ]; then
      machine=$(idle "$name" | head -n 1)
      [ -n "$machine" ] || continue
      management get "machines.cluster.x-k8s.io/$machine" -o json |
        kubectl annotate --local -f - cluster.x-k8s.io/delete-machine=true -o json | management replace -f -
      scale "$name" "$replicas" $((replicas - 1))
    fi
  done
}

waiting=
while sleep 5; do look || true; done
