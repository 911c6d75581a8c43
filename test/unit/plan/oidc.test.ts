/** Tokens of OpenID Connect, for the API servers of both kinds of clusters. */
import { parseAllDocuments } from "yaml";
import { at, items } from "../../../components/kube/objects/object";
import { renderInitConfig } from "../../../components/render/kubeadm-config";
import { preparation } from "../../../components/render/preparation";
import { clusterVnf } from "../../support/configs";
import { planOf } from "../../support/planned";
import { plannedCluster } from "./planned-cluster";

const CERTIFICATE = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
const CA = "/etc/kubernetes/oidc-ca.crt";
const OIDC = {
  groupsClaim: "groups",
  issuerUrl: "https://id.example.org",
  clientId: "kube",
  ca: CERTIFICATE,
};
const MASTER = { nodeName: "m", nodeAddress: "10.0.0.5", apiAddress: "10.0.0.5" };

function kubeadmCluster(params: object) {
  const [plan] = planOf({ "vnf-a": clusterVnf(1, params) });
  if (plan?.kind !== "kubeadm") throw new Error("no cluster is planned");
  const { cluster } = plan;
  const [, configuration] = parseAllDocuments(renderInitConfig(cluster, MASTER)).map(
    (document) => document.toJS() as unknown,
  );
  const filesOf = (role: "master" | "worker") =>
    preparation(cluster, { name: "n", role, address: "10.0.0.5" })["node_files"];
  return { apiServer: at(configuration, "apiServer"), filesOf };
}

function templateCluster(apiServer: object) {
  const [controlPlane] = plannedCluster({ apiServer }).find("KubeadmControlPlane ");
  const spec = at(controlPlane, "spec", "kubeadmConfigSpec");
  return { apiServer: at(spec, "clusterConfiguration", "apiServer"), files: items(at(spec, "files")) };
}

it("API servers of both kinds of clusters have the same arguments and the issuer's CA", () => {
  const kubeadm = kubeadmCluster({ apiServer: { oidc: OIDC } });
  const template = templateCluster({ oidc: OIDC });
  const args = [
    { name: "oidc-ca-file", value: CA },
    { name: "oidc-client-id", value: "kube" },
    { name: "oidc-groups-claim", value: "groups" },
    { name: "oidc-issuer-url", value: "https://id.example.org" },
  ];
  const extraVolumes = [{ name: "oidc-ca", hostPath: CA, mountPath: CA, readOnly: true, pathType: "File" }];
  expect(template.apiServer).toEqual({ extraArgs: args, extraVolumes });
  expect(kubeadm.apiServer).toEqual({
    certSANs: ["10.0.0.5"],
    // in the order of the settings' schema: another order in the stack config is no other configuration
    extraArgs: [args[3], args[1], args[2], args[0]],
    extraVolumes,
  });
  expect(kubeadm.filesOf("master")).toBe(`0644 ${CA} ${btoa(CERTIFICATE)}`);
  expect(kubeadm.filesOf("worker")).toBe("");
  expect(template.files).toContainEqual({
    ...{ path: CA, permissions: "0644", owner: "root:root", content: CERTIFICATE },
  });
});

it("an API server whose issuer has a public CA has arguments and no file", () => {
  const oidc = { issuerUrl: "https://id.example.org", clientId: "kube" };
  const extraArgs = [{ name: "v", value: "2" }];
  const kubeadm = kubeadmCluster({
    ...{ apiServer: { oidc }, kubeadm: { cluster_configuration: { apiServer: { extraArgs } } } },
  });
  expect(kubeadm.apiServer).toEqual({
    certSANs: ["10.0.0.5"],
    extraArgs: [
      ...extraArgs,
      { name: "oidc-issuer-url", value: "https://id.example.org" },
      { name: "oidc-client-id", value: "kube" },
    ],
  });
  expect(kubeadm.filesOf("master")).toBe("");
});

it("a hardened API server with an issuer has no list of paths, which Kubernetes refuses beside it", () => {
  const params = { kubernetes_version: "v1.33.0", hardening: "cis", apiServer: { oidc: OIDC } };
  const names = items(at(kubeadmCluster(params).apiServer, "extraArgs")).map((arg) => at(arg, "name"));
  expect(names).toContain("oidc-issuer-url");
  expect(names).not.toContain("authentication-config");
});

it("arguments that the issuer's setting gives, or that exclude it, are faults in both kinds of clusters", () => {
  const args = {
    "oidc-client-id": "other",
    "authentication-config": "/etc/kubernetes/pki/authentication.yaml",
  };
  const said = "extraArgs: has oidc-client-id, which apiServer.oidc sets; remove it";
  const excluded =
    "extraArgs: has authentication-config, which kube-apiserver rejects together with arguments of OpenID Connect; remove one of the two";
  const kubeadm = () =>
    kubeadmCluster({
      apiServer: { oidc: OIDC },
      kubeadm: {
        cluster_configuration: {
          apiServer: { extraArgs: Object.entries(args).map(([name, value]) => ({ name, value })) },
        },
      },
    });
  for (const plan of [kubeadm, () => templateCluster({ oidc: OIDC, extraArgs: args })])
    for (const fault of [said, excluded]) expect(plan).toThrow(fault);
});
