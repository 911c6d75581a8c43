# shellcheck shell=bash
# Source this file (bash): it puts a Node.js that Pulumi's SDK supports first on PATH. The one on PATH is used if it is new
# enough; otherwise the one that nodejs/package-lock.json pins is taken from the npm registry into the cache, once.
# npm itself stays the machine's own.

vnfm_oldest_nodejs=22.13.0

vnfm_nodejs_on_path() {
  local version
  version=$(node --version 2>/dev/null) || return 1
  printf '%s\n' "$vnfm_oldest_nodejs" "${version#v}" | sort -C -V
}

vnfm_fetch_nodejs() {
  local from root part
  from=$(dirname "${BASH_SOURCE[0]}")/nodejs
  root=${VNFM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/vnfm}/nodejs-$(sha256sum <"$from/package-lock.json" | cut -c1-12)
  if [ ! -d "$root" ]; then
    echo "No Node.js $vnfm_oldest_nodejs or newer is on PATH: one is fetched from the npm registry, once" >&2
    mkdir -p "${root%/*}"
    part=$(mktemp -d "$root.XXXXXX")
    cp "$from"/package{,-lock}.json "$part"
    npm ci --loglevel=error --ignore-scripts --no-audit --no-fund --prefix "$part" >&2 </dev/null || {
      rm -rf "$part"
      return 1
    }
    mv -T "$part" "$root" 2>/dev/null || rm -rf "$part" # another process was first
  fi
  PATH=$(echo "$root"/node_modules/node-linux-*/bin):$PATH
}

vnfm_nodejs_on_path || vnfm_fetch_nodejs
