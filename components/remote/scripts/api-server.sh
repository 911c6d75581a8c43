# shellcheck shell=bash disable=SC2154
# ensure: kube-apiserver on this control-plane node uses these files; if they change, it is restarted
#
# node_name          name of this Node
# files              policies: lines of "mode path content", the content in base64
# encryption_config  the EncryptionConfiguration with the new keys; empty if Secrets are not encrypted
# step               a part of the change. Each part runs on all control-plane nodes before the next one starts, so that
#                    every node can decrypt what others write.
#                    https://kubernetes.io/docs/tasks/administer-cluster/encrypt-data/
#   know             the policies; and new keys are added after the existing ones, for decryption
#   use              new keys come first: the first of them encrypts
#   forget           Secrets with another key are encrypted again; then the other keys are removed

. ./functions/etcd.sh
. ./functions/files.sh
. ./functions/static-pods.sh

# exists while a restart of kube-apiserver is due
due=/etc/kubernetes/vnfm-api-server-due
annotation=vnfm/files

# write MODE PATH CONTENT: writes the file if its content differs
write() {
  base64 -d <<<"$3" | cmp -s - "$2" && return 0
  : >"$due"
  write_file "$@"
}

write_policies() { each_file write "$files"; }

# prints the keys of a configuration as lines of "name key", in their order
keys_in() { awk '$2 == "name:" { name = $3 } $1 == "secret:" { print name, $2 }'; }

# prints the configuration with the keys from standard input
with_keys() {
  local name key
  sed '/^ *keys:$/q' <<<"$encryption_config"
  while read -r name key; do
    printf '            - name: %s\n              secret: %s\n' "$name" "$key"
  done
  sed -n '/^ *- identity:/,$p' <<<"$encryption_config"
}

write_keys() {
  local keys wanted present
  wanted=$(keys_in <<<"$encryption_config")
  present=$(keys_in <"$encryption")
  case $step in
    know) keys=$present$'\n'$wanted ;;
    use) keys=$wanted$'\n'$present ;;
    forget) keys=$wanted ;;
  esac
  if [ "$step" = forget ] && [ "$present" != "$wanted" ]; then encrypt_all "${wanted%% *}"; fi
  write 0600 "$encryption" "$(awk 'NF && !seen[$2]++' <<<"$keys" | with_keys | base64 -w0)"
}

# stale NAME: prints the Secrets in etcd, as namespace/name, that are not encrypted by the key of this name. etcd prints a
# line with the key and then the value. At least one Secret always exists; without any, the answer is wrong
stale() {
  etcdctl_somewhere get /registry/secrets/ --prefix | tr -d '\0' |
    LC_ALL=C awk -v begin="k8s:enc:secretbox:v1:$1:" -v always=kube-system/vnfm-token '
      secret != "" { if (index($0, begin) != 1) print secret; secret = ""; next }
      index($0, "/registry/secrets/") == 1 { secret = substr($0, 19); if (secret == always) found = 1 }
      END { exit !found }'
}

# all_encrypted NAME: succeeds if all Secrets are encrypted by the key of this name, after it has rewritten the others. A
# Secret that changes or is deleted at the same time is checked again
all_encrypted() {
  local secrets secret
  secrets=$(stale "$1") || return
  [ -n "$secrets" ] || return 0
  while read -r secret; do
    kubectl -n "${secret%%/*}" get secret "${secret#*/}" -o json | kubectl replace -f - || true
  done <<<"$secrets"
  secrets=$(stale "$1") && [ -z "$secrets" ]
}

encrypt_all() {
  within 300 all_encrypted "$1" || all_encrypted "$1" >&2 || die "not every Secret could be written again with the new \
key, so the former keys stay: see the lines above, and run the same command again"
}

restart() {
  local mark
  mark=$({
    printf '%s\n' "$files"
    [ ! -e "$encryption" ] || cat "$encryption"
  } | sha256sum | cut -c 1-16)
  restart_component kube-apiserver "$annotation" "$mark"
  within 300 runs_with kube-apiserver "$annotation" "$mark" || die "kube-apiserver is not Ready with its new files after \
300 s: see 'crictl ps -a' and the kubelet's journal there"
  rm "$due"
}

create() {
  [ "$step" != know ] || write_policies
  [ -z "$encryption_config" ] || write_keys
  [ ! -e "$due" ] || restart
}

exclusively
"$1" </dev/null
