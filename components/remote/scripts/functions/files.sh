# shellcheck shell=bash disable=SC2154
# Writes files on a node.

# write_file MODE PATH CONTENT: writes the file atomically; the content is in base64
write_file() {
  [ -d "${2%/*}" ] || install -d -m 755 "${2%/*}"
  base64 -d <<<"$3" | install -m "$1" /dev/stdin "$2.new"
  # a folder at the path is an error, and not where the file goes
  mv -T "$2.new" "$2"
}

# each_file FUNCTION LINES: calls FUNCTION MODE PATH CONTENT for each line, if there are any
each_file() {
  local mode path content
  while read -r mode path content; do
    [ -z "$path" ] || "$1" "$mode" "$path" "$content"
  done <<<"$2"
}

# without_block FILE BEGIN END: prints the file without the lines from BEGIN to END. Fails if END is missing, because the
# end of vnfm's lines is then unknown
without_block() {
  local status=0
  awk -v begin="$2" -v end="$3" '
    inside && /^# BEGIN / { exit 3 }
    $0 == begin { inside = 1 }
    !inside { print }
    $0 == end { inside = 0 }
    END { if (inside) exit 3 }' "$1" || status=$?
  [ "$status" != 3 ] ||
    die "$1 has the line '$2', but its end, '$3', is missing: remove the rest of these lines from the file, and run \
the same command again"
  return "$status"
}
