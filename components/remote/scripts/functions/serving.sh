# shellcheck shell=bash
# What of the Kubernetes API is served here: the virtual IP may come to a load balancer, and a master has kube-apiserver.

apiserver=/etc/kubernetes/manifests/kube-apiserver.yaml
# a copy that the kubelet does not see: there from the beginning of the end on, until this server serves again
set_aside=/etc/kubernetes/vnfm-set-aside-kube-apiserver.yaml

# HAProxy goes to another master with the first connection that is refused
is_refused() { ! (: </dev/tcp/127.0.0.1/6443); }

# the virtual IP goes first, while each load balancer has a master that is well: so what holds it is without one never
stop_serving() {
  if [ -e "$apiserver" ]; then
    cp -p "$apiserver" "$set_aside.new"
    mv "$set_aside.new" "$set_aside"
  fi
  # tells the others that it goes, so one of them takes the address at once
  if command -v keepalived >/dev/null; then systemctl stop keepalived; fi
  rm -f "$apiserver"
  [ ! -e "$set_aside" ] || within 60 is_refused || die "kube-apiserver did not stop in 60 s"
}

serve_again() {
  [ -e "$set_aside" ] || return 0
  if command -v keepalived >/dev/null; then systemctl start keepalived; fi
  # kubeadm may have made it anew
  if [ -e "$apiserver" ]; then rm "$set_aside"; else mv "$set_aside" "$apiserver"; fi
}
