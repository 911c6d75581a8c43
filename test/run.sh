#!/usr/bin/env bash
# All tests, from a bare clone: static checks, unit tests, the plugins' tests, then the engine tests on the lab.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# step NAME COMMAND...: the command under its name, with its seconds
step() {
  local name=$1 start=$SECONDS
  shift
  printf '\n==> %s\n' "$name"
  "$@"
  printf '==> %s: %d s\n' "$name" $((SECONDS - start))
}

packages() {
  [ node_modules/.package-lock.json -nt package-lock.json ] || npm ci
}

scripts() {
  command -v shellcheck >/dev/null || $([ "$(id -u)" = 0 ] || echo sudo) apt-get install -y --no-install-recommends shellcheck
  git ls-files --stage '*.sh' .ci/run | awk '$1 == 100755 { print $4 }' |
    xargs shellcheck --external-sources --source-path=SCRIPTDIR --severity=warning
  shellcheck components/remote/scripts/*.sh
}

step "npm packages" packages
step "types, lint, format" npm run --silent check
step "shell scripts" scripts
step "unit tests" npm run --silent test:unit
step "engine" toolchain/build.sh engine
step "lab" lab/lab.sh up
step "plugin tests" toolchain/test.sh
step "lab tests" lab/test.sh
step "engine tests" test/engine.sh
