# shellcheck shell=bash disable=SC2154
# ensure: the sole master may leave its control plane here: a copy while its server is replaced (control-plane-copy.sh),
#         and snapshots for a server that is lost (control-plane-snapshot.sh)
# kept: prints of when the copy and the last snapshot are, as JSON
# agree: the last snapshot is what the next server gets
#
# login_user  who it logs in as
# public_key  the key that it comes with, good for these files only

# runs in the login's home: has, get and drop of the copy; what `put` has brought as a whole becomes the copy or the
# snapshot by `keep`. A snapshot is taken where etcd goes on: a copy that is there by then is of before. A `put` whose
# connection is gone may still write: to a file that has no name any more
# shellcheck disable=SC2016 # the login's shell expands it
store='umask 077; f=.vnfm-control-plane; '\
'case $SSH_ORIGINAL_COMMAND in put) rm -f $f-next && cat >$f-next && sync $f-next ;; keep\ copy) mv $f-next $f ;; '\
'keep\ snapshot) mv $f-next $f-snapshot && rm -f $f ;; has) test -e $f ;; get) cat $f ;; '\
'drop) rm -f $f $f-next ;; *) exit 2 ;; esac'

home=$(getent passwd "$login_user" | cut -d: -f6)
copy=$home/.vnfm-control-plane

# time_of ARCHIVE: its time as JSON, as control-plane-archive.sh has written it; null where there is none
time_of() {
  local line=
  [ ! -e "$1" ] || IFS= read -r line <"$1" || true
  if [[ $line =~ \ ([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z)$ ]]; then
    printf '"%s"\n' "${BASH_REMATCH[1]}"
  else
    echo null
  fi
}

kept() { printf '{"copy": %s, "snapshot": %s}\n' "$(time_of "$copy")" "$(time_of "$copy-snapshot")"; }

# a second name of the same file, which is there at once and as a whole
agree() { [ "$(time_of "$copy")" != null ] || ln -f "$copy-snapshot" "$copy"; }

create() {
  local folder keys
  folder=$home/.ssh
  keys=$folder/authorized_keys
  install -d -m 700 -o "$login_user" -g "$(id -g "$login_user")" "$folder"
  {
    [ ! -e "$keys" ] || awk '!/ vnfm-control-plane$/' "$keys"
    printf 'restrict,command="%s" %s vnfm-control-plane\n' "$store" "$public_key"
  } >"$keys.vnfm"
  chown --reference="$folder" "$keys.vnfm"
  mv "$keys.vnfm" "$keys"
}

exclusively
"$1" </dev/null
