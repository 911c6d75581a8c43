# shellcheck shell=bash
# What is installed: Debian packages on this machine, OpenStack in a virtual environment of the cache.

DEBIAN_HOST_PACKAGES="mariadb-server rabbitmq-server memcached openvswitch-switch ovn-central ovn-host
  systemd-container debootstrap docker-registry qemu-utils iproute2 iptables ethtool procps
  util-linux python3-venv python3-dev gcc curl openssh-client gpg gpg-agent libnfs-utils"

install_debian_packages() {
  local package; local -a missing=()
  for package in $DEBIAN_HOST_PACKAGES; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  apt-get -q update
  DEBIAN_FRONTEND=noninteractive apt-get -q install -y --no-install-recommends "${missing[@]}"
}

# A virtual environment knows its own path, so it is made in place; the mark says that it is whole.
install_venv() {
  [ ! -e "$VENV/complete" ] || return 0
  rm -rf "$VENV"
  python3 -m venv "$VENV"
  pip install -q -r "$LAB_HOME/requirements.txt" -c "$LAB_HOME/constraints.txt"
  touch "$VENV/complete"
}
