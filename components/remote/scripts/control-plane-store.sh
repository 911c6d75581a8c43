# shellcheck shell=bash disable=SC2154
# ensure: the sole master may leave one file here while its server is replaced: see control-plane-copy.sh
#
# login_user  who it logs in as
# public_key  the key that it comes with, good for that file only

# runs in the login's home
# shellcheck disable=SC2016 # the login's shell expands it
store='umask 077; f=.vnfm-control-plane; case $SSH_ORIGINAL_COMMAND in put) cat >$f.new && mv $f.new $f ;; '\
'has) test -e $f ;; get) cat $f ;; drop) rm -f $f $f.new ;; *) exit 2 ;; esac'

create() {
  local home folder keys
  home=$(getent passwd "$login_user" | cut -d: -f6)
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
