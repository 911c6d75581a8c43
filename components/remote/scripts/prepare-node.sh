# shellcheck shell=bash disable=SC2154
# ensure: the node can run kubeadm: cloud-init is done, swap is off, forwarding is on, the tools are there
#
# node_name    host name and name of the Node
# node_role    master or worker
# node_script  the package's own preparation, a script; empty for none
# nfs_client   yes where pods mount NFS
# http_proxy_url, https_proxy_url, no_proxy_list  the site's proxy; empty for none

name() {
  [ "$(hostname)" = "$node_name" ] || hostnamectl set-hostname "$node_name"
  grep -qwF -- "$node_name" /etc/hosts || printf '127.0.1.1 %s\n' "$node_name" >>/etc/hosts
}

kernel() {
  swapoff -a
  sed -i '/\sswap\s/s/^[^#]/#&/' /etc/fstab
  printf '%s\n' overlay br_netfilter >/etc/modules-load.d/kubernetes.conf
  # both may be built in, or not be needed by the CNI
  modprobe -a overlay br_netfilter 2>/dev/null || true
  printf 'net.ipv4.ip_forward = 1\n' >/etc/sysctl.d/99-kubernetes.conf
  sysctl -q -p /etc/sysctl.d/99-kubernetes.conf
  # there only with br_netfilter
  if [ -e /proc/sys/net/bridge/bridge-nf-call-iptables ]; then
    printf 'net.bridge.bridge-nf-call-iptables = 1\n' >>/etc/sysctl.d/99-kubernetes.conf
    sysctl -q -p /etc/sysctl.d/99-kubernetes.conf
  fi
}

# the container runtime pulls through the proxy; everything else on the node does without it
proxy() {
  local drop_in=/etc/systemd/system/containerd.service.d/proxy.conf
  if [ -z "$http_proxy_url$https_proxy_url" ]; then
    [ ! -e "$drop_in" ] || { rm "$drop_in" && systemctl daemon-reload && systemctl restart containerd; }
    return
  fi
  mkdir -p "${drop_in%/*}"
  {
    printf '[Service]\n'
    # systemd reads % and " in a value as its own
    local name value
    for name in HTTP_PROXY="$http_proxy_url" HTTPS_PROXY="$https_proxy_url" NO_PROXY="$no_proxy_list"; do
      value=${name//%/%%}
      printf 'Environment="%s"\n' "${value//\"/\\\"}"
    done
  } >"$drop_in.new"
  cmp -s "$drop_in.new" "$drop_in" && { rm "$drop_in.new" && return; }
  mv "$drop_in.new" "$drop_in"
  systemctl daemon-reload
  systemctl try-restart containerd
}

tools() {
  local tool
  for tool in containerd kubelet kubeadm kubectl; do
    command -v "$tool" >/dev/null ||
      die "$tool is not installed: use an image that has Kubernetes, or a script_path that installs it"
  done
  systemctl enable -q --now containerd
  systemctl enable -q kubelet
}

package_script() {
  [ -n "$node_script" ] || return 0
  # as a file: an argument would show in the process list, and has a size limit
  NODE_NAME=$node_name NODE_ROLE=$node_role \
    http_proxy=$http_proxy_url https_proxy=$https_proxy_url no_proxy=$no_proxy_list \
    bash <(printf '%s\n' "$node_script") >&2 || die "the package's script_path ended with status $?"
}

create() {
  settle
  name
  kernel
  proxy
  package_script
  tools
  [ -z "$nfs_client" ] || needs mount.nfs nfs-common
}

exclusively
"$1" </dev/null
