# shellcheck shell=bash disable=SC2154
# ensure: masters may leave their control plane here: a sole one a copy while its server is replaced
#         (control-plane-copy.sh), all of them snapshots for when they are lost (control-plane-snapshot.sh)
# kept: prints of when the copy is, the headers of the snapshots, the newest first, the age of the newest one, and how
#       long the store is open, both in seconds, as JSON
# agree: the chosen snapshot is what the next server gets
# check: prints a line if masters can store nothing here, or if the snapshots do not reach their bucket
#
# login_user  who it logs in as
# public_key  the key that it comes with, good for these files only
# directory   where the files are, in a folder of their own; empty for the login's home
# snapshot    time of the chosen snapshot; empty for the newest. Only for agree
# and those of snapshot-bucket.sh, except for folder

. ./snapshot-bucket.sh

home=$(getent passwd "$login_user" | cut -d: -f6)
folder=${directory:-$home}/.vnfm-control-plane
program=/usr/local/sbin/vnfm-control-plane-store

# What the key of the masters runs, in the folder. A `put` whose connection is gone may still write: to a file that has no
# name any more. What a `put` has brought as a whole becomes the copy or a snapshot by `keep`. A snapshot is taken where
# etcd goes on: a copy that is there by then is of before. The clock is that of this server alone.
store_program() {
  printf '#!/bin/sh\nset -ef\numask 077\ncd %q || exit 3\n' "$folder"
  cat <<'PROGRAM'
case $SSH_ORIGINAL_COMMAND in *[!a-zA-Z0-9.:\ -]* | *..*) exit 2 ;; esac
set -- $SSH_ORIGINAL_COMMAND
case "$#$1" in
  2put) rm -f "next-$2" && cat >"next-$2" && sync "next-$2" ;;
  4keep)
    case $2 in
      copy) mv "next-$3" copy ;;
      snapshot)
        # the clock of another master may be ahead
        touch "next-$3"
        mv "next-$3" "snapshot-$4"
        rm -f copy
        find . -name 'snapshot-*' -printf '%T@ %P\n' | sort -rn | tail -n +25 | cut -d' ' -f2 | xargs -r rm -f
        ;;
      *) exit 2 ;;
    esac
    ;;
  2agree) test -e "snapshot-$2" && ln -f "snapshot-$2" copy ;;
  1recent) test -n "$(find . -name 'snapshot-*' -newermt '4 minutes ago')" ;;
  1has) test -e copy ;;
  1get) cat copy ;;
  1drop)
    rm -f copy
    find . -name 'next-*' -delete
    ;;
  *) exit 2 ;;
esac
PROGRAM
}

# header_of ARCHIVE: its header, as control-plane-archive.sh has written it; empty where there is none
header_of() {
  local line=
  [ ! -e "$1" ] || IFS= read -r line <"$1" || true
  [[ $line =~ ^[^\ ]+\ ([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z(\ [0-9]+\ [0-9]+\ [v0-9.-]+\ [0-9a-f]{64}\ [a-z0-9.-]+)?)$ ]] ||
    return 0
  printf '%s\n' "${BASH_REMATCH[1]}"
}

# snapshots: their names, the newest first
snapshots() {
  [ ! -d "$folder" ] || find "$folder" -name 'snapshot-*' -printf '%T@ %P\n' | sort -rn | cut -d' ' -f2
}

# seconds_since FILE
seconds_since() { printf '%s\n' $(($(date +%s) - $(stat -c %Y "$1"))); }

kept() {
  local copy name age=null separator=''
  copy=$(header_of "$folder/copy")
  if [ -n "$copy" ]; then printf '{"copy": "%s", "snapshots": [' "${copy%% *}"; else printf '{"copy": null, "snapshots": ['; fi
  for name in $(snapshots); do
    copy=$(header_of "$folder/$name")
    [ -n "$copy" ] || continue
    [ -n "$separator" ] || age=$(seconds_since "$folder/$name")
    printf '%s"%s"' "$separator" "$copy"
    separator=', '
  done
  printf '], "age": %s, "open": %s}\n' "$age" "$(seconds_since "$program")"
}

# is_whole ARCHIVE: a master has signed it, as control-plane-archive.sh does
is_whole() {
  local scratch line status=0
  scratch=$(mktemp -d)
  printf 'master %s\n' "$public_key" >"$scratch/signers"
  {
    IFS= read -r line
    base64 -d <<<"${line%% *}" >"$scratch/signature" 2>/dev/null || true
    { printf '%s\n' "${line#* }" && cat; } |
      ssh-keygen -q -Y verify -f "$scratch/signers" -I master -n vnfm -s "$scratch/signature" >/dev/null 2>&1
  } <"$1" || status=$?
  rm -r "$scratch"
  return "$status"
}

# a second name of the same file, which is there at once and as a whole
agree() {
  local name
  if [ -n "$(header_of "$folder/copy")" ] && [ -z "${snapshot:-}" ]; then return; fi
  for name in $(snapshots); do
    [ -n "$(header_of "$folder/$name")" ] || continue
    if [ -z "${snapshot:-}" ] || [ "$name" = "snapshot-$snapshot" ]; then
      is_whole "$folder/$name" || die "it is not what a control-plane node stored here"
      ln -f "$folder/$name" "$folder/copy"
      return
    fi
  done
  die "there is no such snapshot of etcd here"
}

create() {
  local ssh keys
  ssh=$home/.ssh
  keys=$ssh/authorized_keys
  install -d -m 700 -o "$login_user" -g "$(id -g "$login_user")" "$ssh" "$folder"
  # the volume may come from a server whose login has another id
  chown -R --reference="$folder" "$folder"
  store_program >"$program.new"
  chmod 755 "$program.new"
  mv "$program.new" "$program"
  # a master that reaches a new store finds all that the bucket has
  ensure_bucket
  {
    [ ! -e "$keys" ] || awk '!/ vnfm-control-plane$/' "$keys"
    printf 'restrict,command="%s" %s vnfm-control-plane\n' "$program" "$public_key"
  } >"$keys.vnfm"
  chown --reference="$ssh" "$keys.vnfm"
  mv "$keys.vnfm" "$keys"
}

check() {
  if [ ! -x "$program" ] || ! grep -qsF "$public_key vnfm-control-plane" "$home/.ssh/authorized_keys"; then
    echo "control-plane nodes can store no snapshot of etcd here: their program or their key is missing"
  fi
  check_bucket
}

exclusively
"$1" </dev/null
