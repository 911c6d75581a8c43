/** Files of the operator, on nodes of both kinds of clusters. */
import { Secret } from "../../../components/base/secret";
import { at, items } from "../../../components/kube/objects/object";
import { preparation } from "../../../components/render/preparation";
import { clusterVnf } from "../../support/configs";
import { planOf } from "../../support/planned";
import { plannedCluster } from "./planned-cluster";

const PLAIN = { path: "/etc/sysctl.d/90-site.conf", content: "vm.max_map_count=262144\n" };
const SECRET = { path: "/etc/site/key", content: new Secret("hidden"), permissions: "0600" };

function nodeOf(role: "master" | "worker", files: readonly object[]) {
  const [plan] = planOf({ "vnf-a": clusterVnf(1, { files }) });
  if (plan?.kind !== "kubeadm") throw new Error("no cluster is planned");
  return preparation(plan.cluster, { name: "vnf-a-node", role, address: "10.0.0.5" });
}

it("nodes of both kinds of clusters have the operator's files, plain and encrypted ones", () => {
  const lines = [
    `0644 ${PLAIN.path} ${Buffer.from(PLAIN.content).toString("base64")}`,
    `0600 ${SECRET.path} ${Buffer.from("hidden").toString("base64")}`,
  ].join("\n");
  expect(nodeOf("master", [PLAIN, SECRET])["operator_files"]).toBe(lines);
  expect(nodeOf("worker", [PLAIN, SECRET])["operator_files"]).toBe(lines);
  const { find } = plannedCluster({ kubeadm: { files: [PLAIN, SECRET] } });
  const [secret] = find("Secret tenant/tenant-files-");
  const [config] = find("KubeadmConfigTemplate");
  expect(secret?.["stringData"]).toEqual({ "file-0": "hidden" });
  expect(items(at(config, "spec", "template", "spec", "files")).slice(1)).toEqual([
    { ...PLAIN, permissions: "0644", owner: "root:root" },
    {
      ...{ path: SECRET.path, permissions: "0600", owner: "root:root" },
      contentFrom: { secret: { name: secret?.metadata.name, key: "file-0" } },
    },
  ]);
});

it("a path that appears twice is a fault in both kinds of clusters", () => {
  const files = [PLAIN, SECRET, { path: PLAIN.path, content: "" }];
  const fault = `files[2].path: ${PLAIN.path} appears twice; remove one of the two`;
  expect(() => nodeOf("worker", files)).toThrow(
    `vnfm:vnfs.vnf-a.additionalParams.k8s_cluster_installation_param.${fault}`,
  );
  expect(() => plannedCluster({ kubeadm: { files } })).toThrow(`vnfm:vnfs.tenant.kubeadm.${fault}`);
});

it("a path that a line of prepare-node.sh cannot carry is a fault", () => {
  expect(() => nodeOf("worker", [{ path: "/etc/a b", content: "" }])).toThrow("files[0].path");
});
