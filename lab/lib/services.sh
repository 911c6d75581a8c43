# shellcheck shell=bash
# The OpenStack services: their configuration and their processes.

SERVICES="keystone placement glance nova neutron cinder octavia"

render() { # TEMPLATE RESULT SERVICE: fills in @NAME@ from the shell's variables
  local name text
  text=$(<"$LAB_HOME/conf/$1")
  text=${text//@AUTH@/$(<"$LAB_HOME/conf/auth.inc")}
  text=${text//@CLIENT@/$(<"$LAB_HOME/conf/client.inc")}
  text=${text//@SERVICE@/$3}
  for name in AUTH_URL HOST_IP STATE ETC VENV DB_PORT MQ_PORT MEMCACHED_PORT; do
    text=${text//@$name@/${!name}}
  done
  printf '%s\n' "$text" >"$2"
}

write_configuration() {
  local service compute
  for service in $SERVICES; do mkdir -p "$ETC/$service" "$STATE/$service/lock"; done
  mkdir -p "$STATE"/glance/{images,staging,tasks} "$STATE/cinder/volumes"
  for service in keystone placement nova neutron cinder octavia; do
    render "$service.conf" "$ETC/$service/$service.conf" "$service"
  done
  render glance-api.conf "$ETC/glance/glance-api.conf" glance
  render ml2.conf "$ETC/neutron/ml2.conf" neutron
  render neutron-policy.yaml "$ETC/neutron/policy.yaml" neutron
  render clouds.yaml "$OS_CLIENT_CONFIG_FILE" demo
  chmod 600 "$OS_CLIENT_CONFIG_FILE"
  chown "${LAB_OPERATOR:-0:0}" "$OS_CLIENT_CONFIG_FILE"
  # Nova's WSGI loader reads this next to nova.conf, and ignores [wsgi] api_paste_config
  cp "$VENV/etc/nova/api-paste.ini" "$ETC/nova/"
  # nova-compute does not use the databases, and logs errors if they are configured
  sed '/^\[\(api_\)\?database\]/,/^$/d' "$ETC/nova/nova.conf" >"$ETC/nova/compute.conf"
  for compute in $COMPUTES; do
    mkdir -p "$STATE/nova-$compute"
    printf '[DEFAULT]\nhost = %s\nstate_path = %s\n' "$compute" "$STATE/nova-$compute" >"$ETC/nova/$compute.conf"
  done
  # a zone of Cinder for each zone of Nova, all with the same volume type
  # shellcheck disable=SC2086 # a list of computes
  { printf '[DEFAULT]\nenabled_backends = %s\n' "$(printf ',zone-%s' $OTHER_COMPUTES | cut -c2-)"
    for compute in $OTHER_COMPUTES; do
      printf '\n[zone-%s]\nbackend_availability_zone = zone-%s\n' "$compute" "$compute"
      sed -n '/^\[file\]/,/^$/{//!p}' "$ETC/cinder/cinder.conf"
    done; } >"$ETC/cinder/zones.conf"
}

start_wsgi() { # NAME PORT MODULE [UWSGI-OPTION...]
  local name=$1 port=$2 module=$3; shift 3
  start "$name" "$VENV/bin/uwsgi" --master --die-on-term --http-socket "$HOST_IP:$port" --module "$module:application" \
    --processes 1 --threads 4 --enable-threads --lazy-apps --buffer-size 65535 \
    --add-header "Connection: close" --disable-logging --need-app "$@"
}

# Keystone 30 mixes up requests of its threads: one in eight application credentials is created with the roles of another
# user, whose token another thread validates
start_keystone() {
  OS_KEYSTONE_CONFIG_FILES=$ETC/keystone/keystone.conf start_wsgi keystone "$KEYSTONE_PORT" keystone.wsgi.api \
    --processes 2 --threads 1
  wait_port keystone "$HOST_IP" "$KEYSTONE_PORT"
}

start_services() {
  local compute; local -a neutron=(--config-file "$ETC/neutron/neutron.conf" --config-file "$ETC/neutron/ml2.conf")
  OS_PLACEMENT_CONFIG_DIR=$ETC/placement start_wsgi placement 8778 placement.wsgi.api
  OS_GLANCE_CONFIG_DIR=$ETC/glance start_wsgi glance 9292 glance.wsgi.api
  # OVN's hash ring distinguishes the workers of this start from earlier ones by start-time
  start_wsgi neutron 9696 neutron.wsgi.api --env OS_NEUTRON_CONFIG_DIR="$ETC/neutron" \
    --env OS_NEUTRON_CONFIG_FILES="neutron.conf;ml2.conf" --set-ph start-time="$(date +%s)" --set start-time="$(date +%s)"
  start neutron-ovn-maintenance neutron-ovn-maintenance-worker "${neutron[@]}"
  OS_NOVA_CONFIG_DIR=$ETC/nova start_wsgi nova-api 8774 nova.wsgi.osapi_compute
  start nova-conductor nova-conductor --config-file "$ETC/nova/nova.conf"
  start nova-scheduler nova-scheduler --config-file "$ETC/nova/nova.conf"
  start_wsgi cinder-api 8776 cinder.wsgi.api --pyargv "--config-file $ETC/cinder/cinder.conf"
  start cinder-scheduler cinder-scheduler --config-file "$ETC/cinder/cinder.conf"
  start cinder-volume env PYTHONPATH="$LAB_HOME/cinder-volume" cinder-volume --config-file "$ETC/cinder/cinder.conf"
  [ -z "$OTHER_COMPUTES" ] || start cinder-volume-zones env PYTHONPATH="$LAB_HOME/cinder-volume" cinder-volume \
    --config-file "$ETC/cinder/cinder.conf" --config-file "$ETC/cinder/zones.conf"
  mkdir -p /run/octavia
  start octavia-driver-agent octavia-driver-agent --config-file "$ETC/octavia/octavia.conf"
  for compute in $COMPUTES; do
    start "nova-compute-$compute" python "$LAB_HOME/nova-virt/nova-compute.py" \
      --config-file "$ETC/nova/compute.conf" --config-file "$ETC/nova/$compute.conf"
  done
  # the provider driver opens the agent's sockets when the API loads it
  wait_for octavia-driver-agent test -S /run/octavia/get.sock
  start_wsgi octavia-api 9876 octavia.wsgi.api --pyargv "--config-file $ETC/octavia/octavia.conf"
}

start_identity() {
  start_keystone
  [ -e "$STATE/keystone/catalog" ] && return
  python "$LAB_HOME/cloud/identity.py" "$HOST_IP"
  touch "$STATE/keystone/catalog"
}

wait_until_ready() {
  # shellcheck disable=SC2086 # a list of computes
  python "$LAB_HOME/cloud/ready.py" --wait 600 $COMPUTES
}

make_resources() {
  local -a guests
  mapfile -t guests < <(ls "$GUESTS")
  python "$LAB_HOME/cloud/resources.py" "$HOST_IP" "$PUBLIC_CIDR" "$OTHER_COMPUTES" "${guests[@]}"
}
