# shellcheck shell=bash disable=SC2154
# In control-plane-store.sh: the newest snapshots are also in a bucket of S3, for when the server of the store is lost.
# They are encrypted and signed by the masters, so the bucket need not be trusted.
#
# folder             folder of the snapshots
# bucket_endpoint    URL of the S3 service; empty: there is no bucket
# bucket_region, bucket_name
# bucket_prefix      folder of this cluster in the bucket
# bucket_access_key, bucket_secret_key

bucket_unit=vnfm-snapshot-bucket
# contains the secret key
bucket_program=/usr/local/sbin/$bucket_unit
# a file whose time is that of the last success
bucket_success=/var/lib/vnfm-snapshot-bucket
bucket_units=("/etc/systemd/system/$bucket_unit".{service,timer})
# of no content, which a signature has to name
empty_digest=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855

# s3_request METHOD PATH DIGEST [CURL-ARGUMENTS...]: a signed request; curl reads the keys from standard input
s3_request() {
  local secret=${bucket_secret_key//\\/\\\\}
  printf 'user = "%s:%s"\n' "$bucket_access_key" "${secret//\"/\\\"}" |
    curl --config - --silent --show-error --fail --max-time 200 --request "$1" \
      --aws-sigv4 "aws:amz:$bucket_region:s3" --header "x-amz-content-sha256: $3" "${@:4}" \
      "$bucket_endpoint/$bucket_name$2"
}

# objects: names of the snapshots in the bucket, the newest first. Names have no colons, which services sign differently
objects() {
  local answer
  answer=$(s3_request GET "?list-type=2&prefix=$bucket_prefix%2F" "$empty_digest") || return
  sed -n "s,^<Key>$bucket_prefix/\(snapshot-[0-9TZ-]*\)</Key>.*,\1,p" <<<"${answer//<Key>/$'\n'<Key>}" | sort -r
}

# download: what the bucket has, where the store is new
download() {
  local names object file=$folder/next-bucket
  [ -z "$(snapshots)" ] || return 0
  names=$(objects) || return
  for object in $(head -n 24 <<<"$names"); do
    [[ $object =~ ^snapshot-(.{10}T[0-9]{2})([0-9]{2})([0-9]{2}Z)$ ]] || continue
    s3_request GET "/$bucket_prefix/$object" "$empty_digest" --output "$file" || return
    chown --reference="$folder" "$file"
    touch -d "${BASH_REMATCH[1]}:${BASH_REMATCH[2]}:${BASH_REMATCH[3]}" "$file"
    mv "$file" "$folder/snapshot-${BASH_REMATCH[1]}:${BASH_REMATCH[2]}:${BASH_REMATCH[3]}"
  done
}

# upload: what the bucket lacks; the newest 24 stay there
upload() {
  local names name object digest
  names=$(objects) || return
  for name in $(snapshots); do
    object=${name//:/}
    ! grep -qxF "$object" <<<"$names" || continue
    digest=$(sha256sum "$folder/$name" | cut -d' ' -f1) || return
    s3_request PUT "/$bucket_prefix/$object" "$digest" --upload-file "$folder/$name" || return
  done
  names=$(objects) || return
  for object in $(tail -n +25 <<<"$names"); do
    s3_request DELETE "/$bucket_prefix/$object" "$empty_digest" || return
  done
}

sync_bucket() {
  download
  upload
  touch "$bucket_success"
}

# The program that does this by itself: the functions, and the values that they use.
bucket_program_text() {
  printf 'set -euo pipefail\nshopt -s inherit_errexit\numask 077\n'
  declare -p LC_ALL PATH folder empty_digest bucket_success bucket_endpoint bucket_region bucket_name bucket_prefix \
    bucket_access_key bucket_secret_key
  declare -f s3_request objects snapshots download upload sync_bucket
  printf 'sync_bucket </dev/null\n'
}

# Releases before this one sign a request to S3 without the digest of its content, which S3 refuses.
assert_curl() {
  local version
  version=$(curl --version 2>/dev/null | sed -n '1s/^curl \([0-9.]*\).*/\1/p')
  [ -n "$version" ] || die "curl is not installed: the snapshots of etcd cannot be sent to the bucket $bucket_name"
  printf '7.88.0\n%s\n' "$version" | sort -CV ||
    die "curl is $version, and signs no requests to S3 before 7.88: the snapshots of etcd cannot be sent to $bucket_name"
}

# bucket: each snapshot is sent there, or none any more
ensure_bucket() {
  if [ -z "${bucket_endpoint-}" ]; then
    [ -e "$bucket_program" ] || return 0
    systemctl disable --now "$bucket_unit.timer" >&2
    rm -f "$bucket_program" "$bucket_success" "${bucket_units[@]}"
    systemctl daemon-reload
    return
  fi
  assert_curl
  bucket_program_text >"$bucket_program.new"
  mv "$bucket_program.new" "$bucket_program"
  (
    umask 022
    cat >"${bucket_units[0]}" <<UNIT
[Unit]
Description=Snapshots of etcd in the bucket $bucket_name

[Service]
Type=oneshot
ExecStart=/bin/bash $bucket_program
TimeoutStartSec=280
Nice=10
UNIT
    cat >"${bucket_units[1]}" <<UNIT
[Unit]
Description=Snapshots of etcd in the bucket $bucket_name

[Timer]
OnCalendar=*:4/5

[Install]
WantedBy=timers.target
UNIT
  )
  systemctl daemon-reload
  systemctl enable --now "$bucket_unit.timer" >&2
  systemctl start "$bucket_unit.service" ||
    die "the bucket $bucket_name does not take the snapshots of etcd: $(journalctl --quiet --output=cat --unit="$bucket_unit" \
      --lines=20 | grep -m1 curl || echo "see 'journalctl -u $bucket_unit' there")"
}

check_bucket() {
  [ -n "${bucket_endpoint-}" ] || return 0
  systemctl is-active --quiet "$bucket_unit.timer" || echo "the timer $bucket_unit does not run"
  [ -n "$(find "$bucket_success" -newermt '11 minutes ago' 2>/dev/null)" ] ||
    echo "the bucket $bucket_name has received no snapshot of etcd for more than 10 minutes: see 'journalctl -u $bucket_unit' there"
}
