# shellcheck shell=bash
# The services' database schemas. Their creation takes a minute or more, so the first result is kept and loaded later.

keystone_schema() {
  local -a manage=(keystone-manage --config-file "$ETC/keystone/keystone.conf")
  "${manage[@]}" db_sync
  "${manage[@]}" bootstrap --bootstrap-password lab --bootstrap-username admin --bootstrap-project-name admin \
    --bootstrap-region-id RegionOne --bootstrap-admin-url "$AUTH_URL" --bootstrap-internal-url "$AUTH_URL" \
    --bootstrap-public-url "$AUTH_URL"
}
placement_schema() { placement-manage --config-file "$ETC/placement/placement.conf" db sync; }
glance_schema() { glance-manage --config-file "$ETC/glance/glance-api.conf" db_sync; }
nova_schema() {
  local cells; local -a manage=(nova-manage --config-file "$ETC/nova/nova.conf")
  "${manage[@]}" api_db sync
  cells=$("${manage[@]}" cell_v2 list_cells)
  [[ $cells == *cell0* ]] || "${manage[@]}" cell_v2 map_cell0 \
    --database_connection "mysql+pymysql://nova:lab@127.0.0.1:$DB_PORT/nova_cell0"
  "${manage[@]}" db sync
  [[ $cells == *cell1* ]] || "${manage[@]}" cell_v2 create_cell --name cell1
}
neutron_schema() {
  neutron-db-manage --config-file "$ETC/neutron/neutron.conf" --config-file "$ETC/neutron/ml2.conf" upgrade heads
}
cinder_schema() { cinder-manage --config-file "$ETC/cinder/cinder.conf" db sync; }
octavia_schema() { octavia-db-manage --config-file "$ETC/octavia/octavia.conf" upgrade head; }

# Writes the same files as `keystone-manage fernet_setup` and `credential_setup`, but faster: the next and the current key.
keystone_keys() (
  umask 077
  for directory in "$STATE"/keystone/{fernet-keys,credential-keys}; do
    mkdir -p "$directory"
    for key in 0 1; do head -c 32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '\n' >"$directory/$key"; done
  done
)

make_schemas() { # every service's own, at once
  local service; local -A running=()
  for service in $SERVICES; do
    ( set -e; "${service}_schema" ) >"$LOG/schema-$service.log" 2>&1 &
    running[$service]=$!
  done
  for service in "${!running[@]}"; do
    wait "${running[$service]}" || { tail -5 "$LOG/schema-$service.log" >&2; echo "schema of $service failed" >&2; return 1; }
  done
}

create_schemas() {
  [ ! -e "$STATE/schemas" ] || return 0
  local kept service
  kept=$CACHE/schemas-$({ echo "$VENV $AUTH_URL $DB_PORT"; declare -f make_schemas; for service in $SERVICES; do declare -f "${service}_schema"; done; } | fingerprint -).sql
  keystone_keys
  if [ -e "$kept" ]; then
    sql <"$kept"
  else
    make_schemas
    # shellcheck disable=SC2086 # a list of databases
    mariadb-dump --no-defaults -uroot -S "$SQL_SOCKET" --add-drop-database --databases $DATABASES >"$kept.new"
    mv "$kept.new" "$kept"
  fi
  touch "$STATE/schemas"
}
