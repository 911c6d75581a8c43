#!/bin/sh
# Stands in for the Vortex network controller: makes its socket's file, which clients look for, and stays up.
for option; do case $option in -unix=*) socket=${option#-unix=} ;; esac; done
echo "network controller on ${socket:-no socket}"
[ -z "${socket:-}" ] || : >"$socket"
trap 'exit 0' TERM
sleep 2147483647 &
wait
