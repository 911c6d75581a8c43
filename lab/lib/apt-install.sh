#!/bin/bash
# Installs Debian packages, in whatever state apt and dpkg are: apt-install.sh [PACKAGE...], as root
set -euo pipefail
shopt -s nullglob
export DEBIAN_FRONTEND=noninteractive

# apt-daily, or what a killed run has left, may hold these. apt-get waits for some of them only; who still holds one
# after five minutes, it says itself.
locks=(/var/lib/dpkg/lock* /var/lib/apt/lists/lock /var/cache/apt/archives/lock)
timeout 300 python3 -c 'import fcntl, sys
for name in sys.argv[1:]: fcntl.lockf(open(name, "r+"), fcntl.LOCK_EX)' "${locks[@]}" || true

dpkg --configure -a || true # what dpkg alone cannot set up, --fix-broken does
apt-get -q update
apt-get -q install -y --fix-broken --no-install-recommends -o DPkg::Lock::Timeout=300 "$@"
