# shellcheck shell=bash
# Installs Debian packages on this machine, and OpenStack in a virtual environment of the cache.

DEBIAN_HOST_PACKAGES="mariadb-server rabbitmq-server memcached openvswitch-switch ovn-central ovn-host
  systemd-container debootstrap docker-registry qemu-utils iproute2 iptables ethtool procps
  util-linux python3-venv python3-dev gcc curl openssh-client gpg gpg-agent libnfs-utils"

POLICY=/usr/sbin/policy-rc.d

# The lab starts its daemons itself, so units of the packages must not run, neither now nor after a boot. The list of units
# that were enabled before is stored until the end, because a run may be interrupted.
install_debian_packages() {
  local package units=$VNFM_LAB/units-before; local -a missing=()
  for package in $DEBIAN_HOST_PACKAGES; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || [ -e "$units" ] || return 0
  [ -e "$units" ] || { enabled_units >"$units.new"; mv "$units.new" "$units"; }
  trap allow_daemons EXIT
  [ -e "$POLICY" ] || install -m 755 /dev/stdin "$POLICY" <<<$'#!/bin/sh\nexit 101 # while the lab installs packages'
  "$LAB_HOME/lib/apt-install.sh" "${missing[@]}"
  comm -13 "$units" <(enabled_units) | xargs -r systemctl disable --now
  allow_daemons
  rm "$units"
}

allow_daemons() { ! grep -qs "while the lab installs" "$POLICY" || rm "$POLICY"; }

enabled_units() { # prints nothing if systemd does not run
  [ ! -d /run/systemd/system ] || systemctl list-unit-files --state=enabled --no-legend --plain | cut -d ' ' -f 1 | sort
}

# A virtual environment contains its own path, so it is created in place; the mark file shows that it is complete.
install_venv() {
  [ ! -e "$VENV/complete" ] || return 0
  rm -rf "$VENV"
  python3 -m venv "$VENV"
  pip install -q -r "$LAB_HOME/requirements.txt" -c "$LAB_HOME/constraints.txt"
  touch "$VENV/complete"
}
