# shellcheck shell=bash disable=SC2154
# The control plane of a sole master outlives its server: a copy of etcd and of /etc/kubernetes, encrypted and signed,
# waits on a worker while the server is replaced. The new server makes it one of kubernetes_version, where that is newer.
#
# create: a new server gets the control plane from the copy, and the copy is removed
# delete: the copy is made. etcd rests from then on, so nothing that was acknowledged is missing in the copy, and the
#         others see the same etcd go on
#
# node_name                                 name of this Node
# kubernetes_version                        v1.34.4; empty where the version is that of the copy
# kubeadm_config, access_manifest           as for init-master.sh
# drain_seconds, delete_emptydir_data       as for membership.sh
# store_node, store_address, store_user, store_host_key  the worker, see control-plane-store.sh
# store_key                                 private key for it; what encrypts the copy is derived from it

manifest=/etc/kubernetes/manifests/etcd.yaml
# etcd's manifest while etcd is to rest; goes when its next server has everything
parked=/etc/kubernetes/vnfm-etcd.yaml
copy=/var/lib/vnfm-control-plane
keys=/run/vnfm-control-plane
config=/run/vnfm-kubeadm.yaml

unlock() {
  trap forget EXIT
  command -v ssh >/dev/null || die "ssh is not installed: the control plane cannot be copied to $store_node and back"
  mkdir -p "$keys"
  printf '%s' "$store_key" >"$keys/login"
  printf 'store %s\n' "$store_host_key" >"$keys/known_hosts"
  printf 'master %s\n' "$(ssh-keygen -y -f "$keys/login")" >"$keys/signers"
  printf 'secret of the copy\n%s' "$store_key" | sha256sum | cut -d' ' -f1 >"$keys/secret"
}

forget() { rm -rf "$keys" "$copy" "$copy.signature" "$config"; }

# put, get, has, drop; 255 is "not reached"
store() {
  ssh -F none -i "$keys/login" -o IdentitiesOnly=yes -o BatchMode=yes -o LogLevel=ERROR -o ConnectTimeout=10 \
    -o ServerAliveInterval=10 -o StrictHostKeyChecking=yes -o HostKeyAlias=store -o CheckHostIP=no \
    -o UserKnownHostsFile="$keys/known_hosts" -o GlobalKnownHostsFile=/dev/null "$store_user@$store_address" "$1"
}

store_answers() {
  local status=0
  store has || status=$?
  [ "$status" != 255 ]
}

cipher() { openssl enc -aes-256-ctr -pbkdf2 -pass "file:$keys/secret" "$@"; }

api_answers() { kubectl get --raw /readyz --request-timeout=10s >/dev/null 2>&1; }

rest() {
  # it starts etcd again, and stops none where the API does not answer
  systemctl stop kubelet
  [ ! -e "$manifest" ] || mv "$manifest" "$parked"
  local process
  for process in /proc/[0-9]*; do
    [ "$(cat "$process/comm" 2>/dev/null)" != etcd ] || kill "${process#/proc/}" || true
  done
  # etcd has a lock on it while it runs
  exec 6<"$(etcd_data)/member/snap/db"
  flock -w 120 6 || die "etcd does not stop on SIGTERM: see 'crictl ps' there"
}

etcd_data() { sed -n 's/^ *- --data-dir=//p' "$parked"; }

go_on() {
  exec 6<&-
  cp "$parked" "$parked.new"
  mv "$parked.new" "$manifest"
  # also ends its waiting for what failed before
  systemctl restart kubelet
}

# where no copy can be made
stay() {
  go_on
  rm "$parked"
  within 120 api_answers || return 0
  kubectl uncordon "$node_name" >&2
}

save() {
  local data
  data=$(etcd_data)
  cd /
  tar -c --numeric-owner --transform="s,^${complete#/}\$,&.new," etc/kubernetes "${data#/}" \
    var/lib/kubelet/{pki,*.yaml,*.env} | gzip -1 | cipher >"$copy"
  ssh-keygen -q -Y sign -f "$keys/login" -n vnfm <"$copy" >"$copy.signature"
  { base64 -w0 "$copy.signature" && echo && cat "$copy"; } | store put
}

restore() {
  within 120 store_answers ||
    die "$store_node does not answer at $store_address, and the control plane is there: bring it back, then run again"
  store has || die "this server is new, and $store_node has no copy of the control plane: the server before went \
without one, and the cluster with it. Terminate the instance and make it anew"
  systemctl stop kubelet
  store get | {
    IFS= read -r signature
    base64 -d <<<"$signature" >"$copy.signature"
    cat >"$copy"
  }
  ssh-keygen -q -Y verify -f "$keys/signers" -I master -n vnfm -s "$copy.signature" <"$copy" >&2 ||
    die "the copy of the control plane on $store_node is not what the master left there: nothing of it is used"
  cipher -d <"$copy" | gzip -d | tar -x -p --numeric-owner -C /
  fit_version
  sync
  mv "$complete.new" "$complete"
}

