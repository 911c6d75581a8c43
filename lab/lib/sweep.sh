# shellcheck shell=bash
# Stops the lab: halts its servers, stops its processes, and removes their mounts, devices and networks.

processes() { local file; for file in "$RUN"/*.pid; do basename "$file" .pid; done; }

anything_up() {
  local file
  for file in "$RUN"/*.pid "$SERVERS"/*/pid; do ! live_pid "$file" >/dev/null || return 0; done
  return 1
}

stop_all() { # PATTERN: stops the processes with matching names in parallel
  local name
  for name in $(processes); do
    # shellcheck disable=SC2254 # a pattern
    case $name in $1) stop "$name" & ;; esac
  done
  wait
}

signal_servers() { # SIGNAL SECONDS: sends the signal to all servers, and waits until they are off
  local file pid end=$((SECONDS + $2)) left=1
  for file in "$SERVERS"/*/pid; do ! pid=$(live_pid "$file") || kill "-$1" "$pid"; done
  while [ "$left" = 1 ] && [ "$SECONDS" -lt "$end" ]; do
    left=0
    for file in "$SERVERS"/*/pid; do ! live_pid "$file" >/dev/null || left=1; done
    [ "$left" = 0 ] || sleep .2
  done
}

halt_servers() {
  stop_all 'nova-compute-*' # first, because Nova would treat a halted server as stopped by its owner
  signal_servers TERM 30    # orderly shutdown
  signal_servers INT 10     # power off
}

stop_processes() {
  stop_all '@(keystone|placement|glance|neutron|nova|cinder|octavia|registry|apt|web)*'
  stop_all '@(ovn|ovs)*'
  stop_all '*'              # services that all others use
}

ran_since_boot() { [ "$(</proc/sys/kernel/random/boot_id)" = "$(cat "$RUN/boot" 2>/dev/null)" ]; }

sweep() { # removes the rest of a lab without running processes
  local name directory loop
  rm -rf "$CACHE"/new.?????? "$CACHE"/root.??????
  if ! ran_since_boot; then # what has a name like ours is somebody else's, and no pid file means anything
    rm -rf "${RUN:?}"/* "$SERVERS"/*/pid
    return
  fi
  for name in $(processes); do kill_orphans "$name"; done
  for name in $(find "/sys/fs/cgroup/memory/$CGROUP" "/sys/fs/cgroup/$CGROUP" -name cgroup.procs -exec cat {} + 2>/dev/null); do
    kill -9 "$name" 2>/dev/null || true
  done
  for name in $(ip netns list | awk '/^(srv-|hv-)/ {print $1}'); do ip netns del "$name"; done
  for name in br-under br-pub; do ! ip link show "$name" >/dev/null 2>&1 || ip link del "$name"; done
  losetup -n -O NAME,BACK-FILE | while read -r loop name; do
    case $name in "$VNFM_LAB"/*) losetup -d "$loop" ;; esac
  done
  for directory in /sys/fs/cgroup/"$CGROUP" /sys/fs/cgroup/*/"$CGROUP"; do
    [ -d "$directory" ] || continue
    for _ in $(seq 50); do ! remove_cgroup "$directory" || break; sleep .1; done # the last processes may still be ending
  done
  restore_limits
  rm -rf /run/octavia
  rm -f "$RUN"/*.pid "$SERVERS"/*/pid
}

remove_cgroup() { find "$1" -depth -type d -exec rmdir {} + 2>/dev/null; [ ! -d "$1" ]; }

sweep_after_crash() {
  if ! ran_since_boot || ! anything_up; then sweep; fi
  cat /proc/sys/kernel/random/boot_id >"$RUN/boot"
}

down() {
  step "servers" halt_servers
  step "services" stop_processes
  step "what they leave behind" sweep
}

reset() {
  down
  rm -rf "$STATE" "$SERVERS" "$GUESTS" "$ETC" "$RUN" "$LOG" "$VNFM_LAB"/images-* "$VNFM_LAB/web" "$OS_CLIENT_CONFIG_FILE"
}

status() {
  local name missing=0 file
  if ! anything_up; then echo "The lab is down."; return 1; fi
  for name in $(processes); do
    if is_up "$name"; then printf '%-28s up\n' "$name"; else printf '%-28s dead: %s\n' "$name" "$LOG/$name.log"; missing=1; fi
  done
  # shellcheck disable=SC2086 # a list of computes
  python "$LAB_HOME/cloud/ready.py" $COMPUTES || missing=1
  for file in "$SERVERS"/*/machine.json; do
    [ -e "$file" ] || continue
    file=${file%/machine.json}
    printf 'server %s %s\n' "${file##*/}" "$(live_pid "$file/pid" >/dev/null && echo on || echo off)"
  done
  return "$missing"
}
