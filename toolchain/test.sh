#!/usr/bin/env bash
# Tests what is ours here: the two plugins alone, then the engine with each; the last one needs a cloud.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
(cd "$here/command-plugin" && go vet ./... && go test -count=1 ./...)
(cd "$here/openstack-plugin" && go vet ./... && go test -count=1 ./...)
"$here/engine-test/run.sh"
"$here/cloud-test/run.sh"