# https://kubernetes.io/releases/version-skew-policy/: masters go up one minor version at a time, by kubeadm of that
# version; a kubelet may be older than its API server, never newer
fit_version() {
  local kubelet kubeadm present wanted way_out="give this node a new token under heal. The copy stays"
  kubelet=$(kubelet --version | awk '{ print $2 }')
  kubeadm=$(kubeadm version -o short)
  present=$(sed -n 's/^ *image: .*:\(v1\.[0-9]*\.[0-9]*\).*/\1/p' /etc/kubernetes/manifests/kube-apiserver.yaml)
  [ -n "$present" ] || die "the copy's kube-apiserver has an image without a version: $way_out"
  wanted=$(printf '%s\n' "$present" "$kubernetes_version" | sort -V | tail -n 1)
  (($(minor "$wanted") - $(minor "$present") <= 1)) || die "kubernetes_version is $wanted, and the cluster is of \
$present: a master goes up one minor version at a time. Take kubernetes_version and an image of v1.$(($(minor "$present") + 1)), \
and $way_out"
  (($(minor "$kubelet") <= $(minor "$wanted"))) || die "the image has kubelet $kubelet, and the cluster is of $wanted: \
take an image of v1.$(minor "$wanted"), or set kubernetes_version to the image's, and $way_out"
  [ "$wanted" != "$present" ] || return 0
  [ "$(minor "$kubeadm")" = "$(minor "$wanted")" ] || die "the image has kubeadm $kubeadm, and kubernetes_version is \
$wanted: kubeadm makes masters of its own minor version. Take an image of v1.$(minor "$wanted"), and $way_out"
  go_up "$wanted"
}

# the static Pods and the kubelet's files, as kubeadm makes them in a cluster that begins
go_up() { # VERSION
  say "the control plane becomes one of $1"
  fill_in "$1" <"$complete.new" >"$config"
  kubeadm init phase control-plane all --config "$config" >&2
  kubeadm init phase etcd local --config "$config" >&2
  # etcd rests until all of this is done
  mv "$manifest" "$parked"
  kubeadm init phase kubelet-start --config "$config" >&2
}

# what etcd knows of this Node is from the server before until the kubelet has reported
has_reported() { # SINCE
  local status reported
  read -r status reported < <(kubectl get node "$node_name" -o \
    'jsonpath={range .status.conditions[?(@.type=="Ready")]}{.status} {.lastHeartbeatTime}{"\n"}{end}')
  [ "$status" = True ] && [[ ! $reported < $1 ]]
}

create() {
  # the cluster has begun here, or everything is back already
  [ ! -e "$complete" ] || [ -e "$parked" ] || return 0
  unlock
  [ -e "$complete" ] || restore
  local since
  since=$(date -u +%Y-%m-%dT%H:%M:%SZ)
  go_on
  # images may have to be pulled
  within 600 api_answers || die "the Kubernetes API does not answer: see 'crictl ps -a' and the kubelet's journal there"
  # where somebody removed the Node, the kubelet makes it
  within 120 kubectl uncordon "$node_name" || die "there is no Node $node_name: see the kubelet's journal there"
  printf '%s\n' "$access_manifest" | apply
  within 300 has_reported "$since" || die "node $node_name is not Ready after 300 s: see 'kubectl describe node $node_name'"
  # one that is down keeps what nobody can read, until the next copy
  store drop || true
  unchanged
  rm "$parked"
}

delete() {
  # a server without the control plane: it is lost, or its copy waits for the next one
  [ -e "$complete" ] || return 0
  [ -e "$manifest" ] || [ -e "$parked" ] || die "etcd does not run on this node: its sole master cannot be replaced"
  unlock
  store drop || die "$store_node does not answer at $store_address. It is to have the control plane while this server \
is replaced: heal it first. Nothing has changed"
  # a node that is leaving is drained through this master
  exec 7>/run/vnfm-drain.lock
  flock -w 900 7 || die "a node has been draining for 15 minutes; see who holds /run/vnfm-drain.lock"
  if api_answers; then
    [ -n "$(kubectl get node "$store_node" --ignore-not-found -o name)" ] ||
      die "$store_node is leaving the cluster, and it is to have the control plane while this server is replaced: run \
the same command again"
    # so that the cluster's DNS goes on, where it is on the master
    [ -z "$(kubectl get node "$node_name" --ignore-not-found -o name)" ] || drain
  fi
  trap 'forget; stay' EXIT
  rest
  save
  trap forget EXIT
}

exclusively
"$1" </dev/null
