# shellcheck shell=bash disable=SC2154
# ensure: /etc/hosts has exactly these names of the cluster's nodes
# check: whether it has
#
# entries  lines of "address name"

. ./functions/files.sh

begin='# BEGIN vnfm: nodes of the cluster, written whole'
end='# END vnfm'

block() { printf '%s\n%s\n%s\n' "$begin" "$entries" "$end"; }

create() {
  {
    without_block /etc/hosts "$begin" "$end"
    block
  } >/etc/hosts.vnfm
  # in place: /etc/hosts may be a mount
  cmp -s /etc/hosts.vnfm /etc/hosts || cat /etc/hosts.vnfm >/etc/hosts
  rm /etc/hosts.vnfm
}

check() {
  [ "$(sed -n "/^$begin\$/,/^$end\$/p" /etc/hosts)" = "$(block)" ] ||
    echo "/etc/hosts does not name exactly the cluster's nodes"
}

exclusively
"$1" </dev/null
