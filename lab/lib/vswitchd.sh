#!/bin/bash
# Runs ovs-vswitchd of one compute host, and restarts it after a crash: vswitchd.sh RUN-DIRECTORY ADDRESS, inside the
# host's namespace. Its userspace connection tracking (3.1) sometimes fails an assertion about a reused address pair. A new
# daemon restores the flows within a second, but the tunnels' address is lost with br-phy.
set -euo pipefail
run=$1 address=$2
trap 'kill "$daemon"; exit 0' TERM
while :; do
  OVS_RUNDIR=$run setpriv --pdeathsig KILL ovs-vswitchd "unix:$run/db.sock" --unixctl="$run/vswitchd.ctl" --log-file=/dev/null &
  daemon=$!
  until ip link show br-phy >/dev/null 2>&1 || ! kill -0 "$daemon" 2>/dev/null; do sleep .1; done
  ip addr replace "$address" dev br-phy || true
  ip link set br-phy up || true
  wait "$daemon" || echo "ovs-vswitchd ended with code $?; starting it again"
  sleep .5
done
