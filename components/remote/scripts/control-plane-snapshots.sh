# shellcheck shell=bash disable=SC2154
# ensure: this master leaves a proven snapshot of its control plane on another server every five minutes, if no master
#         with an earlier turn has
# check: whether the timer runs; how old the last one is, the store says
# begun: prints whether this server has a control plane, as JSON
#
# The data are those of control-plane-snapshot.sh.

. ./control-plane-snapshot.sh

unit=vnfm-control-plane-snapshot
# has the key of the archives
program_file=/usr/local/sbin/$unit

check() { systemctl is-active --quiet "$unit.timer" || echo "the timer $unit does not run"; }

begun() {
  local begun=false
  [ ! -e "$complete" ] || begun=true
  printf '{"begun": %s}\n' "$begun"
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
CPUWeight=20
IOWeight=20
MemoryMax=1G
UNIT
    cat >"/etc/systemd/system/$unit.timer" <<UNIT
[Unit]
Description=Snapshots of etcd for $store_node

[Timer]
OnCalendar=*:$turn/5

[Install]
WantedBy=timers.target
UNIT
  )
  systemctl daemon-reload
  systemctl enable --now "$unit.timer" >&2
  "${start[@]}" || die "$store_node receives no snapshot of etcd: see 'journalctl -u $unit' there"
}

"$1" </dev/null
