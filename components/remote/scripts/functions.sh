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

# write_file MODE PATH CONTENT: at once; the content is in base64
write_file() {
  install -d -m 755 "${2%/*}"
  base64 -d <<<"$3" | install -m "$1" /dev/stdin "$2.new"
  mv "$2.new" "$2"
}

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

# read_status NODE: sets `found`, its name and whether it is Ready; empty where there is no such Node
read_status() {
  found=$(kubectl get node "$1" --ignore-not-found --request-timeout=10s \
    -o 'jsonpath={.metadata.name} {.status.conditions[?(@.type=="Ready")].status}')
}

# kubelet_answers NODE: it is well, by itself; a live one may miss a question
kubelet_answers() {
  local try
  for try in 1 2 3; do
    ! kubectl get --raw "/api/v1/nodes/$1/proxy/healthz" --request-timeout=10s >/dev/null || return 0
    say "the kubelet of $1 does not answer, $try of 3"
  done
  return 1
}

# read_lease NODE: sets `lease`, when the kubelet has renewed it, and the seconds after which the node is not Ready
# without that; empty where there is none
read_lease() {
  lease=$(kubectl -n kube-node-lease get lease "$1" --ignore-not-found --request-timeout=10s \
    -o 'jsonpath={.spec.renewTime} {.spec.leaseDurationSeconds}')
}

# renews_lease NODE: in that time a kubelet does so four times
renews_lease() {
  local lease first seconds start=$SECONDS
  within 120 read_lease "$1" || die "the lease of $1 cannot be read: the Kubernetes API does not answer"
  first=$lease
  seconds=${lease##* }
  say "waiting up to ${seconds:-0} s for the kubelet of $1 to renew its lease"
  while ((SECONDS - start <= ${seconds:-0})); do
    ! read_lease "$1" || [ "$lease" = "$first" ] || return 0
    sleep 0.5
  done
  return 1
}

# is_gone NODE: two say so. Its kubelet does not answer, and its Node is not Ready or its lease stands still: a node that
# died is called Ready for most of a minute. A kubelet whose certificate is refused, or whose port is closed, answers
# nobody, and its pods run
is_gone() {
  local found
  ! kubelet_answers "$1" || return 1
  within 120 read_status "$1" || die "whether node $1 is Ready cannot be read: the Kubernetes API does not answer"
  [ "$found" = "$1 True" ] || return 0
  ! renews_lease "$1"
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
It stays cordoned and in the cluster; run the same command again once the pods may move, or, if the node is broken, \
once its server is stopped: what is gone is not drained"
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

# the id of the etcd container that runs here; empty where none does, or ctr does not know
etcd_here() {
  local running id
  running=$(ctr -n k8s.io tasks ls 2>/dev/null) || return 0
  for id in $(ctr -n k8s.io containers ls -q \
    "labels.\"io.kubernetes.pod.name\"==etcd-$(hostname),labels.\"io.kubernetes.container.name\"==etcd" 2>/dev/null); do
    ! grep -q "^$id .*RUNNING" <<<"$running" || printf '%s\n' "$id"
  done
}

# address_of NODE
address_of() {
  kubectl get node "$1" --request-timeout=20s -o 'jsonpath={.status.addresses[?(@.type=="InternalIP")].address}' |
    cut -d ' ' -f 1
}

# etcdctl_on MASTER SECONDS ARGUMENTS...: asks the etcd of a master. From the etcd container that runs here; kubectl's way
# leads through the master's kubelet, which may answer nobody while all else is well
etcdctl_on() {
  local master=$1 limit=$2 pki=/etc/kubernetes/pki/etcd container address=127.0.0.1 run
  shift 2
  container=$(etcd_here)
  if [ -n "$container" ]; then
    [ "$master" = "$(hostname)" ] || address=$(address_of "$master") || return
    run=(ctr -n k8s.io tasks exec --exec-id "vnfm-$BASHPID-$RANDOM" "$container")
  else
    run=(kubectl -n kube-system exec -c etcd "etcd-$master" --)
  fi
  timeout -k 5 "$limit" "${run[@]}" etcdctl --endpoints "https://$(in_url "$address"):2379" \
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
