#!/usr/bin/env bash
# Runs a program, with its arguments, in the environment of the engine of env.sh; on a machine with a lab, with the
# lab's cloud unless another is set:
#   with-engine.sh PROGRAM...            fetches or builds an engine where there is none
#   with-engine.sh --if-there PROGRAM... does not: for a program of which some uses need none
set -euo pipefail

vnfm_if_there=
if [ "${1:-}" = --if-there ]; then
  vnfm_if_there=yes
  shift
fi

# shellcheck source-path=SCRIPTDIR source=env.sh
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

lab=${VNFM_LAB:-/var/lib/vnfm-lab}
if [ -e "$lab/clouds.yaml" ] && [ -z "${OS_CLOUD:-}${OS_AUTH_URL:-}" ]; then
  export OS_CLIENT_CONFIG_FILE=$lab/clouds.yaml OS_CLOUD=lab
fi

# The Kubernetes plugin writes the kubeconfig of each cluster into a temporary file, for settings of Helm that it reads
# nowhere, and nobody removes it: these files are beside the state, and those of former runs go; so does what a run that
# was killed has left of others. No run takes a day.
temporary=$vnfm_state/tmp
if [ "${TMPDIR:-$temporary}" = "$temporary" ]; then
  export TMPDIR=$temporary
  mkdir -p "$TMPDIR"
  # what cannot be removed is said, and stops nothing; other runs remove theirs meanwhile
  find "$TMPDIR" -ignore_readdir_race -mindepth 1 -maxdepth 1 \( -name 'kubeconfig[0-9]*' -o -mmin +1440 \) \
    -exec rm -rf {} + || true
fi
exec "$@"
