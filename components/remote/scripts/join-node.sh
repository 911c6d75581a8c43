# shellcheck shell=bash disable=SC2154
# create: this node is a member of the cluster
# update: nothing, if it was a member before
#
# node_name        name of this Node
# node_address     its address in the cluster
# join_config      kubeadm's JoinConfiguration, with @JOIN_TOKEN@ in place of the token
# join_kubeconfig  a kubeconfig with the same placeholder
# cluster_config   for a control-plane node: the configuration that the cluster was created with; else empty
# certificate_key  for a control-plane node; else empty
# admission        output of admit-node.sh: a bootstrap token, and for a control-plane node an EncryptionConfiguration
# kubelet_minors_behind  number of minor versions that a kubelet may be older than kube-apiserver

. ./functions/etcd.sh
. ./functions/keystone-auth.sh
. ./functions/kubeadm.sh
. ./functions/kubelet-words.sh
. ./functions/reach.sh
. ./functions/serving.sh

not_joined() {
  die "$1. Run the same command again; if the lines above say that etcd is not healthy, 'vnfm check' shows the control-plane node, \
and 'vnfm heal' replaces it"
}

kubeconfig=/run/vnfm-join.conf
join_token=${admission%%$'\n'*}
encryption_config=${admission#"$join_token"}
encryption_config=${encryption_config#$'\n'}

with_token() { printf '%s\n' "${1//@JOIN_TOKEN@/"$join_token"}"; }

# sets `cluster`: the newest version with which workers may join, if it differs from the cluster's; and the configuration
read_cluster() {
  cluster=$(KUBECONFIG=$kubeconfig kubectl -n kube-system get configmap kubeadm-config --request-timeout=20s \
    -o 'jsonpath={.metadata.annotations.vnfm/kube-apiserver}{"\n"}{.data.ClusterConfiguration}')
}

# kubeadm itself checks less for workers, and only after the join
check_version() {
  local cluster upto kubeadm kubelet way_out repository
  within 300 read_cluster || {
    read_cluster || true
    reach_api "$(endpoint_of "$(kubectl --kubeconfig "$kubeconfig" config view -o 'jsonpath={.clusters[0].cluster.server}')")"
    not_joined "the cluster's version cannot be read"
  }
  upto=$(head -n 1 <<<"$cluster")
  repository=$(awk '$1 == "imageRepository:" { print $2 }' <<<"$cluster")
  cluster=$(awk '$1 == "kubernetesVersion:" { print $2 }' <<<"$cluster")
  kubeadm=$(kubeadm version -o short)
  kubelet=$(kubelet --version | awk '{ print $2 }')
  reach_registries "$(images_of "$cluster" "${repository:-registry.k8s.io}")"
  way_out="Or use an image, or an apt_repository, of v1.$(minor "$cluster") and set a new trigger value for this node under heal"
  if [ -n "$certificate_key" ]; then
    [ "$(minor "$kubeadm")" = "$(minor "$cluster")" ] ||
      die "this control-plane node has kubeadm $kubeadm, and the cluster's version is $cluster: kubeadm creates control planes \
of its own minor version. If the cluster is to have it, set kubernetes_version to it. $way_out"
    return
  fi
  upto=${upto:-$cluster}
  (($(minors_after "$kubelet" "$upto") <= 0)) ||
    die "this worker has kubelet $kubelet, and the control plane has $upto: no kubelet may be newer than kube-apiserver. If the \
cluster is to have it, set kubernetes_version to it and replace all control-plane nodes first. $way_out"
  (($(minors_after "$upto" "$kubelet") <= kubelet_minors_behind)) ||
    die "this worker has kubelet $kubelet, more than three minor versions older than the cluster's $cluster. $way_out"
}

# prints the images that kubeadm pulls for a control-plane node; a worker's images are pulled by its kubelet later
images_of() { # VERSION REPOSITORY
  [ -n "$certificate_key" ] && command -v crictl >/dev/null || return 0
  kubeadm config images list --kubernetes-version "$1" --image-repository "$2" 2>/dev/null || true
}

# runs kubectl with the kubelet's credentials
own() {
  local server
  server=$(kubectl --kubeconfig "$kubeconfig" config view -o 'jsonpath={.clusters[0].cluster.server}') || return
  kubectl --kubeconfig /etc/kubernetes/kubelet.conf --server "$server" --request-timeout=20s "$@"
}

# sets `node`; empty if the Node does not exist
find_own_node() { node=$(own get node "$node_name" --ignore-not-found -o name); }

# marks the own Node as not Ready: kubeadm rejects the name of a Ready Node, and this one would stay Ready for a minute
resign() {
  local node
  find_own_node || return
  [ -z "$node" ] || own patch "$node" --subresource=status \
    -p '{"status": {"conditions": [{"type": "Ready", "status": "False", "reason": "JoinsAgain"}]}}'
}

is_there() {
  local node
  find_own_node && [ -n "$node" ]
}

# kubeadm's etcd serves its metrics only on this node; a removed member ends at each start
etcd_is_well() { kubectl --server http://localhost:2381 --request-timeout=20s get --raw /health; }

# the server was to be deleted, and stays after all
has_left() {
  local node
  # the kubelet creates its Node shortly after the join
  if within 30 is_there; then
    [ -n "$certificate_key" ] && has_left_etcd
    return
  fi
  find_own_node || die "whether there is a Node $node_name cannot be read: run the same command again, or, if its \
credentials are refused, heal it"
  [ -z "$node" ]
}

# a control-plane node leaves etcd before its Node is deleted; an unhealthy member, or one of an external etcd, is still in
has_left_etcd() {
  # shellcheck disable=SC2034 # for etcdctl_somewhere
  local all leaving=$node_name
  [ -e /etc/kubernetes/manifests/etcd.yaml ] && ! within 60 etcd_is_well || return
  within 120 read_members ||
    die "etcd of $node_name does not answer, and whether it is a member cannot be read: run the same command again, or heal it"
  [ -z "$(ids_among "$all")" ]
}

# kubeadm reset does this only for a control-plane node with a Node. A join fails while a member of etcd is dead, and one of
# two members has no quorum
leave_etcd() {
  # shellcheck disable=SC2034 # for etcdctl_somewhere
  local leaving=$node_name
  [ ! -e /etc/kubernetes/manifests/etcd.yaml ] || within 120 is_out_of_etcd || is_out_of_etcd ||
    die "$node_name cannot be removed from etcd, to join again: run the same command again, or heal it"
}

# kubeadm leaves files and interfaces of the CNI, but the new Node gets another pod CIDR
reset_node() {
  local joined=/var/lib/vnfm-joined cni=/etc/cni/net.d
  systemctl stop kubelet
  [ ! -e /etc/kubernetes/kubelet.conf ] || within 60 resign || resign || say "the Node $node_name may still be Ready"
  # an interrupted reset may have removed the file already
  [ -e "$joined" ] || touch -r /var/lib/kubelet/config.yaml "$joined" 2>/dev/null || touch "$joined"
  kubeadm reset --force >&2
  [ ! -d "$cni" ] || find "$cni" -type f -newer "$joined" -delete
  # the interface of the bridge plugin, which would keep its address
  ip link delete cni0 2>/dev/null || true
  rm "$joined"
}

# shows an interrupted join: a control-plane node has manifests, and is in etcd, before its kubelet has a kubeconfig
begun=/var/lib/vnfm-joining

create() {
  trap 'rm -f "$kubeconfig" /run/vnfm-kubeadm.yaml' EXIT
  with_token "$join_kubeconfig" >"$kubeconfig"
  local config=/run/vnfm-kubeadm.yaml again=
  if [ -e "$complete" ]; then
    if ! has_left; then
      serve_again
      return
    fi
    again="has left the cluster"
  elif [ -e "$begun" ]; then
    again="has not joined whole"
  fi
  check_version
  if [ -n "$again" ]; then
    say "$node_name $again: it joins again"
    [ -z "$certificate_key" ] || leave_etcd
    : >"$begun"
    rm -f "$complete"
    reset_node
  fi
  with_token "$join_config" >"$config"
  # an existing file has the present keys already
  [ -z "$encryption_config" ] || [ -e "$encryption" ] || {
    printf '%s\n' "$encryption_config" >"$encryption.new"
    mv "$encryption.new" "$encryption"
  }
  : >"$begun"
  kubeadm join --config "$config" >&2 || {
    kubelet_words
    not_joined "kubeadm join failed: see the lines above"
  }
  [ -z "$certificate_key" ] || printf '%s\n' "$certificate_key" >"$certificate_key_file"
  start_keystone_auth
  printf '%s\n' "$cluster_config" >"$complete.new"
  mv "$complete.new" "$complete"
  serve_again
  rm "$begun"
}

update() { [ -e "$complete" ] || create; }

exclusively
"$1" </dev/null
