/**
 * The webhook of kube-apiserver for tokens of Keystone, which k8s-keystone-auth answers on the same node:
 * https://github.com/kubernetes/cloud-provider-openstack/tree/master/docs/keystone-auth
 */

/** Port of k8s-keystone-auth, on the loopback only. */
export const KEYSTONE_AUTH_PORT = 8443;

/** Folder of its files. */
export const KEYSTONE_AUTH = "/etc/kubernetes/keystone-auth";
/** The kubeconfig by which kube-apiserver reaches it. */
export const KEYSTONE_WEBHOOK = `${KEYSTONE_AUTH}/webhook.yaml`;

/** Arguments of kube-apiserver. */
export const KEYSTONE_ARGS = {
  "authentication-token-webhook-config-file": KEYSTONE_WEBHOOK,
  // it supports no other version
  "authentication-token-webhook-version": "v1beta1",
};
