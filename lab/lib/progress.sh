# shellcheck shell=bash
# Prints one line per step: the name, a dot every five seconds, and the time. The step's output is written to a log.

step() { # NAME COMMAND...
  local name=$1 began=$SECONDS log pid ticks=0; shift
  log=$LOG/up-$1.log
  printf '%-44s' "$name"
  ( set -e; "$@" ) >"$log" 2>&1 & # in the background: `set -e` holds inside, whatever is done with its end
  pid=$!
  while kill -0 "$pid" 2>/dev/null; do
    sleep .1; ticks=$((ticks + 1))
    [ $((ticks % 50)) -ne 0 ] || printf .
  done
  if wait "$pid"; then
    printf ' %d s\n' $((SECONDS - began))
  else
    printf ' FAILED after %d s\n' $((SECONDS - began))
    tail -n 15 "$log" | sed 's/^/    /' >&2
    echo "The whole story: $log. Mend it and run \`lab.sh up\` again; it goes on from here." >&2
    exit 1
  fi
}
