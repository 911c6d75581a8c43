#!/bin/sh
# Stands in for the mongo shell: says whether the server takes connections.
exec nc -w 2 127.0.0.1 27017 </dev/null
