#!/bin/bash
# Installs Debian packages, and first repairs interrupted installations: apt-install.sh [PACKAGE...], as root
set -euo pipefail
shopt -s nullglob
export DEBIAN_FRONTEND=noninteractive

# apt-daily, or the rest of a killed run, may hold these locks. apt-get itself waits only for some of them. After five
# minutes it runs, and reports a process that still holds one.
locks=(/var/lib/dpkg/lock* /var/lib/apt/lists/lock /var/cache/apt/archives/lock)
timeout 300 python3 -c 'import fcntl, sys
for name in sys.argv[1:]: fcntl.lockf(open(name, "r+"), fcntl.LOCK_EX)' "${locks[@]}" || true

dpkg --configure -a || true # if dpkg cannot configure a package, --fix-broken does
apt-get -q update
apt-get -q install -y --fix-broken --no-install-recommends -o DPkg::Lock::Timeout=300 "$@"
