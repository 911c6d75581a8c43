#!/usr/bin/env bash
# The OpenStack plugin against a cloud: create, update, replace, refresh, import, delete. It leaves nothing behind.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
modules=$here/../../node_modules
[ -d "$modules/@pulumi/openstack" ] || { echo "cloud-test: run \`npm ci\` in the root of the repository" >&2; exit 1; }
[ -n "${OS_CLOUD:-}${OS_AUTH_URL:-}" ] || [ -e "${VNFM_LAB:-/var/lib/vnfm-lab}/clouds.yaml" ] ||
  { echo "skip	cloud-test: no cloud; set OS_CLOUD, or start the lab"; exit; }

# A copy, because the engine writes the stack's settings beside the program.
work=$(mktemp -d)
cp "$here"/{Pulumi.yaml,index.js,package.json} "$work"
ln -s "$modules" "$work/node_modules"
mkdir "$work/backend"
export VNFM_ENGINE=built PULUMI_BACKEND_URL=file://$work/backend PULUMI_CONFIG_PASSPHRASE=test
export DESCRIPTION=first CIDR=10.250.0.0/24 SIZE=1 ONLY_NETWORK_NAMED=
cd "$work"

quiet() {
  "$here/../pulumi.sh" "$@" --non-interactive >log 2>&1 || {
    cat log >&2
    return 1
  }
}
up() { quiet up --yes --stack first "$@"; }
output() { "$here/../pulumi.sh" stack output --stack first "$@"; }

clean_up() {
  quiet destroy --yes --stack first || {
    echo "cloud-test: not everything was deleted; to try again: cd $work && PULUMI_BACKEND_URL=$PULUMI_BACKEND_URL" \
      "PULUMI_CONFIG_PASSPHRASE=test $here/../pulumi.sh destroy --stack first" >&2
    return
  }
  rm -rf "$work"
}

# expect WHAT GOT PATTERN
expect() {
  # shellcheck disable=SC2053 # the right side is a pattern
  [[ $2 == $3 ]] || {
    echo "cloud-test: $1 is \"$2\", expected $3" >&2
    exit 1
  }
}

quiet stack init first
trap clean_up EXIT
up
expect "the automatic name" "$(output networkName)" "net-[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]"
expect "the network that is looked up" "$(output found)" "$(output networkName)"
expect "the address of the port" "$(output address)" "10.250.0.*"
expect "the private key in the outputs" "$(output privateKey)" "?secret?"
expect "the secret in the outputs" "$(output secret)" "?secret?"
expect "the private key" "$(output privateKey --show-secrets)" "-----BEGIN*"
quiet stack export --stack first
! grep -q "PRIVATE KEY" log || expect "the private key in the state" "plain text" "encrypted"
up --expect-no-changes

network=$(output networkId) subnet=$(output subnetId) volume=$(output volumeId)
DESCRIPTION=second SIZE=2 up
expect "the network after an update" "$(output networkId)" "$network"
expect "the volume after an update" "$(output volumeId) $(output volumeSize)" "$volume 2"
export DESCRIPTION=second SIZE=2

export CIDR=10.250.1.0/24
up
[ "$(output subnetId)" != "$subnet" ] || expect "the subnet after a change of its CIDR" "$subnet" "another one"
expect "the address of the port on the new subnet" "$(output address)" "10.250.1.*"

# Another stack takes the network over and changes it: drift for the first.
quiet refresh --yes --stack first --expect-no-changes
name=$(output networkName)
quiet stack init second
cat >import.json <<EOF
{ "resources": [{ "type": "openstack:networking/network:Network", "name": "net", "id": "$network", "version": "5.5.1" }] }
EOF
quiet import --file import.json --yes --protect=false --generate-code=false --stack second
ONLY_NETWORK_NAMED=$name DESCRIPTION=second quiet up --yes --expect-no-changes --stack second
ONLY_NETWORK_NAMED=$name DESCRIPTION=drift quiet up --yes --stack second
quiet stack rm --yes --force --preserve-config second
quiet refresh --yes --stack first
grep -q "net .*updated" log || expect "the refresh after a change by others" "$(cat log)" "an updated net"
up
expect "the network after a repair" "$(output networkId)" "$network"
echo "ok	cloud-test"
