#!/usr/bin/env bash
# The engine tests: real CLI, plugins and clouds. Starts the lab if it is not up, and leaves it up:
#   test/engine.sh                  all of them
#   test/engine.sh cnf -t scale     some of them: arguments are jest's
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
lab/lab.sh up
# one lab, so one test file at a time
exec npx jest --selectProjects engine --runInBand "$@"
