# shellcheck shell=bash disable=SC2154
# ensure: HAProxy and keepalived run with exactly these configurations
# check: whether they do
#
# address            of this node, on the interface that the virtual address comes to
# haproxy_config     haproxy.cfg
# keepalived_config  keepalived.conf; @INTERFACE@, @PREFIX@ and @FORMER_PEERS@ are filled in here
# http_proxy_url, https_proxy_url  the site's proxy; empty for none

haproxy_file=/etc/haproxy/haproxy.cfg
keepalived_file=/etc/keepalived/keepalived.conf

# INTERFACE PREFIX-LENGTH of the node's address
interface_of() {
  ip -o address show | awk -v address="$1" '{ split($4, it, "/"); if (it[1] == address) { print $2, it[2]; exit } }'
}

# addresses of the declared peers in a keepalived.conf on standard input
peers_of() {
  sed -n '/^    unicast_peer {/,/}/s/^ *\([0-9a-f.:]*\)$/\1/p' | sort
}

# the lines of peers that leave. They run until their servers go, which is later, and would take the address if they
# heard nobody; so they are peers until the declared ones change again
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

# fills in what the node alone knows
fill_in() {
  local interface prefix=
  read -r interface prefix < <(interface_of "$address") || true
  [ -n "$prefix" ] || die "no interface has the address $address"
  keepalived_config=${keepalived_config//@INTERFACE@/$interface}
  keepalived_config=${keepalived_config//@PREFIX@/$prefix}
  local former
  former=$(former_peers)
  keepalived_config=${keepalived_config/        @FORMER_PEERS@$'\n'/${former:+$former$'\n'}}
}

# replace FILE MODE CHECK...: the new content on standard input, once CHECK NEW-FILE finds nothing wrong; 1 if it is there
replace() {
  local file=$1 mode=$2 new=$1.new
  shift 2
  install -m "$mode" /dev/null "$new"
  cat >"$new"
  "$@" "$new" >&2 || die "${file##*/} is not valid: see the lines above"
  if cmp -s "$new" "$file"; then
    rm "$new"
    return 1
  fi
  mv "$new" "$file"
}

# run SERVICE yes|no: it runs, with the configuration that is there; yes: which is new
run() {
  systemctl enable -q "$1"
  if ! systemctl is-active -q "$1"; then
    systemctl reset-failed "$1" 2>/dev/null || true
    systemctl start "$1"
  elif [ "$2" = yes ]; then
    systemctl reload "$1"
  fi
}

create() {
  settle
  needs haproxy haproxy
  needs keepalived keepalived
  fill_in
  local new=no
  printf '%s\n' "$haproxy_config" | replace "$haproxy_file" 644 haproxy -c -f && new=yes
  run haproxy "$new"

  new=no
  printf '%s\n' "$keepalived_config" | replace "$keepalived_file" 600 keepalived -t -f && new=yes
  run keepalived "$new"
}

check() {
  fill_in
  printf '%s\n' "$haproxy_config" | cmp -s - "$haproxy_file" || echo "$haproxy_file is not as declared"
  printf '%s\n' "$keepalived_config" | cmp -s - "$keepalived_file" || echo "$keepalived_file is not as declared"
  local service
  for service in haproxy keepalived; do
    systemctl is-active -q "$service" || echo "$service does not run"
    systemctl is-enabled -q "$service" 2>/dev/null || echo "$service is not enabled, so it would not start at boot"
  done
}

exclusively
"$1" </dev/null
