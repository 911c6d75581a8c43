#!/usr/bin/env bash
# The engine tests: real CLI, plugins and clouds. Starts the lab if it is not up, and leaves it up:
#   test/engine.sh                  all of them
#   test/engine.sh cnf -t scale     some of them: arguments are jest's
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
lab/lab.sh up
# two at a time: the lab has two tenants, and a test waits for machines most of the time
exec npx jest --selectProjects engine --maxWorkers=2 "$@"
