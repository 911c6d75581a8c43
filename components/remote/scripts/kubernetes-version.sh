# shellcheck shell=bash disable=SC2154
# The cluster's Kubernetes version in kubeadm's ConfigMap, which kubeadm reads when nodes join.
#
# declare   later nodes join with this version, control-plane nodes first; fails if the cluster would not work with it
# conclude  if all kube-apiservers have the version: upgrades kube-proxy, CoreDNS and kubeadm's roles, and allows workers
#
# step                declare or conclude
# kubernetes_version  v1.34.4
# sole_master         yes for a single control plane; else empty
# and for declare
# oldest_upgrade_minor   the oldest minor version to which vnfm upgrades a cluster
# minors_at_a_time       number of minor versions in one upgrade
# kubelet_minors_behind  number of minor versions that a kubelet may be older than kube-apiserver

. ./functions/kubeadm.sh
. ./functions/kubectl.sh

# Annotation of the ConfigMap: the newest version with which workers may join. It exists since the first upgrade.
annotation=vnfm/kube-apiserver

configuration() {
  kubectl -n kube-system get configmap kubeadm-config -o 'jsonpath={.data.ClusterConfiguration}'
}

# sets `versions` of all kube-apiservers, the oldest first; fails while a control-plane node has the Pod of its last server
api_servers() {
  local masters pods
  if [ -n "$sole_master" ]; then
    # the Node outlives the server, and for a while the old Pod object may, too
    versions=$(kubectl get --raw /version | sed -n 's/^ *"gitVersion": "\(.*\)",$/\1/p') && [ -n "$versions" ]
    return
  fi
  masters=$(kubectl get nodes -l node-role.kubernetes.io/control-plane \
    -o 'jsonpath={range .items[*]}{.metadata.uid}{"\n"}{end}') || return
  pods=$(kubectl -n kube-system get pods -l component=kube-apiserver \
    -o 'jsonpath={range .items[*]}{.metadata.ownerReferences[0].uid} {.spec.containers[0].image}{"\n"}{end}') || return
  versions=$(awk 'NR == FNR { image[$1] = $2; next }
    !($1 in image) { exit 1 }
    { n = split(image[$1], part, ":"); print part[n] }' <(printf '%s\n' "$pods") <(printf '%s\n' "$masters") | sort -V)
}

read_api_servers() {
  within 180 api_servers ||
    die "not every control-plane node has a kube-apiserver Pod: see 'kubectl -n kube-system get pods -l component=kube-apiserver'"
}

annotate() {
  kubectl -n kube-system annotate --overwrite configmap kubeadm-config "$annotation=$1" >&2
}

# prints nodes that the new version of kube-apiserver would not support
too_old() {
  local nodes name version
  nodes=$(kubectl get nodes -o 'jsonpath={range .items[*]}{.metadata.name} {.status.nodeInfo.kubeletVersion}{"\n"}{end}')
  while read -r name version; do
    (($(minors_after "$kubernetes_version" "$version") <= kubelet_minors_behind)) || printf '%s (%s) ' "$name" "$version"
  done <<<"$nodes"
}

check_change() { # PRESENT-VERSION
  local versions oldest newest old
  (($(minor "$kubernetes_version") >= oldest_upgrade_minor)) ||
    die "kubernetes_version is $kubernetes_version: upgrades are to v1.$oldest_upgrade_minor and newer"
  read_api_servers
  oldest=$(head -n 1 <<<"$versions")
  newest=$(tail -n 1 <<<"$versions")
  [ "$(printf '%s\n' "$newest" "$kubernetes_version" | sort -V | head -n 1)" = "$newest" ] ||
    die "kubernetes_version is $kubernetes_version, and a control-plane node has $newest: Kubernetes has no downgrade. Set it to \
$newest or newer"
  (($(minors_after "$kubernetes_version" "$oldest") <= minors_at_a_time)) ||
    die "kubernetes_version is $kubernetes_version, and a control-plane node has $oldest: they are upgraded by one minor version at \
a time. Set it to v1.$(($(minor "$oldest") + minors_at_a_time)), replace the control-plane nodes, and continue from there"
  old=$(too_old)
  [ -z "$old" ] || die "kubernetes_version is $kubernetes_version, and these nodes are more than three minor versions \
older: ${old% }. Replace them by nodes of the control plane's version, $oldest, first"
  # the cluster's version, if the same run has replaced a single control plane
  annotate "$(printf '%s\n' "$1" "$oldest" | sort -V | head -n 1)"
}

declare_version() {
  local config present
  # read only once, so that exactly the checked configuration is written
  config=$(configuration)
  present=$(awk '$1 == "kubernetesVersion:" { print $2 }' <<<"$config")
  [ -n "$present" ] || die "the ConfigMap kube-system/kubeadm-config has no kubernetesVersion: it differs from what kubeadm creates"
  [ "$present" != "$kubernetes_version" ] || return 0
  check_change "$present"
  printf '%s\n' "$config" | sed "s/^kubernetesVersion: .*/kubernetesVersion: $kubernetes_version/" |
    kubectl -n kube-system create configmap kubeadm-config --from-file=ClusterConfiguration=/dev/stdin \
      --dry-run=client -o yaml | apply
}

conclude() {
  local concluded versions phase
  concluded=$(kubectl -n kube-system get configmap kubeadm-config -o "jsonpath={.metadata.annotations.$annotation}")
  [ -n "$concluded" ] && [ "$concluded" != "$kubernetes_version" ] || return 0
  read_api_servers
  # nothing before the last control-plane node has the version
  [ "$(sort -u <<<"$versions")" = "$kubernetes_version" ] || return 0
  for phase in "upload-config all" bootstrap-token "addon all"; do
    # shellcheck disable=SC2086 # two words
    kubeadm upgrade apply phase $phase "$kubernetes_version" >&2 ||
      die "the control-plane nodes have $kubernetes_version, but kubeadm's $phase failed: see the lines above, and run again"
  done
  annotate "$kubernetes_version"
}

create() {
  if [ "$step" = declare ]; then declare_version; else conclude; fi
}

"$1" </dev/null
