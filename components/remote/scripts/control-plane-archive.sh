# shellcheck shell=bash disable=SC2034,SC2154
# In front of control-plane-copy.sh, control-plane-restore.sh and control-plane-snapshot.sh: archives of a control plane,
# encrypted and signed, that a worker or the storage server keeps.
#
# store_node, store_address, store_user, store_host_key  that server, see control-plane-store.sh
# store_key                                 private key for it; what encrypts an archive is derived from it

manifest=/etc/kubernetes/manifests/etcd.yaml
# etcd's manifest while etcd is to rest; goes when its next server has everything
parked=/etc/kubernetes/vnfm-etcd.yaml
keys=/run/vnfm-control-plane
work=/var/lib/vnfm-control-plane
# of etcd, where that goes on
snapshot=$work/etcd.db
etcd_image=/run/vnfm-etcd-image
etcd_programs=$etcd_image/usr/local/bin

unlock() {
  trap forget EXIT
  command -v ssh >/dev/null || die "ssh is not installed: the control plane cannot be copied to $store_node and back"
  mkdir -p "$keys" "$work"
  printf '%s' "$store_key" >"$keys/login"
  printf 'store %s\n' "$store_host_key" >"$keys/known_hosts"
  printf 'master %s\n' "$(ssh-keygen -y -f "$keys/login")" >"$keys/signers"
  printf 'secret of the copy\n%s' "$store_key" | sha256sum | cut -d' ' -f1 >"$keys/secret"
}

forget() { rm -rf "$keys" "$work"; }

# see control-plane-store.sh; 255 is "not reached"
store() {
  ssh -F none -i "$keys/login" -o IdentitiesOnly=yes -o BatchMode=yes -o LogLevel=ERROR -o ConnectTimeout=10 \
    -o ServerAliveInterval=10 -o StrictHostKeyChecking=yes -o HostKeyAlias=store -o CheckHostIP=no \
    -o UserKnownHostsFile="$keys/known_hosts" -o GlobalKnownHostsFile=/dev/null "$store_user@$store_address" "$*"
}

cipher() { openssl enc -aes-256-ctr -pbkdf2 -pass "file:$keys/secret" "$@"; }

now() { date -u +%Y-%m-%dT%H:%M:%SZ; }

# signed HEADER: what the signature of an archive is of
signed() { printf '%s\n' "$1" && cat "$work/packed"; }

# pack HEADER PATH: an archive of etcd's data there, and of what else makes a server this master: a line of signature and
# header, then what is encrypted. A header begins with the time of the data; see header_of for what a snapshot's has more
pack() {
  cd /
  tar -c --numeric-owner --transform="s,^${complete#/}\$,&.new," etc/kubernetes "${2#/}" \
    var/lib/kubelet/{pki,*.yaml,*.env} | gzip -1 | cipher >"$work/packed"
  signed "$1" | ssh-keygen -q -Y sign -f "$keys/login" -n vnfm >"$work/signature"
  printf '%s %s\n' "$(base64 -w0 "$work/signature")" "$1"
  cat "$work/packed"
}

# unpack TIME FOLDER: what pack has printed; its header is in $work/header. An archive from before that time is refused
unpack() {
  # "-----BEGIN SSH SIGNATURE" in base64, before which a login shell on $store_node may print
  local line='' begin=LS0tLS1CRUdJTiBTU0ggU0lHTkFUVVJF
  until [[ $line == *"$begin"* ]]; do
    IFS= read -r line || break
  done
  line=$begin${line#*"$begin"}
  base64 -d <<<"${line%% *}" >"$work/signature" || true
  cat >"$work/packed"
  signed "${line#* }" | ssh-keygen -q -Y verify -f "$keys/signers" -I master -n vnfm -s "$work/signature" >&2 ||
    die "the copy of the control plane on $store_node is not what the control-plane node stored there: nothing of it is used"
  local header=${line#* }
  [[ ! $header < $1 ]] || die "the copy of the control plane on $store_node is of ${header%% *}, and the control-plane node \
stored one of $1 there: nothing of it is used. If the newer one is lost, 'vnfm heal' reports what exists, and uses it"
  printf '%s\n' "$header" >"$work/header"
  cipher -d <"$work/packed" | gzip -d | tar -x -p --numeric-owner -C "$2"
}

# leave KIND HEADER PATH: such an archive comes to the store as its `copy` or as a `snapshot`, whole or not at all: a
# connection that breaks ends a transfer there as if all had come
leave() {
  local writer
  writer=$(hostname)
  pack "$2" "$3" | store put "$writer"
  store keep "$1" "$writer" "${2%% *}"
}

# image_in MANIFEST
image_in() { sed -n 's/^ *image: *//p' "$1"; }

# of_etcd IMAGE COMMAND...: runs the command while the image's programs are in $etcd_programs
of_etcd() {
  local status=0
  # of a run that was cut off
  ctr -n k8s.io images unmount --rm "$etcd_image" >/dev/null 2>&1 || true
  mkdir -p "$etcd_image"
  ctr -n k8s.io images mount "$1" "$etcd_image" >/dev/null
  "${@:2}" || status=$?
  ctr -n k8s.io images unmount --rm "$etcd_image" >/dev/null
  return "$status"
}

# images of etcd 3.5 may lack etcdutl; from 3.6 on etcdctl cannot do this
restore_tool() {
  if [ -e "$etcd_programs/etcdutl" ]; then "$etcd_programs/etcdutl" "$@"; else "$etcd_programs/etcdctl" "$@"; fi
}

# of kube-apiserver
present_version() {
  sed -n 's/^ *image: .*:\(v1\.[0-9]*\.[0-9]*\).*/\1/p' /etc/kubernetes/manifests/kube-apiserver.yaml
}

# the cluster's CA, as kubeadm calls it
ca_hash() {
  openssl x509 -pubkey -noout -in /etc/kubernetes/pki/ca.crt | openssl pkey -pubin -outform DER | sha256sum | cut -d' ' -f1
}
