# shellcheck shell=bash
# A signed apt repository of the Kubernetes packages, under the paths that it has at pkgs.k8s.io.

APT_PATH=core:/stable:/${KUBERNETES_VERSION%.*}/deb

make_key() { # GNUPG-HOME
  chmod 700 "$1"
  gpg --homedir "$1" --batch --quiet --passphrase '' --quick-generate-key 'apt repository of the lab' ed25519 sign never
  gpgconf --homedir "$1" --kill gpg-agent
}

make_package() { # NAME DEPENDS TREE REPOSITORY: the tree as a package, quickly compressed: the way to the servers is slow
  mkdir "$3/DEBIAN"
  printf '%s\n' "Package: $1" "Version: ${KUBERNETES_VERSION#v}-1.1" "Architecture: $(dpkg --print-architecture)" \
    "Maintainer: the lab <root@localhost>" "Depends: $2" "Description: $1 of Kubernetes" >"$3/DEBIAN/control"
  dpkg-deb --root-owner-group -Zgzip -z1 --build "$3" "$4"
}

make_packages() { # PROGRAMS TREES REPOSITORY
  local units=usr/lib/systemd/system name
  # one file has all programs
  install -D -m 755 "$1/kubernetes" "$2/kubernetes-programs/usr/lib/kubernetes/kubernetes"
  for name in kubeadm kubelet kubectl; do
    mkdir -p "$2/$name/usr/bin"
    ln -s ../lib/kubernetes/kubernetes "$2/$name/usr/bin/$name"
  done
  install -D -m 644 -t "$2/kubelet/$units" "$LAB_HOME/guest/kube/$units/kubelet.service"
  install -D -m 644 -t "$2/kubeadm/$units/kubelet.service.d" "$LAB_HOME/guest/kube/$units/kubelet.service.d/10-kubeadm.conf"
  make_package kubernetes-programs libc6 "$2/kubernetes-programs" "$3"
  for name in kubeadm kubelet kubectl; do
    make_package "$name" "kubernetes-programs (= ${KUBERNETES_VERSION#v}-1.1)" "$2/$name" "$3"
  done
}

make_index() { # in a repository's directory: what apt reads first
  local file
  for file in *.deb; do
    dpkg-deb --field "$file"
    printf 'Filename: ./%s\nSize: %s\nSHA256: %s\n\n' "$file" "$(stat -c %s "$file")" "$(sha256sum "$file" | cut -d ' ' -f 1)"
  done >Packages
  printf 'Origin: vnfm lab\nDate: %s\nSHA256:\n %s %s Packages\n' "$(date -u '+%a, %d %b %Y %T UTC')" "$(sha256sum Packages | cut -d ' ' -f 1)" \
    "$(stat -c %s Packages)" >Release
}

apt_layer() { # PROGRAMS GNUPG-HOME ROOT
  local repository=$3/$APT_PATH trees=$3/trees
  mkdir -p "$repository"
  make_packages "$1" "$trees" "$repository"
  rm -r "$trees"
  cd "$repository"
  make_index
  gpg --homedir "$2" --batch --quiet --clearsign --output InRelease Release
  gpg --homedir "$2" --batch --quiet --armor --export >Release.key
  gpgconf --homedir "$2" --kill gpg-agent
}

start_apt_repository() {
  local programs key recipe layer
  programs=$(cluster_programs "$KUBERNETES_VERSION")
  key=$(build_layer apt-key "$(declare -f make_key | fingerprint -)" make_key)
  recipe=$(recipe_fingerprint "$programs $key $APT_PATH $(declare -f apt_layer make_packages make_package make_index)" guest/kube)
  layer=$(build_layer apt "$recipe" apt_layer "$programs" "$key")
  ln -sfn "$layer" "$VNFM_LAB/apt"
  start apt python3 -m http.server --bind "$HOST_IP" --directory "$VNFM_LAB/apt" "$APT_PORT"
  wait_port apt "$HOST_IP" "$APT_PORT"
}
