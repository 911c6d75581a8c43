# shellcheck shell=bash
# delete: before this server is deleted, it stops serving the Kubernetes API, and others take over. A control-plane node is
#         still a member of etcd, and its Node exists: see membership.sh. If it stays after all, join-node.sh makes it serve
#         again

. ./functions/serving.sh

delete() { stop_serving; }

# a snapshot of a large etcd has the lock for minutes, and others take the next one
systemctl stop vnfm-control-plane-snapshot.service 2>/dev/null || true
exclusively
"$1" </dev/null
