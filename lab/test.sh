#!/bin/bash
# Tests the lab itself: test.sh [all]
#   servers, volumes, networks and load balancers, on a running lab that others may use at the same time
#   all: also crashes of single processes and of everything, and that `down` leaves nothing; only on an unused lab
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
. lib/env.sh
become_root "$LAB_HOME/test.sh" "$@"
. lib/process.sh

fail() { echo "FAILED: $*" >&2; exit 1; }

tests() { (cd test && python -W ignore -m unittest -v "$@"); }

# Prints each trace of a lab on this machine; nothing if it is down.
traces() {
  pgrep -af "$VNFM_LAB|$VENV|$LAB_HOME/nova-virt|import.sock|epmd -port $EPMD_PORT|memcached .* -p $MEMCACHED_PORT" |
    grep -v "^$$ " || true
  grep -s -E "$VNFM_LAB|$CACHE/root" /proc/mounts || true
  ip netns list | grep -E '^(srv|hv)-' || true
  ip -br link | grep -E '^br-(under|pub)' || true
  losetup -n -O BACK-FILE | grep "^$VNFM_LAB" || true
  find /sys/fs/cgroup -maxdepth 2 -name "$CGROUP"
  find "$CACHE" -maxdepth 1 -name 'new.??????' -o -maxdepth 1 -name 'root.??????'
}

# After SIGKILL of one process, `up` restarts it and does not touch the others.
crash_of_one() { # NAME
  local pid; pid=$(live_pid "$RUN/$1.pid")
  kill -9 "$pid"
  ! ./lab.sh status >/dev/null || fail "status does not miss $1"
  ./lab.sh up >/dev/null
  ./lab.sh status >/dev/null || fail "$1 is not back"
  echo "ok: kill -9 of $1"
}

# After SIGKILL of everything, `up` cleans up and starts; servers that were running run again.
crash_of_all() {
  local file pid
  for file in "$RUN"/*.pid "$SERVERS"/*/pid; do ! pid=$(live_pid "$file") || kill -9 "$pid"; done
  ./lab.sh up
  ./lab.sh status >/dev/null || fail "the lab is not whole after a crash of everything"
  echo "ok: kill -9 of everything"
}

python -c 'import openstack; openstack.connect(cloud="lab").authorize()' || fail "run lab.sh up first"
tests test_volume test_interface test_server test_network test_cluster_api
[ "${1:-}" = all ] || exit 0

export OS_CLOUD=lab
openstack security group create -f value -c id survivor
openstack security group rule create -f value -c id --protocol tcp --dst-port 22 survivor
server=$(openstack server create --wait --flavor m1.tiny --image debian-12 --network public --security-group survivor \
  -f value -c id survivor)
read -r compute address < <(python -c 'import json, sys
it = json.load(open(sys.argv[1])); print(it["compute"], it["ports"][0]["addresses"][0].split("/")[0])' \
  "$SERVERS/$server/machine.json")
answers() { wait_port "nova-compute-$compute" "$address" 22 || fail "its server does not answer after $1"; }
answers "its start"
pid=$(live_pid "$SERVERS/$server/pid")
for name in "nova-compute-$compute" "ovs-$compute" ovn-nb neutron rabbitmq mariadb; do
  crash_of_one "$name"
  [ "$(live_pid "$SERVERS/$server/pid")" = "$pid" ] || fail "the server on $compute was started again with $name"
  answers "the crash of $name"
done
crash_of_all
answers "the crash of everything"
echo "ok: its server runs again"
openstack server delete --wait "$server"
openstack security group delete survivor
./lab.sh down
[ -z "$(traces)" ] || fail "left behind by down: $(traces)"
echo "ok: down leaves nothing"
