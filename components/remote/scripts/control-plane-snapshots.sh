# shellcheck shell=bash disable=SC2154
# ensure: the sole master leaves a snapshot of its control plane on a worker every five minutes
# check: whether the last one is recent
#
# The data are those of control-plane-archive.sh.

. ./control-plane-snapshot.sh

unit=vnfm-control-plane-snapshot
# has the key of the archives
program_file=/usr/local/sbin/$unit

check() {
  systemctl is-active --quiet "$unit.timer" || echo "the timer $unit does not run"
  # the first one comes after the program
  [ -n "$(find "$program_file" "$taken" -mmin -15 2>/dev/null)" ] ||
    echo "$store_node has received no snapshot of etcd for 15 minutes: see 'journalctl -u $unit' there"
}

create() {
  # whoever has it mended is to see a snapshot
  local start=(systemctl start "$unit.service")
  if ! cmp -s "$program_file" <(program); then
    program >"$program_file.new"
    mv "$program_file.new" "$program_file"
    start+=(--no-block)
  fi
  (
    umask 022
    cat >"/etc/systemd/system/$unit.service" <<UNIT
[Unit]
Description=Snapshot of etcd for $store_node

[Service]
Type=oneshot
ExecStart=/bin/bash $program_file
TimeoutStartSec=240
Nice=10
UNIT
    cat >"/etc/systemd/system/$unit.timer" <<UNIT
[Unit]
Description=Snapshots of etcd for $store_node

[Timer]
OnCalendar=*:0/5

[Install]
WantedBy=timers.target
UNIT
  )
  systemctl daemon-reload
  systemctl enable --now "$unit.timer" >&2
  "${start[@]}" || die "$store_node receives no snapshot of etcd: see 'journalctl -u $unit' there"
}

"$1" </dev/null
