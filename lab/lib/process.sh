# Processes by pid file. A pid file holds "pid start-time", because a pid alone may meanwhile belong to somebody else.

start_time() { # PID: when it was started, in clock ticks since boot; nothing for a dead process or a zombie
  local stat
  { read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 0
  # shellcheck disable=SC2086 # the words behind the command name, which may itself hold blanks
  set -- ${stat##*) }
  [ "$1" = Z ] || echo "${20}"
}

live_pid() { # NAME: its pid, if it is up
  local pid began
  { read -r pid began <"$RUN/$1.pid"; } 2>/dev/null || return 1
  [ -n "$began" ] && [ "$(start_time "$pid")" = "$began" ] && echo "$pid"
}

start() { # NAME COMMAND...: in a session of its own, so that its process group is its pid
  local name=$1 pid; shift
  live_pid "$name" >/dev/null && return
  setsid nohup "$@" >>"$LOG/$name.log" 2>&1 </dev/null 9>&- &
  pid=$!
  echo "$pid $(start_time "$pid")" >"$RUN/$name.pid"
}

stop() { # NAME: asks, waits 15 s, then insists
  local pid
  if pid=$(live_pid "$1"); then
    kill "$pid" || true
    for _ in $(seq 150); do live_pid "$1" >/dev/null || break; sleep .1; done
    kill -9 -- "-$pid" 2>/dev/null || true # workers that outlived their master too
  fi
  rm -f "$RUN/$1.pid"
}

until_true() { # SECONDS WHAT COMMAND...
  local end=$((SECONDS + $1)) what=$2; shift 2
  until "$@" >/dev/null 2>&1; do
    [ "$SECONDS" -lt "$end" ] || { echo "$what: not there in time; its log is in $LOG" >&2; return 1; }
    sleep .1
  done
}

port_open() { (exec 3<>"/dev/tcp/$1/$2"); }

wait_port() { # NAME HOST PORT: until the port is open, or the process is dead
  local _
  for _ in $(seq 1200); do
    port_open "$2" "$3" 2>/dev/null && return
    live_pid "$1" >/dev/null || { echo "$1 died; see $LOG/$1.log" >&2; return 1; }
    sleep .1
  done
  echo "$1 does not listen on port $3; see $LOG/$1.log" >&2; return 1
}
