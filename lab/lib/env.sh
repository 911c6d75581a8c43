# shellcheck shell=bash
# Paths and addresses, for lab.sh and test.sh. Every path of the lab is below LAB_HOME, VNFM_CACHE or VNFM_LAB.
LAB_HOME=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export LAB_HOME
export VNFM_CACHE=${VNFM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/vnfm}
export VNFM_LAB=${VNFM_LAB:-/var/lib/vnfm-lab}

CACHE=$VNFM_CACHE/lab        # build results, each with a hash of its inputs in its name
STATE=$VNFM_LAB/state        # databases, volumes, images: what a `reset` forgets
SERVERS=$VNFM_LAB/servers    # one directory per Nova server
GUESTS=$VNFM_LAB/guests      # one file per guest tree, with the names of its layers
ETC=$VNFM_LAB/etc RUN=$VNFM_LAB/run LOG=$VNFM_LAB/log

# fingerprint FILE...: prints a short hash of the contents
fingerprint() { cat -- "$@" | sha256sum | cut -c1-12; }

VENV=$CACHE/venv-$(fingerprint "$LAB_HOME/requirements.txt" "$LAB_HOME/constraints.txt")

# This machine's address on the external network. The APIs, the registry, the apt repository and the web server listen
# here, so that servers and pods reach them too. 198.18.0.0/15 is reserved for laboratories; the documentation ranges may
# be in use on the machine's uplink.
HOST_IP=198.19.0.1
PUBLIC_CIDR=198.19.0.0/24
UNDERLAY=172.30.0            # the computes' own network, which carries the geneve tunnels
KEYSTONE_PORT=35357 REGISTRY_PORT=5000 APT_PORT=5001 WEB_PORT=5002 DB_PORT=13306 MQ_PORT=15673 MEMCACHED_PORT=11311 EPMD_PORT=14369
AUTH_URL=http://$HOST_IP:$KEYSTONE_PORT/v3
COMPUTES=${COMPUTES:-cpu1 cpu2 cpu3}
OTHER_COMPUTES=${COMPUTES#"${COMPUTES%% *}"}   # those in a zone of their own, zone-NAME; the first is in Nova's default, nova
KUBERNETES_VERSION=v1.33.0    # of the image that `up` makes
KUBERNETES_VERSIONS="$KUBERNETES_VERSION v1.34.4"
CGROUP=vnfm-lab              # parent cgroup of every server, in every hierarchy
export AUTH_URL

export PATH=$VENV/bin:/usr/local/sbin:/usr/sbin:/sbin:$PATH LC_ALL=C.UTF-8
export OS_VOLUME_API_VERSION=3.66
export OS_CLIENT_CONFIG_FILE=$VNFM_LAB/clouds.yaml

# PROGRAM ARGUMENT...: runs a program as root, if necessary by sudo, with the caller's environment: it has proxies, mirrors
# and Go. LAB_OPERATOR is the caller; Python must not leave root's files in the caller's checkout.
become_root() {
  [ "$(id -u)" = 0 ] || exec sudo --preserve-env env PATH="$PATH" HOME="$HOME" LAB_OPERATOR="$(id -u):$(id -g)" \
    PYTHONDONTWRITEBYTECODE=1 "$@"
}

as_operator() { # COMMAND...: runs as the caller, for files that belong to the caller
  if [ -z "${LAB_OPERATOR:-}" ]; then
    "$@"
  else
    setpriv --reuid "${LAB_OPERATOR%:*}" --regid "${LAB_OPERATOR#*:}" --init-groups "$@"
  fi
}
