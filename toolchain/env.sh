# shellcheck shell=bash
# Source this file (bash): it puts Node.js and a Pulumi engine on PATH and sets what the engine needs.
# A setting of the user's own is never changed. In order: the pulumi on PATH, one that was fetched or built before,
# the official installer, a build from the Go modules.

vnfm_toolchain=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source-path=SCRIPTDIR source=nodejs.sh
. "$vnfm_toolchain/nodejs.sh" || return 1
vnfm_cache=${VNFM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/vnfm}
vnfm_state=${VNFM_STATE:-${XDG_STATE_HOME:-$HOME/.local/state}/vnfm}
vnfm_oldest_pulumi=3.238.0
vnfm_pulumi=3.259.0

# The pulumi on PATH is good: it is not from our cache (that one is looked up by its hash) and not too old.
vnfm_pulumi_on_path() {
  local path version
  path=$(command -v pulumi) || return 1
  [[ $path != "$vnfm_cache"/* ]] || return 1
  version=$(PULUMI_SKIP_UPDATE_CHECK=1 pulumi version) || return 1
  printf '%s\n' "$vnfm_oldest_pulumi" "${version#v}" | sort -C -V || {
    echo "toolchain/env.sh: $path is version ${version#v}, older than $vnfm_oldest_pulumi; it is not used" >&2
    return 1
  }
}

vnfm_fetch_pulumi() {
  local root=$vnfm_cache/pulumi-$vnfm_pulumi installer part
  [ ! -x "$root/bin/pulumi" ] || return 0
  installer=$(curl -fsSL --max-time 5 https://get.pulumi.com/install.sh 2>/dev/null) || return 1
  echo "toolchain/env.sh: installing Pulumi $vnfm_pulumi into $root" >&2
  mkdir -p "$vnfm_cache"
  part=$(mktemp -d "$root.XXXXXX")
  sh -s -- --no-edit-path --install-root "$part" --version "$vnfm_pulumi" <<<"$installer" >&2 || {
    rm -rf "$part"
    return 1
  }
  mv -T "$part" "$root" 2>/dev/null || rm -rf "$part" # somebody else was first
}

vnfm_use_built_engine() {
  local home
  home=$("$vnfm_toolchain/build.sh" --path engine) || return 1
  if [ ! -d "$home" ]; then
    [ "${1:-}" = build ] || return 1
    echo "toolchain/env.sh: building the engine from its Go modules, once" >&2
    "$vnfm_toolchain/build.sh" engine >&2 || return 1
  fi
  export PATH=$home/bin:$PATH
  # The stack that is selected belongs to the state: it outlives this build of the engine.
  mkdir -p "$vnfm_state/workspaces"
  [ -e "$home/workspaces" ] || ln -sfn "$vnfm_state/workspaces" "$home/workspaces"
  [[ -z ${PULUMI_HOME:-} || $PULUMI_HOME = "$vnfm_cache"/* ]] || return 0
  export PULUMI_HOME=$home
  # it has every plugin that is used; the one that @pulumi/openstack is of is not, and would be looked for in vain
  export PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION=${PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION:-true}
}

vnfm_find_engine() {
  if [ "${VNFM_ENGINE:-}" = built ]; then
    unset PULUMI_HOME # another one has other plugins
    if [ -n "${vnfm_if_there:-}" ]; then vnfm_use_built_engine || true; else vnfm_use_built_engine build; fi
    return
  fi
  if vnfm_pulumi_on_path; then return 0; fi
  if [ ! -x "$vnfm_cache/pulumi-$vnfm_pulumi/bin/pulumi" ] && vnfm_use_built_engine; then return 0; fi
  [ -z "${vnfm_if_there:-}" ] || [ -x "$vnfm_cache/pulumi-$vnfm_pulumi/bin/pulumi" ] || return 0
  if vnfm_fetch_pulumi; then
    export PATH=$vnfm_cache/pulumi-$vnfm_pulumi/bin:$PATH
    return 0
  fi
  vnfm_use_built_engine build
}

# Secrets of the state are encrypted with a passphrase; who has set none gets a random one.
vnfm_set_passphrase() {
  [ -z "${PULUMI_CONFIG_PASSPHRASE+set}${PULUMI_CONFIG_PASSPHRASE_FILE+set}" ] || return 0
  export PULUMI_CONFIG_PASSPHRASE_FILE=$vnfm_state/passphrase
  [ -s "$PULUMI_CONFIG_PASSPHRASE_FILE" ] || vnfm_make_passphrase "$PULUMI_CONFIG_PASSPHRASE_FILE"
}

# Two first callers at once must end with the same passphrase: the link is made by only one of them.
vnfm_make_passphrase() {
  local new
  new=$(mktemp "$1.XXXXXX") # mode 0600
  head -c 24 /dev/urandom | base64 >"$new"
  ln "$new" "$1" 2>/dev/null || true
  rm "$new"
}

vnfm_set_backend() {
  [ -z "${PULUMI_BACKEND_URL:-}" ] || return 0
  mkdir -p "$vnfm_state/backend"
  export PULUMI_BACKEND_URL=file://$vnfm_state/backend
}

# The engine, its plugins and its programs speak gRPC with each other at 127.0.0.1; the client of Node.js would ask a
# proxy of the environment for that too. Each of the two variables may be the one that a program reads.
vnfm_set_exceptions() {
  local lower=${no_proxy:-${NO_PROXY:-}} upper=${NO_PROXY:-${no_proxy:-}}
  export no_proxy=${lower:+$lower,}127.0.0.1,localhost NO_PROXY=${upper:+$upper,}127.0.0.1,localhost
}

# Node.js keeps what it compiles of a program's packages there: a tenth of a small preview.
export NODE_COMPILE_CACHE=${NODE_COMPILE_CACHE-$vnfm_cache/node-compile-cache}

mkdir -p "$vnfm_state" && chmod 0700 "$vnfm_state" &&
  vnfm_find_engine && vnfm_set_backend && vnfm_set_passphrase && vnfm_set_exceptions &&
  export PULUMI_SKIP_UPDATE_CHECK="${PULUMI_SKIP_UPDATE_CHECK:-1}"
