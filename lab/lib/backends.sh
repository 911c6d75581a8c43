# shellcheck shell=bash
# Services that OpenStack uses: MariaDB, RabbitMQ, memcached, all on the loopback and started without systemd.

SQL_SOCKET=$STATE/mysql/mysql.sock
DATABASES="keystone placement glance nova_api nova_cell0 nova neutron cinder octavia"

sql() { mariadb --no-defaults -uroot -S "$SQL_SOCKET"; }

start_mariadb() {
  local data=$STATE/mysql
  if [ ! -d "$data" ]; then
    rm -rf "$data.new"; install -d -o mysql "$data.new"
    mariadb-install-db --user=mysql --datadir="$data.new" --auth-root-authentication-method=socket --skip-test-db
    mv "$data.new" "$data"
  fi
  start mariadb mariadbd --no-defaults --user=mysql --datadir="$data" --bind-address=127.0.0.1 --port="$DB_PORT" \
    --socket="$SQL_SOCKET" --pid-file="$data/mariadbd.pid" --skip-name-resolve --max-connections=800 \
    --innodb-flush-log-at-trx-commit=0 --innodb-buffer-pool-size=256M --innodb-flush-method=fsync \
    --character-set-server=utf8mb4 --performance-schema=OFF
  wait_port mariadb 127.0.0.1 "$DB_PORT"
  local name
  for name in $DATABASES; do
    echo "CREATE DATABASE IF NOT EXISTS $name;"
    echo "GRANT ALL ON $name.* TO '${name%%_*}'@'127.0.0.1' IDENTIFIED BY 'lab';"
  done | sql
}

start_rabbitmq() {
  local data=$STATE/rabbitmq
  mkdir -p "$data" "$LOG/rabbitmq"
  cat >"$data/rabbitmq.conf" <<C
listeners.tcp.1 = 127.0.0.1:$MQ_PORT
default_user = lab
default_pass = lab
loopback_users = none
vm_memory_high_watermark.absolute = 1GB
disk_free_limit.absolute = 100MB
log.console.level = warning
C
  # queues need not be kept, and may be unreadable after a crash
  is_up rabbitmq || rm -rf "$data/mnesia"
  start rabbitmq env HOME="$data" RABBITMQ_NODENAME=vnfm-lab@localhost RABBITMQ_CONFIG_FILE="$data/rabbitmq" \
    RABBITMQ_MNESIA_BASE="$data/mnesia" RABBITMQ_LOG_BASE="$LOG/rabbitmq" RABBITMQ_ENABLED_PLUGINS_FILE="$data/plugins" \
    RABBITMQ_DIST_PORT=25673 ERL_EPMD_ADDRESS=127.0.0.1 ERL_EPMD_PORT="$EPMD_PORT" \
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS="-start_epmd false -kernel inet_dist_use_interface {127,0,0,1} +S 2:2 +sbwt none" \
    /usr/lib/rabbitmq/bin/rabbitmq-server
  wait_port rabbitmq 127.0.0.1 "$MQ_PORT"
}

start_backends() {
  # explicit start of epmd: one that Erlang starts would keep running after the lab
  start epmd env ERL_EPMD_ADDRESS=127.0.0.1 epmd -port "$EPMD_PORT"
  wait_port epmd 127.0.0.1 "$EPMD_PORT"
  start memcached memcached -u nobody -l 127.0.0.1 -p "$MEMCACHED_PORT" -m 128
  local rabbitmq
  start_rabbitmq & rabbitmq=$!
  start_mariadb
  wait "$rabbitmq"
  wait_port memcached 127.0.0.1 "$MEMCACHED_PORT"
}
