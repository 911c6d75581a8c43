#!/usr/bin/env bash
# Tests what is ours here: the two plugins alone, then the engine with each; the last one needs a cloud.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
for module in command-plugin openstack-plugin; do
  (cd "$here/$module" && go vet ./... && go test -count=1 ./...)
done
"$here/engine-test/run.sh"
"$here/cloud-test/run.sh"
