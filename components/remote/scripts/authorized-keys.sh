# shellcheck shell=bash disable=SC2154
# ensure: in every authorized_keys file with a former key of the instance, the present key replaces it
#
# public_key  the present key
# former      former public keys, one in each line
# login_user  the user for whom the present key must be authorized; empty if another key or a password is used

# prints KEY of "ssh-ed25519 KEY comment"
blob() { awk '{ print $2 }' <<<"$1"; }

# the rest of a key's line, such as options, stays
rewrite() { # FILE
  awk -v present="$(blob "$public_key")" -v former="$(blob "$former" | paste -sd ' ')" '
    BEGIN { split(former, keys, " ") }
    {
      line = $0
      for (i in keys)
        if ((at = index($0, keys[i])) > 0)
          line = substr($0, 1, at - 1) present substr($0, at + length(keys[i]))
      if (index(line, present) == 0 || !seen[line]++) print line
    }' "$1"
}

create() {
  local home file owner before=/run/vnfm-authorized-keys rewritten=/run/vnfm-authorized-keys.new
  trap 'rm -f /run/vnfm-authorized-keys /run/vnfm-authorized-keys.new' EXIT
  while read -r home; do
    file=$home/.ssh/authorized_keys
    [ -f "$file" ] || continue
    # only with the owner's rights, because a link may lead to any file
    owner=$(stat -Lc %U "$home")
    runuser -u "$owner" -- cat "$file" </dev/null >"$before" || die "$owner may not read $file"
    rewrite "$before" >"$rewritten"
    ! cmp -s "$rewritten" "$before" || continue
    # shellcheck disable=SC2016 # for the inner shell
    runuser -u "$owner" -- sh -c 'cp -p "$1" "$1.vnfm" && cat >"$1.vnfm" && mv "$1.vnfm" "$1"' - "$file" <"$rewritten" ||
      die "$owner may not write $file"
  done < <(getent passwd | cut -d: -f6 | sort -u)
  [ -z "$login_user" ] ||
    grep -qF "$(blob "$public_key")" "$(getent passwd "$login_user" | cut -d: -f6)/.ssh/authorized_keys" ||
    die "the instance's SSH key is not in ~$login_user/.ssh/authorized_keys, so it cannot be rotated there"
}

exclusively
"$1" </dev/null
