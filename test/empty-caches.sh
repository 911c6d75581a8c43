#!/usr/bin/env bash
# Runs a command as on a new machine: with empty caches of Go, npm and pip, and only the environment variables below. So a
# command that downloads or builds something is proven to work without these caches. vnfm's own cache of builds is used,
# unless VNFM_CACHE is another folder.
#   test/empty-caches.sh COMMAND...
set -euo pipefail

caches=$(mktemp -d)
trap 'chmod -R u+w "$caches" && rm -rf "$caches"' EXIT # Go's modules are read-only

environment=(GOMODCACHE="$caches/go-mod" GOCACHE="$caches/go-build" PIP_CACHE_DIR="$caches/pip" npm_config_cache="$caches/npm")
for name in PATH HOME TERM CI XDG_STATE_HOME VNFM_CACHE VNFM_STATE VNFM_LAB VNFM_WHOLE_TESTS VNFM_SEED npm_config_globalconfig {http,https,no}_proxy {HTTP,HTTPS,NO}_PROXY; do
  [ -z "${!name:-}" ] || environment+=("$name=${!name}")
done
env -i "${environment[@]}" "$@"
