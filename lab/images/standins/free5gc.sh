#!/bin/sh
# Stands in for one of free5GC's network functions: shows its configuration and stays up.
name=${0##*/}
echo "$name started: $0 $*"
for file in config/*; do [ ! -f "$file" ] || echo "$name reads $file, $(wc -l <"$file") lines"; done
trap 'exit 0' TERM
if [ "$name" = webconsole ]; then
  mkdir -p /tmp/www && echo "free5GC web console on $(hostname)" >/tmp/www/index.html
  httpd -f -p 5000 -h /tmp/www &
else
  sleep 2147483647 &
fi
wait
