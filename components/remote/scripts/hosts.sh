# shellcheck shell=bash disable=SC2154
# ensure: /etc/hosts has exactly these names of the cluster's nodes
#
# entries  lines of "address name"

begin='# BEGIN vnfm: nodes of the cluster, written whole'
end='# END vnfm'

create() {
  {
    sed "/^$begin\$/,/^$end\$/d" /etc/hosts
    printf '%s\n%s\n%s\n' "$begin" "$entries" "$end"
  } >/etc/hosts.vnfm
  # in place: /etc/hosts may be a mount
  cmp -s /etc/hosts.vnfm /etc/hosts || cat /etc/hosts.vnfm >/etc/hosts
  rm /etc/hosts.vnfm
}

exclusively
"$1" </dev/null
