#!/usr/bin/env bash
# From a bare clone: static checks, unit tests, the plugins' tests, then the core of the engine tests on the lab.
# The tests of toolchain/ and lab/ take minutes, so they run only once on a machine for the same content of the two.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
. toolchain/nodejs.sh

# step NAME COMMAND...: runs the command, and prints the name and the seconds
step() {
  local name=$1 start=$SECONDS
  shift
  printf '\n==> %s\n' "$name"
  "$@"
  printf '==> %s: %d s\n' "$name" $((SECONDS - start))
}

# once NAME COMMAND...: a step about toolchain/ and lab/ only; skipped if it has passed with their present content
once() {
  local content stamp
  # git lists links to folders like files, and tar archives them as links
  content=$(git ls-files -coz --exclude-standard toolchain lab package-lock.json | sort -z |
    tar --create --no-recursion --owner=0 --group=0 --mode=a=rX --mtime=@0 --null --files-from=- | sha256sum | cut -c1-12)
  stamp=${VNFM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/vnfm}/tested/${1// /-}-$content
  if [ -e "$stamp" ]; then
    printf '\n==> %s: went well before with the same toolchain/ and lab/ (%s)\n' "$1" "$stamp"
    return
  fi
  step "$@"
  mkdir -p "${stamp%/*}"
  touch "$stamp"
}

packages() {
  [ node_modules/.package-lock.json -nt package-lock.json ] || npm ci
}

scripts() {
  command -v shellcheck >/dev/null ||
    $([ "$(id -u)" = 0 ] || echo sudo --preserve-env) lab/lib/apt-install.sh shellcheck
  git ls-files --stage '*.sh' .ci/run | awk '$1 == 100755 { print $4 }' |
    xargs shellcheck --external-sources --source-path=SCRIPTDIR --severity=warning
  shellcheck --external-sources --source-path=components/remote/scripts components/remote/scripts/{,functions/}*.sh
}

step "npm packages" packages
step "types, lint, format" npm run --silent check
step "shell scripts" scripts
step "unit tests" npm run --silent test:unit
step "npm package" npm run --silent check:package
step "engine" toolchain/build.sh engine
step "lab" lab/lab.sh up
once "plugin tests" toolchain/test.sh
once "lab tests" lab/test.sh
step "engine tests" test/engine.sh
