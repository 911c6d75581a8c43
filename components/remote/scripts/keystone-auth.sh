# shellcheck shell=bash disable=SC2154
# ensure: k8s-keystone-auth runs on this control-plane node, as a static pod with these files
# check: the kubelet has the static pod
#
# node_name  name of this Node
# files      its files: lines of "mode path content", the content in base64
# pod        its static pod in YAML
# before     command before its start
# after      command once the API answers

. ./functions/files.sh
. ./functions/keystone-auth.sh
. ./functions/static-pods.sh

# a changed value restarts the pod
annotation=vnfm/files

# as a file, because arguments are in the process list
run() { bash -euo pipefail <(printf '%s\n' "$1"); }

create() {
  local mark
  mark=$(sha256sum <<<"$files $pod" | cut -c 1-16)
  each_file write_file "$files"
  run "$before" >&2 || die "the certificate of k8s-keystone-auth cannot be created: see the lines above"
  within 120 run "$after" || run "$after" >&2 || die "the Kubernetes API does not grant the rights of k8s-keystone-auth: \
see the lines above"
  kubectl annotate --local -f - "$annotation=$mark" -o yaml <<<"$pod" >"$keystone_auth_pod.new"
  mv "$keystone_auth_pod.new" "$keystone_auth_pod"
  start_keystone_auth
  within 300 runs_with k8s-keystone-auth "$annotation" "$mark" || die "k8s-keystone-auth is not Ready after 300 s: see \
'crictl ps -a' and the kubelet's journal there. Can the node pull its image, apiServer.keystone.image?"
}

check() {
  [ -e "$keystone_auth_manifest" ] || echo "$keystone_auth_manifest no longer exists, so users of Keystone are rejected"
}

exclusively
"$1" </dev/null
