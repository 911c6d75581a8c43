#!/usr/bin/env bash
# Runs a program with an sshd on PATH, which the program may start. If the machine has none, Debian's package is unpacked
# to a temporary folder: its installation would start an sshd on port 22.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PATH=$PATH:/usr/sbin

if ! command -v sshd >/dev/null; then
  (
    cd "$work"
    [ "$(id -u)" != 0 ] || apt-get -q update
    apt-get -q download openssh-server libwrap0 # most machines lack only this one of its libraries
    for package in *.deb; do dpkg -x "$package" .; done
  ) >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    echo "test/bench/with-sshd.sh: there is no sshd, and its package cannot be fetched;" \
      "run \`apt-get update\` as root, or install openssh-server" >&2
    exit 1
  }
  export PATH=$PATH:$work/usr/sbin LD_LIBRARY_PATH=$work/usr/lib/x86_64-linux-gnu
fi

# sshd needs a user `sshd` if root runs it. Only this program's /etc/passwd contains the user.
if [ "$(id -u)" = 0 ] && ! getent passwd sshd >/dev/null; then
  { cat /etc/passwd && echo "sshd:x:65533:65534::/run/sshd:/usr/sbin/nologin"; } >"$work/passwd"
  # shellcheck disable=SC2016 # for the inner shell
  set -- unshare --mount sh -c 'mount --bind "$0" /etc/passwd && exec "$@"' "$work/passwd" "$@"
fi
"$@"
