#!/usr/bin/env bash
# Runs a program with an sshd on PATH that it may start. Where there is none, the package is unpacked to a temporary
# folder: to install it would start one on port 22.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PATH=$PATH:/usr/sbin

if ! command -v sshd >/dev/null; then
  (
    cd "$work"
    [ "$(id -u)" != 0 ] || apt-get -q update
    apt-get -q download openssh-server libwrap0 # and the one library of it that most machines lack
    for package in *.deb; do dpkg -x "$package" .; done
  ) >"$work/log" 2>&1 || {
    cat "$work/log" >&2
    echo "test/bench/with-sshd.sh: there is no sshd, and its package cannot be fetched;" \
      "run \`apt-get update\` as root, or install openssh-server" >&2
    exit 1
  }
  export PATH=$PATH:$work/usr/sbin LD_LIBRARY_PATH=$work/usr/lib/x86_64-linux-gnu
fi

# Root's sshd wants a user of its own, whom the package makes: here only this program sees him.
if [ "$(id -u)" = 0 ] && ! getent passwd sshd >/dev/null; then
  { cat /etc/passwd && echo "sshd:x:65533:65534::/run/sshd:/usr/sbin/nologin"; } >"$work/passwd"
  # shellcheck disable=SC2016 # for the inner shell
  set -- unshare --mount sh -c 'mount --bind "$0" /etc/passwd && exec "$@"' "$work/passwd" "$@"
fi
"$@"
