# shellcheck shell=bash
# Processes by pid file. A pid file holds "pid start-time", because a pid alone may meanwhile belong to somebody else.

start_time() { # PID: when it was started, in clock ticks since boot; nothing for a dead process or a zombie
  local stat
  { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 0
  # shellcheck disable=SC2086 # the words behind the command name, which may itself hold blanks
  set -- ${stat##*) }
  [ "$1" = Z ] || echo "${20}"
}

live_pid() { # PID-FILE: the pid, if that process is up
  local pid began
  { read -r pid began <"$1" || true; } 2>/dev/null
  [ -n "${began:-}" ] && [ "$(start_time "$pid")" = "$began" ] && echo "$pid"
}

is_up() { live_pid "$RUN/$1.pid" >/dev/null; } # NAME

start() { # NAME COMMAND...: in a session of its own, so that its process group is its pid; crash dumps go to the logs
  local name=$1 pid; shift
  ! is_up "$name" || return 0
  kill_orphans "$name"
  setsid env -C "$LOG" "$@" >>"$LOG/$name.log" 2>&1 </dev/null 9>&- &
  pid=$!
  echo "$pid $(start_time "$pid")" >"$RUN/$name.pid"
}

# Workers may outlive their master. While they do, its pid is not given to anybody else: the group is ours.
kill_orphans() { # NAME
  local pid _
  { read -r pid _ <"$RUN/$1.pid" || true; } 2>/dev/null
  [ -z "${pid:-}" ] || [ -e "/proc/$pid" ] || kill -9 -- "-$pid" 2>/dev/null || true
}

stop() { # NAME: asks, waits 15 s, then insists
  local pid
  if pid=$(live_pid "$RUN/$1.pid"); then
    kill "$pid" || true
    for _ in $(seq 150); do is_up "$1" || break; sleep .1; done
    kill -9 "$pid" 2>/dev/null || true
    for _ in $(seq 50); do [ -e "/proc/$pid" ] || break; sleep .1; done
  fi
  kill_orphans "$1"
  rm -f "$RUN/$1.pid"
}

# wait_for NAME COMMAND...: until the command succeeds. A machine with much to do may take minutes, so only the death of
# process NAME ends the wait early.
wait_for() {
  local name=$1 end=$((SECONDS + 300)); shift
  until "$@" >/dev/null 2>&1; do
    is_up "$name" || { echo "$name died; see $LOG/$name.log" >&2; return 1; }
    [ "$SECONDS" -lt "$end" ] || { echo "$name is up, but not ready after 300 s; see $LOG/$name.log" >&2; return 1; }
    sleep .1
  done
}

port_open() { (exec 3<>"/dev/tcp/$1/$2"); } # HOST PORT

wait_port() { wait_for "$1" port_open "$2" "$3"; } # NAME HOST PORT
