# shellcheck shell=bash
# Processes with pid files. A pid file contains "pid start-time", because the pid may belong to another process by now.

start_time() { # PID: prints its start time in clock ticks since boot; nothing for a dead process or a zombie
  local stat
  { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 0
  # shellcheck disable=SC2086 # the words after the command name, which may contain blanks
  set -- ${stat##*) }
  [ "$1" = Z ] || echo "${20}"
}

live_pid() { # PID-FILE: prints the pid, if that process is running
  local pid began
  { read -r pid began <"$1" || true; } 2>/dev/null
  [ -n "${began:-}" ] && [ "$(start_time "$pid")" = "$began" ] && echo "$pid"
}

is_up() { live_pid "$RUN/$1.pid" >/dev/null; } # NAME

start() { # NAME COMMAND...: in a new session, so that the process group is the pid; crash dumps are written to the logs
  local name=$1 pid; shift
  ! is_up "$name" || return 0
  kill_orphans "$name"
  setsid env -C "$LOG" "$@" >>"$LOG/$name.log" 2>&1 </dev/null 9>&- &
  pid=$!
  echo "$pid $(start_time "$pid")" >"$RUN/$name.pid"
}

# Workers may outlive their main process. Until they end, its pid is not reused, so the process group is theirs.
kill_orphans() { # NAME
  local pid _
  { read -r pid _ <"$RUN/$1.pid" || true; } 2>/dev/null
  [ -z "${pid:-}" ] || [ -e "/proc/$pid" ] || kill -9 -- "-$pid" 2>/dev/null || true
}

stop() { # NAME: sends SIGTERM, waits 15 s, then sends SIGKILL
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

# wait_for NAME COMMAND...: waits until the command succeeds. On a busy machine this may take minutes, so the wait ends
# early only if the process NAME has ended.
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
