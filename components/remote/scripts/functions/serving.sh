# shellcheck shell=bash
# What this server serves of the Kubernetes API: a load balancer the virtual IP, a control-plane node kube-apiserver.

apiserver=/etc/kubernetes/manifests/kube-apiserver.yaml
# copy of the manifest outside the kubelet's folder; it exists while this server must not serve the API
set_aside=/etc/kubernetes/vnfm-set-aside-kube-apiserver.yaml

# HAProxy uses another control-plane node after the first refused connection
is_refused() { ! (: </dev/tcp/127.0.0.1/6443); }

# the virtual IP moves first, while each load balancer still has a healthy control-plane node
stop_serving() {
  if [ -e "$apiserver" ]; then
    cp -p "$apiserver" "$set_aside.new"
    mv "$set_aside.new" "$set_aside"
  fi
  # an orderly stop informs the peers, so that one of them takes the address at once
  if command -v keepalived >/dev/null; then systemctl stop keepalived; fi
  rm -f "$apiserver"
  [ ! -e "$set_aside" ] || within 60 is_refused || die "kube-apiserver did not stop in 60 s"
}

serve_again() {
  [ -e "$set_aside" ] || return 0
  if command -v keepalived >/dev/null; then systemctl start keepalived; fi
  # kubeadm may have created it again
  if [ -e "$apiserver" ]; then rm "$set_aside"; else mv "$set_aside" "$apiserver"; fi
}
