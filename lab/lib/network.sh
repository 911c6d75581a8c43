# shellcheck shell=bash
# OVN over Open vSwitch with the userspace datapath, which needs no kernel module. Each compute host is a network
# namespace hv-NAME with its own Open vSwitch and ovn-controller. Two bridges of this machine connect them: br-under
# carries the Geneve tunnels, br-pub is the external network.

add_bridge() { # NAME ADDRESS MTU
  ip link show "$1" >/dev/null 2>&1 || ip link add "$1" type bridge
  ip link set "$1" up mtu "$3"
  ip addr replace "$2" dev "$1"
  # userspace Open vSwitch drops packets with checksum offloading
  ethtool -K "$1" tx off >/dev/null
}

add_wire() { # BRIDGE COMPUTE DEVICE MTU: a veth pair from the bridge to the device in the compute's namespace
  local end=${1#br-}-$2
  if ! ip -n "hv-$2" link show "$3" >/dev/null 2>&1; then
    ip link del "$end" 2>/dev/null || true # left from a deleted namespace
    ip link add "$end" mtu "$4" type veth peer name "$3" netns "hv-$2" mtu "$4"
  fi
  ip link set "$end" master "$1" up
  ip -n "hv-$2" link set "$3" up
}

start_ovn_central() {
  local database port
  mkdir -p "$STATE/ovn" "$RUN/ovn"
  for database in nb:6641 sb:6642; do
    port=${database#*:} database=${database%:*}
    [ -f "$STATE/ovn/$database.db" ] ||
      ovsdb-tool create "$STATE/ovn/$database.db" "/usr/share/ovn/ovn-$database.ovsschema"
    start "ovn-$database" ovsdb-server "$STATE/ovn/$database.db" --remote="ptcp:$port:127.0.0.1" \
      --remote="punix:$RUN/ovn/$database.sock" --unixctl="$RUN/ovn/$database.ctl" --log-file=/dev/null
    wait_port "ovn-$database" 127.0.0.1 "$port"
  done
  start ovn-northd env OVN_RUNDIR="$RUN/ovn" ovn-northd --ovnnb-db="unix:$RUN/ovn/nb.sock" \
    --ovnsb-db="unix:$RUN/ovn/sb.sock" --unixctl="$RUN/ovn/northd.ctl" --log-file=/dev/null
}

start_chassis() { # COMPUTE NUMBER
  local compute=$1 address=$UNDERLAY.$((10 + $2)) run=$RUN/ovs-$1 database=$STATE/ovn/chassis-$1.db
  local -a vsctl=(ovs-vsctl --db="unix:$run/db.sock" --timeout=30)
  mkdir -p "$run"
  [ -e "/run/netns/hv-$compute" ] || ip netns add "hv-$compute"
  # the kernel has br-phy's address, and also sees packets that arrive on "under". It would answer ARP there too, and
  # tunnel packets to that device's MAC address would be lost.
  ip netns exec "hv-$compute" sysctl -qw net.ipv4.conf.all.arp_ignore=1
  ip -n "hv-$compute" link set lo up
  add_wire br-under "$compute" under 1600
  add_wire br-pub "$compute" public 1500
  [ -f "$database" ] || ovsdb-tool create "$database" /usr/share/openvswitch/vswitch.ovsschema
  start "ovs-db-$compute" ovsdb-server "$database" --remote="punix:$run/db.sock" --unixctl="$run/db.ctl" --log-file=/dev/null
  wait_for "ovs-db-$compute" "${vsctl[@]}" --no-wait init
  "${vsctl[@]}" --no-wait set open . external-ids:system-id="$compute" external-ids:hostname="$compute" \
    external-ids:ovn-remote="unix:$RUN/ovn/sb.sock" external-ids:ovn-encap-type=geneve \
    external-ids:ovn-encap-ip="$address" external-ids:ovn-bridge-datapath-type=netdev \
    external-ids:ovn-bridge-mappings=public:br-ex external-ids:ovn-cms-options=enable-chassis-as-gw \
    -- --may-exist add-br br-int -- set bridge br-int datapath_type=netdev fail-mode=secure \
    -- --may-exist add-br br-ex -- set bridge br-ex datapath_type=netdev -- --may-exist add-port br-ex public \
    -- --may-exist add-br br-phy -- set bridge br-phy datapath_type=netdev -- --may-exist add-port br-phy under
  start "ovs-$compute" ip netns exec "hv-$compute" "$LAB_HOME/lib/vswitchd.sh" "$run" "$address/24"
  wait_for "ovs-$compute" ip -n "hv-$compute" route get "$UNDERLAY.1"
  start "ovn-controller-$compute" env OVS_RUNDIR="$run" OVN_RUNDIR="$run" \
    "$RUN/ovn-controller" "unix:$run/db.sock" --log-file=/dev/null
}

# OVN requests a source NAT without effect for every connection, if the datapath supports it. Userspace Open vSwitch 3.1
# crashes by an assertion when such a connection's ports are used again, which breaks all connections. No option turns
# this off, so the controller is patched to look for another name of the capability, which does not exist.
make_ovn_controller() {
  sed 's/ct_zero_snat/ct_zero_none/g' "$(command -v ovn-controller)" >"$RUN/ovn-controller.new"
  chmod +x "$RUN/ovn-controller.new"
  # a new file, because the old one may be running
  mv "$RUN/ovn-controller.new" "$RUN/ovn-controller"
}

start_network() {
  local compute number=0
  add_bridge br-under "$UNDERLAY.1/24" 1600
  add_bridge br-pub "$HOST_IP/24" 1500
  start_ovn_central
  make_ovn_controller
  for compute in $COMPUTES; do
    number=$((number + 1))
    start_chassis "$compute" "$number"
  done
}
