# shellcheck shell=bash disable=SC2154
# What scripts share. Each gets those of these functions whose names it has, and those that they have.

# what kubeadm has made of its configuration stays as it is
unchanged() {
  diff "$complete" <(printf '%s\n' "$kubeadm_config") >&2 ||
    die "the settings above ('<' as the cluster was made, '>' as they are now) cannot change on a cluster that \
runs: set them back, or make a new cluster"
}

# fill_in VERSION: kubeadm's configuration, on standard input, for this node; for a kubelet with $provider_id
fill_in() {
  local text key
  text=$(cat)
  # not by sed, whose arguments every process can see
  key=$(<"$certificate_key_file")
  text=${text//@KUBERNETES_VERSION@/"$1"}
  text=${text//@PROVIDER_ID@/"${provider_id:-}"}
  printf '%s\n' "${text//@CERTIFICATE_KEY@/"$key"}"
}

# a run that was cut off may still be at work here
exclusively() {
  exec 9>/run/vnfm.lock
  flock -w 1200 9 || die "another run of vnfm has held this node for 20 minutes; see who holds /run/vnfm.lock"
}

# what the image lacks at boot, cloud-init may bring
settle() {
  # 2 is "done, with recoverable errors"
  command -v cloud-init >/dev/null || return 0
  timeout -k 30 600 cloud-init status --wait >/dev/null 2>&1 || [ $? = 2 ] || {
    cloud-init status --long >&2 || true
    die "cloud-init failed, or has not ended in 600 s: see its words above, and /var/log/cloud-init-output.log there"
  }
}

# for apt's commands. In the environment, as an option would show a proxy's password in the process list
apt_environment() {
  # what packages make is for every user of the node
  umask 022
  export DEBIAN_FRONTEND=noninteractive http_proxy=$http_proxy_url https_proxy=$https_proxy_url no_proxy=$no_proxy_list
}

# unlocked COMMAND...: runs one of apt's or dpkg's commands, and runs it again while another process has one of their
# locks, as unattended-upgrades has after the first boot. apt by itself can wait for dpkg's lock alone. Sets `said`, the
# command's words
unlocked() {
  local start=$SECONDS
  until said=$("$@" 2>&1); do
    [[ $said == *"Could not get lock"* || $said == *"locked by another process"* ]] || return 1
    if ((SECONDS - start >= 300)); then
      say "$said"
      die "another process has held a lock of apt or dpkg for 300 s, see their words above: run again once it has \
ended; 'systemctl status unattended-upgrades apt-daily apt-daily-upgrade' there says what it does"
    fi
    sleep 2
  done
}

# apt_get COMMAND OPTION...: in apt's environment; as unlocked
apt_get() {
  unlocked apt-get -q -y -o Acquire::Retries=3 -o Dpkg::Options::=--force-confold "$@"
}

# needs COMMAND PACKAGE...: installs Debian's packages where the command is missing, through the site's proxy
needs() {
  local command=$1
  shift
  ! command -v "$command" >/dev/null || return 0
  command -v apt-get >/dev/null || die "$command is not installed: use an image that has it"
  say "$command is not installed: installing $*"
  (
    apt_environment
    { apt_get update && apt_get install --no-install-recommends "$@"; } || {
      say "$said"
      die "$command is not installed and apt-get cannot install $*: use an image that has it, or give the node a \
package repository that it can reach"
    }
  )
}

# within SECONDS COMMAND...: until the command succeeds
within() {
  local limit=$1 start=$SECONDS
  shift
  until "$@" >/dev/null 2>&1; do
    ((SECONDS - start < limit)) || return 1
    sleep 0.5
  done
}

# is_ready NODE
is_ready() {
  [ "$(kubectl get node "$1" -o 'jsonpath={.status.conditions[?(@.type=="Ready")].status}')" = True ]
}

# will_be_ready NODE: waits for it, a while; asked again and again, kubectl would take a master's time from nodes that join
will_be_ready() { kubectl wait --for=condition=Ready "node/$1" --timeout=20s; }

not_ready() {
  kubectl describe node "$node_name" >&2 || true
  die "node $node_name is not Ready after 300 s"
}

# the pods of the Node move, where they may
drain() {
  kubectl drain "$node_name" --ignore-daemonsets --delete-emptydir-data="$delete_emptydir_data" \
    --timeout="${drain_seconds}s" >&2 ||
    die "node $node_name cannot be drained in $drain_seconds s: the lines above name the pods and their budgets. \
It stays cordoned and in the cluster; run the same command again once the pods may move"
}

# without_block FILE BEGIN END: its lines, but for those from BEGIN to END. Where END is gone, so is what tells ours from
# others'
without_block() {
  local status=0
  awk -v begin="$2" -v end="$3" '
    inside && /^# BEGIN / { exit 3 }
    $0 == begin { inside = 1 }
    !inside { print }
    $0 == end { inside = 0 }
    END { if (inside) exit 3 }' "$1" || status=$?
  [ "$status" != 3 ] ||
    die "$1 has the line '$2', and its end, '$3', is gone: take what is left of these lines out of the file, and run \
the same command again"
  return "$status"
}

nfs_service() { if [ "$nfs_server" = ganesha ]; then echo nfs-ganesha; else echo nfs-server; fi; }

# minor VERSION: 34 of v1.34.4
minor() {
  local rest=${1#v1.}
  printf '%s\n' "${rest%%[!0-9]*}"
}

# manifests on standard input
apply() {
  kubectl apply --server-side --force-conflicts -f - >&2
}

# in_url ADDRESS: as it is in a URL
in_url() {
  case $1 in *:*) printf '[%s]\n' "$1" ;; *) printf '%s\n' "$1" ;; esac
}

# etcdctl on a master whose etcd is well, and which is not $leaving; on this one first: to ask a dead one takes long
etcdctl_somewhere() {
  local masters master
  masters=$(kubectl get nodes -l node-role.kubernetes.io/control-plane -o name --request-timeout=20s)
  for master in "$(hostname)" ${masters//node\//}; do
    [ "$master" != "${leaving:-}" ] || continue
    if etcdctl_on "$master" 15 endpoint health >/dev/null 2>&1; then
      etcdctl_on "$master" 60 "$@"
      return
    fi
  done
  say "no other master has an etcd that is well"
  return 1
}

# etcdctl_on MASTER SECONDS ARGUMENTS...
etcdctl_on() {
  local master=$1 limit=$2 pki=/etc/kubernetes/pki/etcd
  shift 2
  timeout -k 5 "$limit" kubectl -n kube-system exec -c etcd "etcd-$master" -- etcdctl --endpoints https://127.0.0.1:2379 \
    --cacert "$pki/ca.crt" --cert "$pki/server.crt" --key "$pki/server.key" "$@"
}

# sets `all`: the members as lines of "id, status, name, peer URL, client URL, is learner"
read_members() { all=$(etcdctl_somewhere member list -w simple); }

# ids of $node_name among these members: by its name, or by $node_address where it has not started
ids_among() {
  awk -F', ' -v name="$node_name" -v url="https://$(in_url "$node_address"):2380" \
    '$3 == name || $4 == url { print $1 }' <<<"$1"
}

# this node has no place in etcd
is_out_of_etcd() {
  local all id
  read_members || return
  for id in $(ids_among "$all"); do
    etcdctl_somewhere member remove "$id" || return
  done
}
