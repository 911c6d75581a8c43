# shellcheck shell=bash disable=SC2154
# ensure: HAProxy and keepalived run with exactly these configurations
# check: they do
# holds: the virtual IPs on this node, one in each line
#
# address            address of this node, on the interface of the virtual IP
# haproxy_config     haproxy.cfg
# keepalived_config  keepalived.conf; @INTERFACE@, @PREFIX@ and @FORMER_PEERS@ are filled in here
# http_proxy_url, https_proxy_url, no_proxy_list  the site's proxy; empty for none

. ./functions/apt.sh

haproxy_file=/etc/haproxy/haproxy.cfg
keepalived_file=/etc/keepalived/keepalived.conf

# prints INTERFACE PREFIX-LENGTH of the node's address
interface_of() {
  ip -o address show | awk -v address="$1" '{ split($4, it, "/"); if (it[1] == address) { print $2, it[2]; exit } }'
}

# prints addresses of the declared peers in a keepalived.conf on standard input
peers_of() {
  sed -n '/^    unicast_peer {/,/}/s/^ *\([0-9a-f.:]*\)$/\1/p' | sort
}

# prints the lines of peers that leave. They keep running until their servers are deleted, and would take the address if they
# received no advertisements, so they stay peers until the declared ones change again
former_peers() {
  [ -f "$keepalived_file" ] || return 0
  local before now
  before=$(peers_of <"$keepalived_file")
  now=$(peers_of <<<"$keepalived_config")
  if [ "$before" = "$now" ]; then
    sed -n '/ # leaves$/p' "$keepalived_file"
  else
    comm -23 <(printf '%s\n' "$before") <(printf '%s\n' "$now") | sed '/./!d; s/.*/        & # leaves/'
  fi
}

# fills in values that only the node knows
adapt() {
  local interface prefix=
  read -r interface prefix < <(interface_of "$address") || true
  [ -n "$prefix" ] || die "no interface has the address $address"
  keepalived_config=${keepalived_config//@INTERFACE@/$interface}
  keepalived_config=${keepalived_config//@PREFIX@/$prefix}
  local former
  former=$(former_peers)
  keepalived_config=${keepalived_config/        @FORMER_PEERS@$'\n'/${former:+$former$'\n'}}
  # keepalived refuses unicast without a peer, and a sole load balancer has none
  if [ -z "$(peers_of <<<"$keepalived_config")$former" ]; then
    keepalived_config=$(printf '%s.' "$keepalived_config" | sed '/^    unicast_src_ip /d; /^    unicast_peer {/,/}/d')
    keepalived_config=${keepalived_config%.}
  fi
}

# propose FILE MODE CONTENT CHECK...: writes the content to FILE.new, and validates it by CHECK FILE.new
propose() {
  local file=$1 mode=$2 content=$3 new=$1.new
  shift 3
  install -m "$mode" /dev/null "$new"
  printf '%s\n' "$content" >"$new"
  "$@" "$new" >&2 || die "${file##*/} is not valid: see the lines above"
}

# run SERVICE FILE: replaces FILE by FILE.new, and makes the service use it
run() {
  local service=$1 file=$2
  # exists until the service has read the file, because a run may be interrupted before
  local unread=$file.unread
  cmp -s "$file.new" "$file" || : >"$unread"
  mv "$file.new" "$file"
  systemctl enable -q "$service"
  if ! systemctl is-active -q "$service"; then
    systemctl reset-failed "$service" 2>/dev/null || true
    systemctl start "$service"
  elif [ -e "$unread" ]; then
    systemctl reload "$service"
  fi
  rm -f "$unread"
}

create() {
  settle
  needs haproxy haproxy
  needs keepalived keepalived
  adapt
  # neither file is replaced if the other one is invalid
  propose "$haproxy_file" 644 "$haproxy_config" haproxy -c -f
  propose "$keepalived_file" 600 "$keepalived_config" keepalived -t -f
  run haproxy "$haproxy_file"
  run keepalived "$keepalived_file"
}

check() {
  adapt
  printf '%s\n' "$haproxy_config" | cmp -s - "$haproxy_file" || echo "$haproxy_file differs from the desired state"
  printf '%s\n' "$keepalived_config" | cmp -s - "$keepalived_file" || echo "$keepalived_file differs from the desired state"
  local service
  for service in haproxy keepalived; do
    systemctl is-active -q "$service" || echo "$service does not run"
    systemctl is-enabled -q "$service" 2>/dev/null || echo "$service is not enabled, so it would not start at boot"
  done
}

holds() {
  sed -n '/^    virtual_ipaddress {/,/}/s|^ *\([0-9a-f.:]*\)/.*|\1|p' <<<"$keepalived_config" |
    while read -r virtual; do
      if [ -n "$(interface_of "$virtual")" ]; then echo "$virtual"; fi
    done
}

exclusively
"$1" </dev/null
