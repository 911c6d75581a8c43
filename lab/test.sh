#!/bin/bash
# Tests of the lab itself: test.sh [all]
#   servers, volumes, networks and load balancers on a lab that is up, beside whatever else runs on it
#   all: also the crash of any process, of everything, and that `down` leaves nothing; for a lab that nobody else uses
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
. lib/env.sh
[ "$(id -u)" = 0 ] || exec sudo --preserve-env=VNFM_CACHE,VNFM_LAB,COMPUTES "$LAB_HOME/test.sh" "$@"
. lib/process.sh

fail() { echo "FAILED: $*" >&2; exit 1; }

tests() { (cd test && python -W ignore -m unittest -v "$@"); }

# Whatever a lab has on this machine, one line each; nothing when it is down.
traces() {
  pgrep -af "$VNFM_LAB|$LAB_HOME/nova-virt" | grep -v "^$$ " || true
  grep -s -E "$VNFM_LAB|$CACHE/root" /proc/mounts || true
  ip netns list | grep -E '^(srv|hv)-' || true
  ip -br link | grep -E '^br-(under|pub)' || true
  losetup -n -O BACK-FILE | grep "^$VNFM_LAB" || true
  find /sys/fs/cgroup -maxdepth 2 -name "$CGROUP"
}

# After kill -9 of one process, `up` brings it back and leaves the others alone.
crash_of_one() { # NAME
  local pid; pid=$(live_pid "$RUN/$1.pid")
  kill -9 "$pid"
  ! ./lab.sh status >/dev/null || fail "status does not miss $1"
  ./lab.sh up >/dev/null
  ./lab.sh status >/dev/null || fail "$1 is not back"
  echo "ok: kill -9 of $1"
}

# After kill -9 of everything, `up` sweeps and starts; servers that ran run again.
crash_of_all() {
  local file pid
  for file in "$RUN"/*.pid "$SERVERS"/*/pid; do ! pid=$(live_pid "$file") || kill -9 "$pid"; done
  ./lab.sh up
  ./lab.sh status >/dev/null || fail "the lab is not whole after a crash of everything"
  echo "ok: kill -9 of everything"
}

python -c 'import openstack; openstack.connect(cloud="lab").authorize()' || fail "run lab.sh up first"
tests test_volume test_server test_network
[ "${1:-}" = all ] || exit 0

for name in nova-compute-cpu1 ovs-cpu1 ovn-nb neutron rabbitmq mariadb; do crash_of_one "$name"; done
server=$(OS_CLOUD=lab openstack server create --wait --flavor m1.tiny --image debian-12 --network public \
  -f value -c id survivor)
crash_of_all
wait_for nova-compute-cpu1 live_pid "$SERVERS/$server/pid" # whichever compute has it
echo "ok: its server runs again"
OS_CLOUD=lab openstack server delete --wait "$server"
./lab.sh down
[ -z "$(traces)" ] || fail "left behind by down: $(traces)"
echo "ok: down leaves nothing"
