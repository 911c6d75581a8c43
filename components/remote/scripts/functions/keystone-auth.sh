# shellcheck shell=bash
# The static pod of k8s-keystone-auth, which kubeadm does not manage.

keystone_auth_manifest=/etc/kubernetes/manifests/k8s-keystone-auth.yaml
# stays when 'kubeadm reset' removes the manifest
keystone_auth_pod=/etc/kubernetes/keystone-auth/pod.yaml

start_keystone_auth() {
  [ -e "$keystone_auth_pod" ] || return 0
  cp -p "$keystone_auth_pod" /etc/kubernetes/vnfm-keystone-auth.yaml
  mv /etc/kubernetes/vnfm-keystone-auth.yaml "$keystone_auth_manifest"
}
