/**
 * Lower bound of the time of a cluster from a template: the same Cluster API objects by `kubectl`, its addon by `helm`,
 * on the same management cluster. Each step begins as soon as its inputs exist.
 */
import { readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parse, stringify } from "yaml";
import { kubeconfigSecret } from "../../components/kube/objects/cluster-api";
import { CLOUD, cloudSecret } from "../../components/plan/cluster-api/capo";
import { Findings } from "../../components/base/findings";
import { clusterObjects } from "../../components/plan/cluster-api/objects";
import { readNodes } from "../../components/plan/cluster-api/read-nodes";
import { planNodes } from "../../components/plan/nodes/features";
import { parseSettings } from "../../components/settings/parse";
import { Cluster } from "../support/cluster";
import { clusterTemplate, templateCluster } from "../support/cluster-template";
import { mustRun } from "../support/command";
import { clusterVnf } from "../support/configs";
import { labAddon, labWithClusterApi, managementCnfs, toolchainPath } from "../support/management-cluster";
import type { TestStack } from "../support/stack";
import { log, ratio, seconds, table, within } from "./figures";
import { withStack } from "./with-stack";

export const CLUSTERS_HEADING = "## A cluster by a template beside the same steps by hand";

type Operation = "create 1+1" | "workers 1 -> 2" | "delete";
type Figures = Readonly<Record<Operation, number>>;

/** Measures the operations on a cluster by hand, then on one by `up`. */
export async function benchClusters(): Promise<string> {
  await labWithClusterApi();
  return withStack("bench-clusters", {}, async (stack) => {
    const template = { ...clusterTemplate(), addons: { flannel: await labAddon("flannel") } };
    const base = { "vnf-a": clusterVnf(1), ...(await managementCnfs(stack.folder)) };
    stack.configure(base);
    await stack.mustUp();
    const { "vnf-a": kubeconfig = "" } = await stack.output<Record<string, string>>("kubeconfigs");
    const management = await Cluster.connect(kubeconfig);
    try {
      const byHand = await benchByHand(stack, management, template);
      return render(byHand, await benchUps(stack, base, template));
    } finally {
      management.close();
    }
  });
}

async function benchUps(stack: TestStack, base: object, template: object): Promise<Figures> {
  const up = (replicas: number) => {
    const tenant = templateCluster({ vim: "vnf-a", nodeGroups: { default: { replicas } } });
    const vnfs = replicas === 0 ? base : { ...base, tenant };
    stack.configure(vnfs, { "vnfm:clusterTemplates": { kube: template } });
    return seconds(() => stack.mustUp("--skip-preview"));
  };
  return logged("up", {
    "create 1+1": await up(1),
    "workers 1 -> 2": await up(2),
    delete: await up(0),
  });
}

