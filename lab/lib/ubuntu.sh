# shellcheck shell=bash
# Guest tree ubuntu-24.04: like debian-12-containerd, with Ubuntu's packages.

UBUNTU_MIRROR=http://archive.ubuntu.com/ubuntu
# signing keys of Ubuntu's archive; no package of Debian 12 contains them
UBUNTU_KEYS=pool/main/u/ubuntu-keyring/ubuntu-keyring_2023.11.28.1_all.deb
UBUNTU_KEYS_SHA256=36de43b15853ccae0028e9a767613770c704833f82586f28eb262f0311adb8a8

ubuntu_base_layer() { # DIRECTORY: a minimal Ubuntu that boots
  local keys; keys=$(mktemp -d "$CACHE/new.XXXXXX")
  curl -fsS --retry 3 -o "$keys/package" "$UBUNTU_MIRROR/$UBUNTU_KEYS"
  sha256sum --check --quiet <<<"$UBUNTU_KEYS_SHA256  $keys/package"
  dpkg-deb --extract "$keys/package" "$keys"
  # all releases of Ubuntu use the script gutsy; Debian's debootstrap may not know the newest release by name
  debootstrap --variant=minbase --components=main,universe --include="${BASE_PACKAGES// /,}" \
    --keyring="$keys/usr/share/keyrings/ubuntu-archive-keyring.gpg" noble "$1" "$UBUNTU_MIRROR" \
    /usr/share/debootstrap/scripts/gutsy
  rm -rf "$1"/var/cache/apt/archives/*.deb "$1"/var/lib/apt/lists/* "$keys"
}

build_ubuntu_guest() { # VERSION of Kubernetes whose container images it starts with
  local recipe base system programs stack store
  recipe=$(echo "$BASE_PACKAGES $UBUNTU_KEYS_SHA256 $(declare -f ubuntu_base_layer)" | fingerprint -)
  base=$(build_layer ubuntu-base "$recipe" ubuntu_base_layer)
  system=$(system_stack ubuntu "$base")
  programs=$(cluster_programs "$1")
  stack=$(node_stack ubuntu-kube "$system" "$programs")
  stack=$(containerd_stack ubuntu-containerd "$stack")
  { read -r _; read -r store; } <"$GUESTS/debian-12-kube-$1"
  printf '%s\n%s\n' "$stack" "$store" >"$GUESTS/ubuntu-24.04"
}
