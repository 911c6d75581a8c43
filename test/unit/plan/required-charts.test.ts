import { packageReader } from "../../../components/gather/packages";
import { readVimVersions } from "../../../components/gather/vim-versions";
import { requiredCharts } from "../../../components/plan/required-charts";
import type { Settings } from "../../../components/settings/model";
import { parseSettings } from "../../../components/settings/parse";
import { kubeconfig } from "../fixtures";

/** The settings of a cluster and a CNF of one release. */
function settingsOf(vim: unknown, package_ = "vnf-packages/web-cnf", params: object = {}): Settings {
  const chart = { helmreleasename: "web", exthelmchart: false, helmchartfile_path: "Files/charts/web" };
  const installation = { kubernetes_version: "v1.33.2", ...nodes };
  const { settings } = parseSettings({
    "vnf-a": {
      package: "vnf-packages/kubernetes-cluster",
      additionalParams: { k8s_cluster_installation_param: installation },
    },
    web: { package: package_, vim, additionalParams: { using_helm_install_param: [chart], ...params } },
  });
  expect(settings.faults).toEqual([]);
  return settings;
}

/** The version of Kubernetes that each chart is rendered for. */
function chartsOf(settings: Settings, versions?: ReadonlyMap<string, string>): string[] {
  return requiredCharts(settings, { loadPackage: packageReader() }, versions).map(
    ({ instance, request, version, isAssumed }) =>
      `${instance}/${request.name} ${version}${isAssumed ? "?" : ""}`,
  );
}

const nodes = {
  master_node: { ssh_cp_name: "a", username: "debian", pod_cidr: "10.0.0.0/16", cluster_cidr: "10.1.0.0/16" },
  worker_node: { ssh_cp_name: "b", username: "debian" },
};

test("a chart is rendered for the version of the cluster that it is for", () => {
  expect(chartsOf(settingsOf("vnf-a"))).toEqual(["web/web v1.33.2"]);
});

test("a chart is rendered for a new version where the stack config does not say the cluster's", () => {
  expect(chartsOf(settingsOf("vnf-b"))).toEqual(["web/web v1.34.0?"]);
});

test("a CNF may say the version of its cluster, where the cluster's settings do not", () => {
  const said = { kubernetes_version: "v1.31.4" };
  const known = new Map([["web", "v1.32.0"]]);
  expect(chartsOf(settingsOf("vnf-b", undefined, said), known)).toEqual(["web/web v1.31.4"]);
  expect(chartsOf(settingsOf("vnf-a", undefined, said), known)).toEqual(["web/web v1.33.2"]);
});

const VIM = { kubeconfig: kubeconfig("a") };

test.each<[string, unknown, Record<string, { kubernetesVersion?: string }>, string]>([
  ["the cluster says", VIM, {}, "v1.31.4-eks-1"],
  [
    "the last run has shown of a workload cluster",
    "tenant",
    { tenant: { kubernetesVersion: "v1.32.1" } },
    "v1.32.1",
  ],
  ["nobody says", "tenant", { tenant: {} }, "v1.34.0?"],
  ["nobody says of another stack", { stack: "s", vim_name: "v" }, {}, "v1.34.0?"],
])("a chart is rendered for the version that %s", async (_, vim, former, version) => {
  const settings = settingsOf(vim);
  const asked: string[] = [];
  const versions = await readVimVersions(settings, former, (of) => {
    asked.push(of);
    return Promise.resolve("v1.31.4-eks-1");
  });
  expect(chartsOf(settings, versions)).toEqual([`web/web ${version}`]);
  expect(asked).toEqual(vim === VIM ? [VIM.kubeconfig] : []);
});

test("a cluster is asked once, however many CNFs are on it", async () => {
  const settings = settingsOf(VIM);
  const { web } = settings.vnfs;
  if (web === undefined) throw new Error("there is no web");
  const asked: string[] = [];
  const versions = await readVimVersions({ ...settings, vnfs: { web, other: web } }, {}, (of) => {
    asked.push(of);
    return Promise.resolve("v1.31.4");
  });
  expect([...versions.keys()]).toEqual(["web", "other"]);
  expect(asked).toEqual([VIM.kubeconfig]);
});

test("no cluster is asked whose version the stack config says", async () => {
  const settings = settingsOf(VIM, undefined, { kubernetes_version: "v1.31.4" });
  const never = () => Promise.reject(new Error("it is asked"));
  expect(await readVimVersions(settings, {}, never)).toEqual(new Map());
});

test("the charts of a package that is not valid are not wanted: the plan tells that it is not", () => {
  expect(chartsOf(settingsOf("vnf-a", "vnf-packages/none"))).toEqual([]);
});
