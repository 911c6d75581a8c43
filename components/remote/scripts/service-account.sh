# shellcheck shell=bash disable=SC2154
# print: the token of vnfm's service account. A new rotation re-creates the account, which invalidates the former token
#
# namespace, service_account, secret  the account, and the Secret with its token
# access_manifest                     as for init-master.sh
# rotation                            trigger value of the rotation; empty if there is none

. ./functions/kubectl.sh

# annotation of the account: the rotation that created it
annotation=vnfm/rotation

account() { # JSONPATH
  kubectl -n "$namespace" get serviceaccount "$service_account" --ignore-not-found -o "jsonpath=$1"
}
token() { kubectl -n "$namespace" get secret "$secret" -o 'jsonpath={.data.token}'; }
has_token() { [ -n "$(token)" ]; }
has_no_secret() { [ -z "$(kubectl -n "$namespace" get secret "$secret" --ignore-not-found -o name)" ]; }

await_token() {
  within 60 has_token || die "Secret $namespace/$secret has no token: is kube-controller-manager running?"
}

# Re-creates the account, because a new Secret of the same account would have the same token
rotate() {
  [ -n "$rotation" ] || return 0
  [ "$(account "{.metadata.annotations.$annotation}")" != "$rotation" ] || return 0
  kubectl -n "$namespace" delete serviceaccount "$service_account" --ignore-not-found >&2
  # the old account's Secret is deleted with a delay, and would be mistaken for the new one
  within 60 has_no_secret ||
    die "Secret $namespace/$secret does not fit its service account: is kube-controller-manager running?"
  printf '%s\n' "$access_manifest" | apply
  await_token
  kubectl -n "$namespace" annotate --overwrite serviceaccount "$service_account" "$annotation=$rotation" >&2
}

create() {
  rotate
  await_token
  token | base64 -d
}

"$1" </dev/null
