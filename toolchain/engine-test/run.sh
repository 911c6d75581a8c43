#!/usr/bin/env bash
# What the engine makes of a command: another input updates it, a trigger replaces it, a removal uses the old state.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
modules=$here/../../node_modules
[ -d "$modules/@pulumi/command" ] || { echo "engine-test: run \`npm ci\` in the root of the repository" >&2; exit 1; }

# A copy, because the engine writes the stack's settings beside the program.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here"/{Pulumi.yaml,index.js,package.json} "$work"
ln -s "$modules" "$work/node_modules"
mkdir "$work/backend"
export VNFM_ENGINE=built LOG=$work/log PULUMI_BACKEND_URL=file://$work/backend PULUMI_CONFIG_PASSPHRASE=test
cd "$work"

pulumi() {
  "$here/../pulumi.sh" "$@" --stack test --non-interactive >output 2>&1 || {
    cat output >&2
    return 1
  }
}

# expect LINE...: what the commands have written down since the last time
expect() {
  if [ "$(cat "$LOG")" != "$(printf '%s\n' "$@")" ]; then
    printf 'engine-test: expected "%s", but the commands wrote:\n%s\n' "$*" "$(cat "$LOG")" >&2
    exit 1
  fi
  : >"$LOG"
}

: >"$LOG"
pulumi stack init
VERSION=1 TRIGGER=a pulumi up --yes
expect "create 1"
VERSION=1 TRIGGER=a pulumi up --yes --expect-no-changes
expect
VERSION=1 TRIGGER=a STDIN=other pulumi up --yes
expect "create 1"
VERSION=2 TRIGGER=b STDIN=other pulumi up --yes
expect "delete 1" "create 2"
pulumi refresh --yes
pulumi stack output stdout
[ "$(cat output)" = "made by 2" ]
pulumi destroy --yes
expect "delete 2"
logs=$("$here/../build.sh" --path engine)/logs
if [ ! -f "$logs" ] || [ -s "$logs" ]; then
  echo "engine-test: the CLI has logged to $logs" >&2
  exit 1
fi
echo "ok	engine-test"
