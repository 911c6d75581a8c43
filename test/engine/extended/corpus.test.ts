/**
 * Packages that others wrote, unchanged: a cluster by the VNFD of Tacker's Kubernetes cluster, and on it the free5GC
 * core, which is instantiated, scaled, updated and terminated. The steps build on each other.
 */
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Cluster } from "../../support/cluster";
import { kubeadmCluster } from "../../support/configs";
import { CORPUS, describeWithCorpus } from "../../support/corpus";
import { TestStack } from "../../support/stack";

jest.setTimeout(15 * 60 * 1000);

const FREE5GC = join(CORPUS, "free5gc-cnf");
const image = "debian-12-kube-v1.33.0";

const cluster = {
  package: join(CORPUS, "tacker-kubernetes-vnf-package"),
  flavour: "simple",
  instantiationLevel: "instantiation_level_1",
  extVirtualLinks: {
    virtual_link_external1_1: { network: "public" },
    virtual_link_external1_2: { network: "public" },
  },
  images: { masterNode: image, workerNode: image },
  additionalParams: kubeadmCluster(),
};

function core(changes: object = {}): object {
  const manifests = readdirSync(join(FREE5GC, "Files/kubernetes")).map((name) => `Files/kubernetes/${name}`);
  return {
    package: FREE5GC,
    vim: "cluster",
    additionalParams: { "lcm-kubernetes-def-files": manifests },
    ...changes,
  };
}

describeWithCorpus("packages of others", () => {
  let stack: TestStack;
  let kubernetes: Cluster;

  beforeAll(async () => {
    stack = await TestStack.create("corpus", { cluster, core: core() });
  });

  afterAll(async () => {
    kubernetes?.close();
    await stack?.remove();
  });

  const replicas = async (deployment: string) =>
    kubernetes.kubectl(["get", "deployment", deployment, "-o", "jsonpath={.status.readyReplicas}"]);

  it("instantiate: Tacker's VNFD gives a cluster of one master and two workers, free5GC runs on it", async () => {
    await stack.mustUp();
    kubernetes = await stack.cluster("cluster");
    expect(await kubernetes.readyNodes()).toEqual([
      "cluster-masternode-1",
      "cluster-workernode-1",
      "cluster-workernode-2",
    ]);
    const deployments = await kubernetes.list<{
      metadata: { name: string };
      status: { readyReplicas?: number };
    }>("deployments", "-n", "default");
    expect(deployments).toHaveLength(11);
    expect(deployments.filter(({ status }) => status.readyReplicas !== 1)).toEqual([]);
    expect(await stack.changes()).toEqual([]);
  });

  it("the CNF serves the web console at the node port that its manifest names", async () => {
    const { vnfcs } = await stack.vnf("cluster");
    const [address] = Object.values(vnfcs["workerNode-1"]?.addresses ?? {});
    const response = await fetch(`http://${address}:30050/`, { signal: AbortSignal.timeout(10_000) });
    expect(response.status).toBe(200);
  });

  it("scale: the UPF's aspect changes its Deployment and nothing else", async () => {
    stack.configure({ cluster, core: core({ scale: { upf_aspect: 1 } }) });
    expect(await stack.changes()).toEqual([
      "update core-deployment-default/free5gc-upf-deployment",
      "update core-deployment-default/free5gc-upf-deployment-ready",
    ]);
    await stack.mustUp();
    expect(await replicas("free5gc-upf-deployment")).toBe("2");
  });

  it("scale: a level beyond the VDU's maximum is refused before anything happens", async () => {
    stack.configure({ cluster, core: core({ scale: { upf_aspect: 2 } }) });
    const { status, stdout } = await stack.up();
    expect(status).not.toBe(0);
    expect(stdout).toContain(
      "vnfm:vnfs.core.scale: VDU VDU5 would have 3 instances; its vdu_profile allows 1 to 2",
    );
    expect(stdout).not.toMatch(/^\s+at .*\.ts:\d+/m);
    expect(await replicas("free5gc-upf-deployment")).toBe("2");
  });

  it("update: a ConfigMap and an image roll the controllers that use them, and nothing else", async () => {
    const changed = join(stack.folder, "free5gc-2");
    cpSync(FREE5GC, changed, { recursive: true });
    const edit = (name: string, from: string, to: string) => {
      const file = join(changed, "Files/kubernetes", name);
      const text = readFileSync(file, "utf8");
      expect(text).toContain(from);
      writeFileSync(file, text.replace(from, to), { mode: 0o644 });
    };
    edit("free5gc-webui.yaml", "image: eno/free5gc", "image: docker.io/eno/free5gc:latest");
    edit("free5gc-configmap.yaml", "ReportCaller: false", "ReportCaller: true");
    stack.configure({ cluster, core: core({ package: changed, scale: { upf_aspect: 1 } }) });
    const users = ["amf", "ausf", "nrf", "nssf", "pcf", "smf", "udm", "udr", "upf", "webui"];
    expect(await stack.changes()).toEqual([
      "update core-configmap-default/free5gc-configmap",
      ...users
        .map((name) => `update core-deployment-default/free5gc-${name}-deployment`)
        .flatMap((change) => [change, `${change}-ready`]),
    ]);
    await stack.mustUp();
    expect(
      await kubernetes.kubectl([
        ...["get", "deployment", "free5gc-webui-deployment"],
        ...["-o", "jsonpath={.spec.template.spec.containers[0].image} {.status.readyReplicas}"],
      ]),
    ).toBe("docker.io/eno/free5gc:latest 1");
  });

  it("terminate: the core goes and leaves nothing of its own, then the cluster", async () => {
    stack.configure({ cluster });
    await stack.mustUp();
    expect(
      await kubernetes.list(
        "deployments,configmaps,pvc",
        "-n",
        "default",
        "--field-selector=metadata.name!=kube-root-ca.crt",
      ),
    ).toEqual([]);
    expect(await kubernetes.list("pv")).toEqual([]);
    stack.configure({});
    await stack.mustUp();
    expect(await stack.cloud.inventory()).toEqual([]);
  });
});
