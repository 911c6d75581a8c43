import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { KubernetesPlugin } from "../../../components/gather/kubernetes-plugin";
import { Program, type ComponentKind } from "../../../components/program/program";
import { Cnf, KubernetesCluster } from "../../../components/program/components";
import { recordResources, settle, type RecordedResource } from "../../support/mocks";
import { clusterVnf, webCnf } from "../../support/configs";
import { kubeconfig } from "../fixtures";
import { clusterOutputs } from "../vnf/outputs";

let recorded: RecordedResource[];

beforeEach(async () => {
  recorded = recordResources((resource) => ({
    ...clusterOutputs(resource),
    ...(resource.type === "kubernetes:helm.sh/v3:Release" && { status: { revision: 1 } }),
  }));
  // a program has a resource of its stack, by which its components are known
  await pulumi.runtime.runInPulumiStack(() => Promise.resolve({}));
});

/** Declares a component. @returns the error with which it is not made */
async function errorOf(kind: ComponentKind, name: string, args: object): Promise<string> {
  const component = new pulumi.ComponentResource(`test:index:${kind}`, name);
  return Program.current()
    .make({ kind, name, args, component })
    .then(
      () => "",
      (error: Error) => error.message,
    );
}

const names = (type: string) => recorded.filter((resource) => resource.type === type).map(({ name }) => name);

it("the program makes a cluster and a CNF on it, as a stack of both would", async () => {
  const cluster = new KubernetesCluster("vnf-a", {
    package: "vnf-packages/kubernetes-cluster",
    flavour: "simple",
    scale: { worker_instance: 0 },
    extVirtualLinks: { masterNode_CP1: { network: "public" }, workerNode_CP2: { network: "public" } },
    additionalParams: {
      k8s_cluster_installation_param: {
        master_node: { ssh_cp_name: "masterNode_CP1" },
        worker_node: { ssh_cp_name: "workerNode_CP2" },
      },
    },
  });
  new Cnf("web", {
    package: "vnf-packages/web-cnf",
    vim: cluster,
    additionalParams: { namespace: "web", "lcm-kubernetes-def-files": ["Files/kubernetes/deployment.yaml"] },
  });
  await settle();
  expect(names("openstack:compute/instance:Instance")).toEqual([
    "vnf-a-masterNode-1-server",
    "vnf-a-workerNode-1-server",
  ]);
  expect(names("kubernetes:apps/v1:Deployment")).toEqual(["web-deployment-web/web"]);
  // which may have secrets in plain
  expect(recorded.find(({ type }) => type === "vnfm:index:KubernetesCluster")?.inputs).toEqual({});
});

it("the program tells all faults of components that are made at once, by component and argument, and makes nothing", async () => {
  const [ofCluster, ofCnf] = await Promise.all([
    errorOf("KubernetesCluster", "vnf-a", { ...clusterVnf(1), scal: {} }),
    errorOf("Cnf", "web", webCnf("web", { readyTimeout: "long" })),
  ]);
  expect(ofCluster).toMatch(/^arguments of components are not valid:\n/);
  expect(ofCluster).toContain('  KubernetesCluster vnf-a.scal: unknown setting; did you mean "scale"?');
  expect(ofCluster).toContain('  Cnf web.readyTimeout: "long" must match');
  expect(ofCnf).toBe(ofCluster);
  await settle();
  expect(names("openstack:compute/instance:Instance")).toEqual([]);
});

it("the program tells what is wrong with a cluster that has the arguments of another component too", async () => {
  const args = { ...clusterVnf(1), scale: { none: 1 } };
  const error = await errorOf("Servers", "vnf-a", args);
  expect(error).toContain(
    "  Servers vnf-a: its arguments are those of KubernetesCluster; create that instead",
  );
  expect(error).toContain("  Servers vnf-a.scale.none: is not a scaling aspect of the VNFD");
});

it("the program refuses arguments of another component", async () => {
  expect(await errorOf("Servers", "vnf-a", clusterVnf(1))).toContain(
    "  Servers vnf-a: its arguments are those of KubernetesCluster; create that instead",
  );
});

it("the program refuses a name that another component has", async () => {
  const errors = [errorOf("KubernetesCluster", "vnf-a", clusterVnf(1)), errorOf("Servers", "vnf-a", {})];
  for (const error of await Promise.all(errors))
    expect(error).toContain("  vnf-a: another component has this name");
});

