# shellcheck shell=bash
# delete: this load balancer has told the others that it goes, so one of them takes the virtual IP at once

delete() { systemctl stop keepalived; }

exclusively
"$1" </dev/null
