/** What a stack fetches, by its config alone. */
import { fetchedBy } from "../../../../automation/stack/images";
import { clusterTemplate, templateCluster } from "../../../support/cluster-template";
import { clusterVnf, webCnf } from "../../../support/configs";
import { inRepository } from "../in-repository";
import { REPOSITORY } from "../../../support/command";

beforeAll(() => process.chdir(REPOSITORY));

const digest = `sha256:${"a".repeat(64)}`;
const CHART = {
  package: "vnf-packages/helm-release",
  vim: "vnf-a",
  additionalParams: {
    kubernetes_version: "v1.33.0",
    using_helm_install_param: [
      {
        ...{ helmreleasename: "metrics", exthelmchart: true, helmchartname: "metrics-server" },
        ...{ exthelmrepo_url: "https://charts.example/", version: "3.12.0", digest },
      },
    ],
  },
};

it("the list lists images of servers, containers and the CNI, charts and the version of Kubernetes, each once", () => {
  const vnfs = {
    "vnf-a": clusterVnf(2, { kubernetes_version: "v1.33.0" }),
    "vnf-b": clusterVnf(1),
    web: webCnf("web"),
    metrics: CHART,
  };
  const found = fetchedBy(inRepository({ vnfs: vnfs as never }));
  expect(found.map(({ kind, name, vnfs }) => [kind, name, vnfs])).toEqual([
    ["server", "debian-12-kube-v1.33.0", ["vnf-a", "vnf-b"]],
    ["container", "ghcr.io/flannel-io/flannel:v0.26.7", ["vnf-a", "vnf-b"]],
    ["container", "nginx:1.27", ["web"]],
    ["chart", "https://charts.example/metrics-server:3.12.0", ["metrics"]],
    ["kubernetes", "v1.33.0", ["vnf-a"]],
  ]);
  expect(found.find(({ kind }) => kind === "chart")?.digest).toBe(digest);
});

it("the list lists the image and the version of the machines of a cluster by a template", () => {
  const vnfs = { "vnf-a": clusterVnf(1), tenant: templateCluster({ vim: "vnf-a" }) };
  const clusterTemplates = { kube: { ...clusterTemplate(), image: "ubuntu-24.04" } };
  const found = fetchedBy(inRepository({ vnfs: vnfs as never, clusterTemplates }));
  expect(found.filter(({ vnfs }) => vnfs.includes("tenant"))).toEqual([
    { kind: "server", name: "ubuntu-24.04", vnfs: ["tenant"] },
    { kind: "kubernetes", name: "v1.33.0", vnfs: ["tenant"] },
  ]);
});
