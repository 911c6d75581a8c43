# shellcheck shell=bash disable=SC2154
# ensure: the sole master may leave its control plane here: a copy while its server is replaced (control-plane-copy.sh),
#         and snapshots for a server that is lost (control-plane-snapshot.sh)
# kept: prints whether there is a copy, and of when the last snapshot is, as JSON
# agree: the last snapshot is what the next server gets
#
# login_user  who it logs in as
# public_key  the key that it comes with, good for these files only

# runs in the login's home: put, has, get and drop of the copy; `put next` and `keep` make a snapshot, which is taken
# where etcd goes on: a copy that is there by then is of before
# shellcheck disable=SC2016 # the login's shell expands it
store='umask 077; f=.vnfm-control-plane; '\
'case $SSH_ORIGINAL_COMMAND in put) cat >$f.new && mv $f.new $f ;; put\ next) cat >$f-next ;; '\
'keep) mv $f-next $f-snapshot && rm -f $f $f.new ;; has) test -e $f ;; get) cat $f ;; drop) rm -f $f $f.new ;; '\
'*) exit 2 ;; esac'

home=$(getent passwd "$login_user" | cut -d: -f6)
copy=$home/.vnfm-control-plane

kept() {
  local copied=false snapshot=null
  [ ! -e "$copy" ] || copied=true
  [ ! -e "$copy-snapshot" ] || snapshot=$(date -u -r "$copy-snapshot" +'"%Y-%m-%dT%H:%M:%SZ"')
  printf '{"copy": %s, "snapshot": %s}\n' "$copied" "$snapshot"
}

agree() { [ -e "$copy" ] || cp -p "$copy-snapshot" "$copy"; }

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
