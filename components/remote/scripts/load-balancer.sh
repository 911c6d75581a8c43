# shellcheck shell=bash disable=SC2154
# ensure: HAProxy and keepalived run with exactly these configurations
#
# address            of this node, on the interface that the virtual address comes to
# haproxy_config     haproxy.cfg
# keepalived_config  keepalived.conf; @INTERFACE@ and @PREFIX@ are filled in here
# http_proxy_url, https_proxy_url  the site's proxy; empty for none

# INTERFACE PREFIX-LENGTH of the node's address
interface_of() {
  ip -o address show | awk -v address="$1" '{ split($4, it, "/"); if (it[1] == address) { print $2, it[2]; exit } }'
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
  local interface prefix new
  read -r interface prefix < <(interface_of "$address") || die "no interface has the address $address"
  [ -n "$prefix" ] || die "no interface has the address $address"

  new=no
  printf '%s\n' "$haproxy_config" | replace /etc/haproxy/haproxy.cfg 644 haproxy -c -f && new=yes
  run haproxy "$new"

  local filled_in=${keepalived_config//@INTERFACE@/$interface}
  new=no
  printf '%s\n' "${filled_in//@PREFIX@/$prefix}" |
    replace /etc/keepalived/keepalived.conf 600 keepalived -t -f && new=yes
  run keepalived "$new"
}

exclusively
"$1" </dev/null
