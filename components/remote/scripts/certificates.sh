# shellcheck shell=bash disable=SC2154
# ensure: kubeadm's certificates on this control-plane node are not older than the rotation, and its components use them
# print, and expiry: the first expiry of these certificates, and the first of the CAs, as JSON
#
# node_name  name of this Node
# rotation   trigger value of the rotation; empty if none was requested

. ./functions/kubectl.sh
. ./functions/static-pods.sh

# start of the present rotation
record=vnfm-certificates
# annotation of a static pod: the rotation whose certificates it has loaded
annotation=vnfm/certificates

api_answers() { kubectl get --raw /readyz --request-timeout=10s; }

# sets `since`
begin() {
  local known
  known=$(kubectl -n kube-system get configmap "$record" --ignore-not-found -o 'jsonpath={.data.since} {.data.rotation}')
  since=${known%% *}
  [ "${known#* }" != "$rotation" ] || return 0
  since=$(date -u +%Y-%m-%dT%H:%M:%SZ)
  kubectl -n kube-system create configmap "$record" --from-literal=since="$since" --from-literal=rotation="$rotation" \
    --dry-run=client -o yaml | apply
}

# this node joined after the rotation began, so it has new certificates
joined_since() { [ -n "$(find "$complete" -newermt "$since")" ]; }

# all others must be Ready, not only a majority: a missing node would not get new certificates
others_are_ready() {
  local nodes
  nodes=$(kubectl get nodes -l node-role.kubernetes.io/control-plane \
    -o 'jsonpath={range .items[*]}{.metadata.name} {.status.conditions[?(@.type=="Ready")].status}{"\n"}{end}') || return
  ! grep -v -e "^$node_name " -e ' True$' <<<"$nodes"
}

await() {
  within 300 runs_with "$1" "$annotation" "$since" || die "$1 is not Ready with its new certificates after 300 s: see 'crictl ps -a' and the \
kubelet's journal there"
}

# certificates FILE...: prints the existing certificates, and client certificates of kubeconfigs, each as a line of base64
certificates() {
  local file
  for file in "$@"; do
    [ -e "$file" ] || continue
    case $file in
      *.conf) sed -n 's/^ *client-certificate-data: *//p' "$file" ;;
      *) base64 -w0 "$file" && echo ;;
    esac
  done
}

# first_end FILE...: prints the first expiry
first_end() {
  local certificate end
  while read -r certificate; do
    end=$(base64 -d <<<"$certificate" | openssl x509 -noout -enddate)
    date -u -d "${end#*=}" +%Y-%m-%dT%H:%M:%SZ
  done < <(certificates "$@") | sort | head -n 1
}

# the certificates that 'kubeadm certs renew all' renews; kubelets renew their own
expiry() {
  local conf=/etc/kubernetes pki=/etc/kubernetes/pki first of_cas
  first=$(first_end "$pki"/{apiserver,apiserver-kubelet-client,apiserver-etcd-client,front-proxy-client}.crt \
    "$pki"/etcd/{server,peer,healthcheck-client}.crt "$conf"/{admin,super-admin,controller-manager,scheduler}.conf)
  of_cas=$(first_end "$pki"/ca.crt "$pki"/front-proxy-ca.crt "$pki"/etcd/ca.crt)
  printf '{"expiresAt":"%s","caExpiresAt":"%s"}\n' "$first" "$of_cas"
}

renew() {
  local since component components=(etcd kube-apiserver kube-controller-manager kube-scheduler)
  within 120 api_answers || die "the Kubernetes API does not answer. If its certificates have expired, run 'kubeadm \
certs renew all' on each control-plane node, and restart its control-plane containers; then run the same command again"
  begin
  ! joined_since || return 0
  if ! has_mark "${components[-1]}" "$annotation" "$since"; then
    within 120 others_are_ready || die "another control-plane node is not Ready, and etcd's restart on $node_name could leave no \
majority: heal that node first"
    kubeadm certs renew all >&2
  fi
  # restarted together, because the kubelet checks only three times a minute; other control-plane nodes keep running
  for component in "${components[@]}"; do restart_component "$component" "$annotation" "$since"; done
  for component in "${components[@]}"; do await "$component"; done
}

create() {
  [ -z "$rotation" ] || renew
  expiry
}

exclusively
"$1" </dev/null
