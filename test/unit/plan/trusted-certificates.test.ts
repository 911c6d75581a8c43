/** CAs that every program trusts, on nodes of both kinds of clusters. */
import { at, items } from "../../../components/kube/objects/object";
import { clusterVnf } from "../../support/configs";
import { planOf } from "../../support/planned";
import { plannedCluster } from "./planned-cluster";

const certificate = (text: string) => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n`;
const [A, B] = [certificate("MIIA"), certificate("MIIB")];
const files = [A, B].map((content, i) => ({
  ...{ path: `/usr/local/share/ca-certificates/vnfm-${i + 1}.crt`, permissions: "0644", content },
}));
const kubeadm = (paths: readonly string[], readProjectFile: (path: string) => string | undefined) =>
  planOf({ "vnf-a": clusterVnf(1, { trusted_certificate_paths: paths }) }, { readProjectFile })[0];

it("trusted CAs are the same files on nodes of both kinds of clusters", () => {
  const plan = kubeadm(["a.pem", "b.pem"], (path) => (path === "a.pem" ? A : B));
  expect(plan).toMatchObject({ cluster: { nodes: { trusted: files } } });
  const [config] = plannedCluster({ trustedCertificates: [A, B] }).find("KubeadmConfigTemplate");
  const ofMachines = items(at(config, "spec", "template", "spec", "files"));
  expect(ofMachines.slice(1)).toEqual(files.map((file) => ({ ...file, owner: "root:root" })));
});

it("files of trusted CAs that are missing or contain other things are faults", () => {
  const setting = "trusted_certificate_paths";
  expect(() =>
    kubeadm(["a.pem", "key.pem", "none.pem"], (path) => ({ "a.pem": A, "key.pem": "key" })[path]),
  ).toThrow(
    new RegExp(
      `${setting}\\[1\\]: key.pem is not a file of certificates; .*\n.*${setting}\\[2\\]: none.pem is neither in the package`,
    ),
  );
});
