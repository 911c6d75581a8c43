#!/usr/bin/env bash
# The engine tests: real CLI, plugins and clouds. Starts the lab if it is not up, and leaves it up:
#   test/engine.sh                     those of engine/core, two files at a time
#   test/engine.sh production          some of them, one file at a time: arguments are jest's
#   test/engine.sh lifecycle -t scale
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
lab/lab.sh up
# each file has an OpenStack project of its own; the tests of production bound how long something may be away, and
# need the machine for themselves
if [ $# -eq 0 ]; then set -- engine/core --maxWorkers=2; else set -- --runInBand "$@"; fi
exec npx jest --selectProjects engine "$@"
