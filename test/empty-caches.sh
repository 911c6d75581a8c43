#!/usr/bin/env bash
# Runs a command as a new machine would: with caches of Go, npm and pip that begin empty, and with no environment variables
# but those listed below. If the command fetches or builds something, it therefore works on a machine without caches too.
# What vnfm itself has built before is still used, unless VNFM_CACHE names another folder.
#   test/empty-caches.sh COMMAND...
set -euo pipefail

caches=$(mktemp -d)
trap 'chmod -R u+w "$caches" && rm -rf "$caches"' EXIT # Go writes its modules read-only

environment=(GOMODCACHE="$caches/go-mod" GOCACHE="$caches/go-build" PIP_CACHE_DIR="$caches/pip" npm_config_cache="$caches/npm")
for name in PATH HOME TERM CI XDG_STATE_HOME VNFM_CACHE VNFM_STATE VNFM_LAB VNFM_WHOLE_TESTS VNFM_SEED npm_config_globalconfig {http,https,no}_proxy {HTTP,HTTPS,NO}_PROXY; do
  [ -z "${!name:-}" ] || environment+=("$name=${!name}")
done
env -i "${environment[@]}" "$@"
