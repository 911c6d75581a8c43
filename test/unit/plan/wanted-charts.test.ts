import { packageReader } from "../../../components/gather/packages";
import { wantedCharts } from "../../../components/plan/wanted-charts";
import { parseSettings } from "../../../components/settings/parse";

/** The charts of a CNF of one release, and the version of Kubernetes that each is rendered for. */
function chartsOf(vim: string, package_ = "vnf-packages/web-cnf"): string[] {
  const chart = { helmreleasename: "web", exthelmchart: false, helmchartfile_path: "Files/charts/web" };
  const installation = { kubernetes_version: "v1.33.2", ...nodes };
  const { settings } = parseSettings({
    "vnf-a": {
      package: "vnf-packages/kubernetes-cluster",
      additionalParams: { k8s_cluster_installation_param: installation },
    },
    web: { package: package_, vim, additionalParams: { using_helm_install_param: [chart] } },
  });
  expect(settings.faults).toEqual([]);
  return wantedCharts(settings, { loadPackage: packageReader() }).map(
    ({ instance, request, version }) => `${instance}/${request.name} ${version}`,
  );
}

const nodes = {
  master_node: { ssh_cp_name: "a", username: "debian", pod_cidr: "10.0.0.0/16", cluster_cidr: "10.1.0.0/16" },
  worker_node: { ssh_cp_name: "b", username: "debian" },
};

test("a chart is rendered for the version of the cluster that it is for", () => {
  expect(chartsOf("vnf-a")).toEqual(["web/web v1.33.2"]);
});

test("a chart is rendered for a new version where the stack config does not say the cluster's", () => {
  expect(chartsOf("vnf-b")).toEqual(["web/web v1.34.0"]);
});

test("the charts of a package that is not valid are not wanted: the plan tells that it is not", () => {
  expect(chartsOf("vnf-a", "vnf-packages/none")).toEqual([]);
});
