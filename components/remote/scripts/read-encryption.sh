# shellcheck shell=bash disable=SC2154
# prints the EncryptionConfiguration of a master, with all keys that it has just now, for one that joins

create() { cat "$encryption"; }

"$1" </dev/null
