#!/usr/bin/env bash
# Runs a program, with its arguments, in the environment of the engine of env.sh; on a machine with a lab, with the
# lab's cloud unless another is set.
set -euo pipefail

# shellcheck source-path=SCRIPTDIR source=env.sh
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

lab=${VNFM_LAB:-/var/lib/vnfm-lab}
if [ -e "$lab/clouds.yaml" ] && [ -z "${OS_CLOUD:-}${OS_AUTH_URL:-}" ]; then
  export OS_CLIENT_CONFIG_FILE=$lab/clouds.yaml OS_CLOUD=lab
fi
exec "$@"
