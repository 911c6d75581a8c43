#!/bin/sh
# Stands in for mongod: takes connections on its port and leaves a mark in its data directory.
date >>/data/db/started
echo "waiting for connections on port 27017"
trap 'exit 0' TERM
nc -ll -p 27017 -e cat &
wait
