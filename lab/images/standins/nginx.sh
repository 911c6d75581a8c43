#!/bin/sh
# Stands in for nginx: serves /usr/share/nginx/html, or one page that says who serves it.
cd /usr/share/nginx/html || exit 1
[ -e index.html ] || echo "nginx:$NGINX_VERSION on $(hostname)" >index.html
trap 'exit 0' TERM QUIT
httpd -f -v -p 80 -h . &
wait