async function benchByHand(stack: TestStack, management: Cluster, template: object): Promise<Figures> {
  const name = "hand";
  const vnfs = { "vnf-a": clusterVnf(1), [name]: templateCluster({ vim: "vnf-a" }) };
  const settings = parseSettings(vnfs, { kube: template }).settings.clusters[name];
  if (settings === undefined) throw new Error("the template is refused");
  const place = new Findings().instance(name);
  const objects = clusterObjects(name, settings, planNodes(readNodes(settings, place)), place);
  const waitFor = (what: string, until: string) =>
    management.kubectl(["wait", "-n", name, what, `--for=${until}`, "--timeout=20m"]);
  let tenant: Cluster | undefined;
  const create = async () => {
    const { clouds } = parse(readFileSync(stack.env["OS_CLIENT_CONFIG_FILE"] ?? "", "utf8")) as {
      clouds: { lab: object };
    };
    const secret = {
      ...{ apiVersion: "v1", kind: "Secret", metadata: { name: cloudSecret(name), namespace: name } },
      stringData: { "clouds.yaml": stringify({ clouds: { [CLOUD]: clouds.lab } }) },
    };
    const [namespace, ...others] = objects;
    const items = [namespace, secret, ...others];
    await management.kubectl(
      // kubectl does not know the defaults of the API server, such as that of `identityRef.type`
      ["apply", "--server-side", "--validate=false", "-f", "-"],
      JSON.stringify({ apiVersion: "v1", kind: "List", items }),
    );
    await waitFor(`cluster/${name}`, "condition=ControlPlaneInitialized");
    const kubeconfig = await kubeconfigOf(management, name);
    tenant = await Cluster.connect(kubeconfig);
    await installFlannel(stack.folder, kubeconfig, settings.network.podCidr);
    await waitFor(`cluster/${name}`, "condition=Available");
    await ready(tenant, 2);
  };
  const scale = async () => {
    await management.kubectl(["scale", "-n", name, `machinedeployment/${name}-default`, "--replicas=2"]);
    if (tenant !== undefined) await ready(tenant, 3);
  };
  try {
    return logged("by hand", {
      "create 1+1": await seconds(create),
      "workers 1 -> 2": await seconds(scale),
      delete: await seconds(() => management.kubectl(["delete", "-n", name, `cluster/${name}`])),
    });
  } finally {
    tenant?.close();
    // after an interruption, only the cluster's controllers can delete its servers
    await management.tryKubectl(["delete", "-n", name, `cluster/${name}`, "--ignore-not-found"]);
    await management.tryKubectl(["delete", "namespace", name, "--ignore-not-found"]);
  }
}

async function kubeconfigOf(management: Cluster, name: string): Promise<string> {
  const path = "jsonpath={.data.value}";
  const value = await management.kubectl(["get", "secret", "-n", name, kubeconfigSecret(name), "-o", path]);
  return Buffer.from(value, "base64").toString();
}

/** @param folder folder for the kubeconfig */
async function installFlannel(folder: string, kubeconfig: string, podCidr: string): Promise<void> {
  const file = join(folder, "hand.kubeconfig");
  const charts = await toolchainPath("charts");
  const chart = readdirSync(charts).find((entry) => entry.startsWith("flannel-")) ?? "";
  writeFileSync(file, kubeconfig, { mode: 0o600 });
  const args = [
    "install",
    "flannel",
    join(charts, chart),
    "-n",
    "kube-system",
    "--set",
    `podCidr=${podCidr}`,
  ];
  await mustRun(join(await toolchainPath("helm"), "helm"), [...args, "--kubeconfig", file]);
  rmSync(file);
}

async function ready(cluster: Cluster, nodes: number): Promise<void> {
  while ((await cluster.readyNodes()).length < nodes) await sleep(1000);
}

function logged(how: string, figures: Figures): Figures {
  for (const [operation, took] of Object.entries(figures)) log(`${operation}, ${how}: ${took.toFixed(1)} s`);
  return figures;
}

function render(byHand: Figures, ups: Figures): string {
  const operations = Object.keys(byHand) as Operation[];
  const rows = operations.map((operation) => [
    operation,
    byHand[operation].toFixed(1),
    ups[operation].toFixed(1),
    ratio(ups[operation], byHand[operation]),
  ]);
  return `${CLUSTERS_HEADING}

A cluster of one control plane machine and a worker, with flannel, on a management cluster that is there:
\`pulumi up --skip-preview\`, from the start of the command to its end. "By hand" is the bound: the same
objects of Cluster API by \`kubectl\`, flannel by \`helm\`, each step begun as soon as what it needs is there.
One run of each. Most of the time is the controllers' and the machines'. Beside it, \`up\` reads the whole
stack, waits for the conditions of each object and not for Nodes alone, and at the end takes out flannel, the
namespace and the application credential too, one after the other.

Aim: at most 1.2 of the bound.

${table(["operation", "by hand, s", "`up`, s", "`up` / by hand"], rows)}

${within(
  1.2,
  operations.map((operation) => [ups[operation], byHand[operation]] as const),
)}
`;
}
