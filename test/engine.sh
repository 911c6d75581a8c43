#!/usr/bin/env bash
# Runs engine tests, with the real CLI, plugins and cloud. Starts the lab if necessary, and leaves it running:
#   test/engine.sh                     the core
#   test/engine.sh extended            other tests: the arguments are Jest's
#   test/engine.sh lifecycle -t scale
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. toolchain/nodejs.sh
lab/lab.sh up
# --runInBand: two files at a time would not be faster (creating one cluster keeps two cores busy), and some tests limit
# the time of an outage; --forceExit: Jest ends even if a failed test has left something running
exec npx jest "${@:-engine/core}" --runInBand --forceExit --selectProjects engine
