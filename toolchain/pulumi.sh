#!/usr/bin/env bash
# Runs pulumi with the engine of env.sh; on a machine with a lab, against the lab's cloud unless another is set.
set -euo pipefail
exec "$(dirname "${BASH_SOURCE[0]}")/with-engine.sh" pulumi "$@"
