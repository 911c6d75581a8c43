# shellcheck shell=bash disable=SC2154
# The NFS server of a storage server.

nfs_service() { if [ "$nfs_server" = ganesha ]; then echo nfs-ganesha; else echo nfs-server; fi; }