it("the program tells a name that another component has with all else that is wrong", async () => {
  const errors = [
    ...[1, 2].map(() => errorOf("KubernetesCluster", "vnf-a", { ...clusterVnf(1), scal: {} })),
    errorOf("Cnf", "web", webCnf("web", { readyTimeout: "long" })),
  ];
  for (const error of await Promise.all(errors)) {
    expect(error).toContain("  vnf-a: another component has this name");
    expect(error).toContain("  KubernetesCluster vnf-a.scal: unknown setting");
    expect(error).toContain('  Cnf web.readyTimeout: "long" must match');
  }
});

/** Stands for the plugin that renders charts: each makes no objects. @returns the calls of it */
function renderNothing() {
  const template = jest.fn().mockResolvedValue([]);
  const plugin = { template, end: () => undefined } as unknown as KubernetesPlugin;
  jest.spyOn(KubernetesPlugin, "start").mockResolvedValue(plugin);
  return template;
}

it("the program has a secret number of another resource as a secret number of its release", async () => {
  renderNothing();
  const values = { replicaCount: pulumi.secret(3), service: { type: "ClusterIP" } };
  const chart = { helmreleasename: "web", helmchartfile_path: "Files/charts/web", values };
  const additionalParams = { namespace: "web", using_helm_install_param: [chart] };
  expect(
    await errorOf("Cnf", "web", webCnf("web", { vim: { kubeconfig: kubeconfig("c") }, additionalParams })),
  ).toBe("");
  await settle();
  const release = recorded.find(({ type }) => type === "kubernetes:helm.sh/v3:Release");
  expect(release?.inputs["values"]).toEqual({
    "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
    value: { replicaCount: 3, service: { type: "ClusterIP" } },
  });
});

it("the program refuses a secret number where it would be plain in the state, without showing it", async () => {
  const error = await errorOf("KubernetesCluster", "vnf-a", {
    ...clusterVnf(1),
    scale: { worker_instance: pulumi.secret(2) },
  });
  expect(error).toBe(
    "arguments of components are not valid:\n" +
      "  KubernetesCluster vnf-a.scale.worker_instance: is encrypted, and would be unencrypted in the state; set it without --secret",
  );
});

it("the program asks once for what components that are made later are planned with too", async () => {
  const warn = jest.spyOn(pulumi.log, "warn").mockResolvedValue();
  const template = renderNothing();
  const chart = { helmreleasename: "web", helmchartfile_path: "Files/charts/web" };
  await errorOf("KubernetesCluster", "vnf-a", clusterVnf(1));
  for (const name of ["web", "other"]) {
    const additionalParams = {
      namespace: name,
      using_helm_install_param: [{ ...chart, helmreleasename: name }],
    };
    expect(await errorOf("Cnf", name, webCnf(name, { additionalParams }))).toBe("");
  }
  await settle();
  // each of both charts with and without CRDs
  expect(template).toHaveBeenCalledTimes(4);
  const told = warn.mock.calls.map(([text]) => text);
  expect(told).toEqual([...new Set(told)]);
});

describe("components in a cloud of clouds.yaml", () => {
  const folder = mkdtempSync(join(tmpdir(), "vnfm-components-"));
  const file = join(folder, "clouds.yaml");

  beforeAll(() => {
    writeFileSync(file, "clouds: {edge: {auth: {auth_url: 'http://127.0.0.1:1/v3', username: u}}}\n");
    process.env["OS_CLIENT_CONFIG_FILE"] = file;
  });

  afterAll(() => {
    delete process.env["OS_CLIENT_CONFIG_FILE"];
    rmSync(folder, { recursive: true });
  });

  const inCloud = (cloud: string) => ({ ...clusterVnf(1), cloud }) as never;

  it("have one provider", async () => {
    for (const name of ["vnf-a", "vnf-b"]) new KubernetesCluster(name, inCloud("edge"));
    await settle();
    expect(recorded.filter(({ type }) => type === "pulumi:providers:openstack")).toEqual([
      { type: "pulumi:providers:openstack", name: "cloud-edge", inputs: { cloud: "edge" } },
    ]);
    expect(names("openstack:compute/instance:Instance")).toHaveLength(4);
  });

  it("are refused if the file has no such cloud", async () => {
    expect(await errorOf("KubernetesCluster", "vnf-a", inCloud("edgee"))).toBe(
      "arguments of components are not valid:\n" +
        `  KubernetesCluster vnf-a.cloud: cloud edgee is not in ${file}; one of edge; did you mean "edge"?`,
    );
  });
});
