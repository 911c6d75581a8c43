#!/bin/sh
# Keeps pods from the cloud's metadata service, which shows the user data of this server, keys and passwords in it, to
# whoever asks from the server's address. The server's own processes, and pods with hostNetwork, still reach it.
#
# install  has the kubelet close it before each start, so before any pod runs, and nftables.service after each flush
# close    drops packets of pods to it from now on
# check    prints what does not hold
set -eu
umask 022

ipv4=169.254.169.254
ipv6=fe80::a9fe:a9fe
program=/etc/kubernetes/metadata-service.sh
units=/etc/systemd/system
drop_in=$units/kubelet.service.d/20-metadata-service.conf

# Packets of the server itself arrive by lo or not at all. Those of pods arrive by another interface, to be forwarded or
# to be answered on the server. After DNAT, which is at -100, they have the address that they go to.
nft_rules() {
  cat <<RULES
table inet vnfm_metadata
delete table inet vnfm_metadata
table inet vnfm_metadata {
  chain prerouting {
    type filter hook prerouting priority -90
    iifname != "lo" ip daddr $ipv4 drop
    iifname != "lo" ip6 daddr $ipv6 drop
  }
}
RULES
}

has_nft_rules() { [ "$(nft list table inet vnfm_metadata 2>/dev/null | grep -c ' drop$')" = 2 ]; }

# VERB of iptables, COMMAND, CHAIN and ADDRESS
iptables_rule() { "$2" -w -t mangle "$1" "$3" ! -i lo -d "$4" -j DROP; }

has_rule() { iptables_rule -C "$@" 2>/dev/null; }

add_rule() { has_rule "$@" || iptables_rule -I "$@"; }

# each_rule has_rule, or each_rule add_rule: iptables has no filter after DNAT but these two
each_rule() {
  "$1" iptables INPUT $ipv4 && "$1" iptables FORWARD $ipv4 || return 1
  [ ! -e /proc/net/if_inet6 ] || { "$1" ip6tables INPUT $ipv6 && "$1" ip6tables FORWARD $ipv6; }
}

close_to_pods() {
  if command -v nft >/dev/null && nft_rules | nft -f -; then return; fi
  each_rule add_rule || {
    echo "neither nft nor iptables closes the metadata service to pods: the image needs one of them" >&2
    exit 1
  }
}

case $1 in
  install)
    mkdir -p $units/kubelet.service.d $units/nftables.service.d
    cat >$drop_in <<UNIT
[Unit]
# what may flush rules of iptables when it starts
After=netfilter-persistent.service iptables.service ip6tables.service

[Service]
ExecStartPre=/bin/sh $program close
UNIT
    # Debian's configuration of it flushes all rules, at a reload too
    cat >$units/nftables.service.d/20-metadata-service.conf <<UNIT
[Service]
ExecStartPost=-/bin/sh $program close
ExecReload=-/bin/sh $program close
UNIT
    systemctl daemon-reload
    close_to_pods
    ;;
  close) close_to_pods ;;
  check)
    has_nft_rules || each_rule has_rule ||
      echo "pods reach the cloud's metadata service, which shows the user data of the server"
    [ -e $drop_in ] || echo "$drop_in no longer exists, so pods would reach the cloud's metadata service after a boot"
    ;;
esac
