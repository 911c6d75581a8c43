#!/usr/bin/env bash
# Tries a new user's first start (npm run cold): clones HEAD, without anything downloaded or built before, and runs the two
# commands of the README, `npm start` and `npm test`. Prints the time of each part. Installed Debian packages stay
# installed. It needs the lab's networks, so no lab may be running, and 40 GiB of disk.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if lab/lab.sh status >/dev/null 2>&1; then
  echo "a lab is up on this machine: end it with \`npm run lab -- down\`, then run this again" >&2
  exit 1
fi
commit=$(git rev-parse --short HEAD)
[ -z "$(git status --porcelain)" ] || echo "what is not committed is left out: this is about commit $commit" >&2

new=$(mktemp -d /var/tmp/vnfm-cold.XXXXXX)
chmod 755 "$new" # for the users of the lab's services
export VNFM_CACHE=$new/cache VNFM_STATE=$new/state VNFM_LAB=$new/lab
git clone -q . "$new/vnfm"
cd "$new/vnfm"

# shellcheck disable=SC2016 # the inner shell's own
test/empty-caches.sh bash -euc '
  npm start
  printf "\n==> npm start: %d s\n" $SECONDS
  began=$SECONDS
  npm test
  printf "\n==> npm test: %d s\n" $((SECONDS - began))
  npm run down' 2>&1 | tee "$new/log" || {
  echo "it failed; $new has what there is: go on there with VNFM_CACHE=$VNFM_CACHE VNFM_STATE=$VNFM_STATE VNFM_LAB=$VNFM_LAB" >&2
  exit 1
}

printf '\nCommit %s, nothing built before. Seconds of each part:\n' "$commit"
sed -nE 's/^==> (.*): ([0-9]+) s$/\2\t\1/p; s/^.*: (.*) is being built [. ]*([0-9]+) s$/\2\t  \1/p' "$new/log"
cd /
rm -rf "$new"
