import { Fault } from "../../../components/base/fault";
import {
  caCertHash,
  parseAccess,
  renderAccessManifest,
  renderKubeconfig,
  vimConnectionInfo,
} from "../../../components/render/access";

/** The certificate of a CA of Ed25519 that was made for this test. */
const CA =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJNRENCNDZBREFnRUNBaFFYSWxUZ1BmK0pUU2VCcmFKS0hNWGJ4UVFnR3pB" +
  "RkJnTXJaWEF3RFRFTE1Ba0cKQTFVRUF3d0NZMkV3SUJjTk1qWXhNVEkxTWpBeU5UQTRXaGdQTWpFeU5qRXhNREV5TURJMU1EaGFN" +
  "QTB4Q3pBSgpCZ05WQkFNTUFtTmhNQ293QlFZREsyVndBeUVBZnV4aHV6Q0JiT2hDbnRjWVZ6eDBBZXd5SjdBNVNpS2dEZm5wCnhr" +
  "enRQU0NqVXpCUk1CMEdBMVVkRGdRV0JCVElOT08vN3g2cXNTTG5RU0RQMGxFL1ZLN25TekFmQmdOVkhTTUUKR0RBV2dCVElOT08v" +
  "N3g2cXNTTG5RU0RQMGxFL1ZLN25TekFQQmdOVkhSTUJBZjhFQlRBREFRSC9NQVVHQXl0bApjQU5CQURoZU9kTVd0TTYvMUlqNVdZ" +
  "cDRxRWpmSjV0MW14UTZGVEJtdTFLVm5sdTY2WGtUT0o3VzVvbkZ0NDk4CmxzNzc3UHk0SElwdDM1Nnp4dllGMi9sbGFBcz0KLS0t" +
  "LS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=";

describe("access to the cluster", () => {
  const access = parseAccess("ca=Y2E=\nssl_ca_cert_hash=sha256:ab\ncertificate_key=cd\n");

  it("is that of one service account, which alone has the role of cluster-admin, and its token", () => {
    expect(renderAccessManifest()).toBe(`apiVersion: v1
kind: ServiceAccount
metadata:
  name: vnfm
  namespace: kube-system
---
apiVersion: v1
kind: Secret
type: kubernetes.io/service-account-token
metadata:
  name: vnfm-token
  namespace: kube-system
  annotations:
    kubernetes.io/service-account.name: vnfm
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata:
  name: vnfm
roleRef:
  apiGroup: rbac.authorization.k8s.io
  kind: ClusterRole
  name: cluster-admin
subjects:
  - kind: ServiceAccount
    name: vnfm
    namespace: kube-system
`);
  });

  it("is named as the specification names it", () => {
    expect(vimConnectionInfo("https://10.0.0.9:6443", access, "tok==")).toEqual({
      vim_type: "kubernetes",
      access_info: {
        auth_url: "https://10.0.0.9:6443",
        bearer_token: "tok==",
        ssl_ca_cert_hash: "sha256:ab",
        certificate_key: "cd",
      },
      interface_info: {},
    });
  });

  it("makes a kubeconfig with the CA in it", () => {
    expect(renderKubeconfig("vim", "https://10.0.0.9:6443", access, "tok==")).toBe(`apiVersion: v1
kind: Config
clusters:
  - name: vim
    cluster:
      server: https://10.0.0.9:6443
      certificate-authority-data: Y2E=
users:
  - name: vnfm
    user:
      token: tok==
contexts:
  - name: vim
    context:
      cluster: vim
      user: vnfm
current-context: vim
`);
  });

  it("refuses an answer that lacks a line", () => {
    expect(() => parseAccess("ca=x\n")).toThrow(
      new Fault("the control-plane node's response about access to the cluster has no ssl_ca_cert_hash"),
    );
  });

  it("refuses a CA that is none", () => {
    expect(() => caCertHash("Y2E=", "the kubeconfig")).toThrow(
      new Fault("the kubeconfig has a CA that is not a certificate"),
    );
  });

  it("knows a CA by the hash of its public key, as openssl computes it", () => {
    expect(caCertHash(CA, "the test")).toBe(
      "sha256:1a01fd8ccbdc173d4f24ae49c7e8e036ebca76f988b6d92d12af1aa568cc8172",
    );
  });
});
