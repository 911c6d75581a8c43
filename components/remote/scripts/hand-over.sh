# shellcheck shell=bash
# delete: this server, which is to go, serves nothing of the Kubernetes API any more, and others do. A master is in etcd
#         still, and its Node is there: see membership.sh. Where it is to stay all the same, join-node.sh has it serve again

. ./functions/serving.sh

delete() { stop_serving; }

exclusively
"$1" </dev/null
