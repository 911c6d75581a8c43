#!/bin/sh
# Stands in for the Vortex client: says what it was asked for. It adds no interface.
echo "would connect: $*"
