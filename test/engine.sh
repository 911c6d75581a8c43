#!/usr/bin/env bash
# The engine tests: real CLI, plugins and clouds. Starts the lab if it is not up, and leaves it up:
#   test/engine.sh                     the core
#   test/engine.sh extended            others: arguments are jest's
#   test/engine.sh lifecycle -t scale
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. toolchain/nodejs.sh
lab/lab.sh up
# --runInBand: two files at a time would take as long (a cluster that comes up has all of two cores), and some tests
# bound how long something may be away; --forceExit: what a failed test has left running does not keep it from its end
exec npx jest "${@:-engine/core}" --runInBand --forceExit --selectProjects engine
