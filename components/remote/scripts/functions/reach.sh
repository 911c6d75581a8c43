# shellcheck shell=bash
# Checks of network connections that kubeadm needs. kubeadm itself only reports a timeout.

connects() { # ADDRESS:PORT
  # shellcheck disable=SC2016 # it is for the other shell
  timeout -k 1 5 bash -c ': <>"/dev/tcp/$1/$2"' - "${1%:*}" "${1##*:}"
}

# prints ADDRESS:PORT of an API's URL
endpoint_of() {
  local endpoint=${1#https://}
  printf '%s\n' "${endpoint%%/*}"
}

# fails if the API accepts no connection; its answer does not matter
reach_api() { # ADDRESS:PORT
  within 10 connects "$1" || die "this node does not reach the Kubernetes API, TCP $1, and kubeadm was not started. See \
that its security groups let it out, that its network leads there, and that the masters let it in: 'vnfm check' says \
whether the API answers others. Then run the same command again"
}

# fails if an image is missing and its registry cannot be reached. LINES: kubeadm's list of images
reach_registries() {
  local host
  while read -r host; do
    # a proxy or mirror may be used instead
    if [ -e /etc/systemd/system/containerd.service.d/proxy.conf ] || [ -e "/etc/containerd/certs.d/$host" ]; then continue; fi
    within 30 getent hosts "${host%:*}" || die "this node lacks images of $host, and cannot resolve its name, so kubeadm \
was not started. Make sure that the DNS servers of its network answer ('resolvectl' there), or use an image that has the \
images of Kubernetes. Then run the same command again"
    case $host in *:*) ;; *) host=$host:443 ;; esac
    within 30 connects "$host" || die "this node lacks images of ${host%:443}, and does not reach it, TCP $host, so \
kubeadm was not started. Make sure that its security groups and its network's router allow it, or set a proxy or a mirror. \
Then run the same command again"
  done < <(missing_registries "$1")
}

missing_registries() { # LINES
  local image
  while read -r image; do
    [ -z "$image" ] || crictl inspecti -q "$image" >/dev/null 2>&1 || printf '%s\n' "${image%%/*}"
  done <<<"$1" | sort -u
}
