/**
 * The webhook of kube-apiserver for Keystone's tokens. k8s-keystone-auth serves it on the same node:
 * https://github.com/kubernetes/cloud-provider-openstack/tree/master/docs/keystone-auth
 */

/** Port of k8s-keystone-auth, only on the loopback interface. */
export const KEYSTONE_AUTH_PORT = 8443;

/** Folder with the files of k8s-keystone-auth. */
export const KEYSTONE_AUTH = "/etc/kubernetes/keystone-auth";
/** Path of the kubeconfig with which kube-apiserver calls the webhook. */
export const KEYSTONE_WEBHOOK = `${KEYSTONE_AUTH}/webhook.yaml`;

/** Arguments of kube-apiserver for the webhook. */
export const KEYSTONE_ARGS = {
  "authentication-token-webhook-config-file": KEYSTONE_WEBHOOK,
  // it supports no other version
  "authentication-token-webhook-version": "v1beta1",
};
