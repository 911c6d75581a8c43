# shellcheck shell=bash disable=SC2154
# ensure: the sole master may leave its control plane here: a copy while its server is replaced (control-plane-copy.sh),
#         and snapshots for a server that is lost (control-plane-snapshot.sh)
# kept: prints of when the control plane is that the next server would get; nothing if there is none
#
# login_user  who it logs in as
# public_key  the key that it comes with, good for these files only

# runs in the login's home: put, has, get and drop of the copy, or of `snapshot`; `put next` and `keep` make a snapshot
# shellcheck disable=SC2016 # the login's shell expands it
store='umask 077; f=.vnfm-control-plane; '\
'case $SSH_ORIGINAL_COMMAND in *next) f=$f-next ;; *snapshot) f=$f-snapshot ;; esac; '\
'case ${SSH_ORIGINAL_COMMAND%% *} in put) cat >$f.new && mv $f.new $f ;; keep) mv $f-next $f-snapshot ;; '\
'has) test -e $f ;; get) cat $f ;; drop) rm -f $f $f.new ;; *) exit 2 ;; esac'

home=$(getent passwd "$login_user" | cut -d: -f6)

kept() {
  local file=$home/.vnfm-control-plane
  [ -e "$file" ] || file+=-snapshot
  [ ! -e "$file" ] || date -u -r "$file" +%Y-%m-%dT%H:%M:%SZ
}

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
