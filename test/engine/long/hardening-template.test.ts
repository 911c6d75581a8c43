/** A cluster from a template with `hardening: cis`: its machines pass the CIS Benchmark, like a kubeadm cluster's. */
import type { Cluster } from "../../support/cluster";
import { clusterTemplate, templateCluster } from "../../support/cluster-template";
import { clusterVnf } from "../../support/configs";
import { failedChecks } from "../../support/kube-bench";
import { labAddon, labWithClusterApi, managementCnfs } from "../../support/management-cluster";
import { userDataReaders } from "../../support/metadata-service";
import { TestStack } from "../../support/stack";

jest.setTimeout(40 * 60_000);

let stack: TestStack;
let tenant: Cluster;

beforeAll(async () => {
  await labWithClusterApi();
  stack = await TestStack.create("hardening-template", {});
  const template = {
    ...clusterTemplate(),
    addons: { flannel: await labAddon("flannel") },
    apiServer: { loadBalancerProvider: "ovn", encryptionKeys: [Buffer.alloc(32, "k").toString("base64")] },
    hardening: "cis",
  };
  stack.configure(
    {
      "vnf-a": clusterVnf(1),
      ...(await managementCnfs(stack.folder)),
      tenant: templateCluster({ vim: "vnf-a" }),
    },
    { "vnfm:clusterTemplates": { kube: template } },
  );
  await stack.mustUp();
  tenant = await stack.cluster("tenant");
});

afterAll(async () => {
  tenant?.close();
  await stack?.remove();
});

const CONTROL_PLANE = "node-role.kubernetes.io/control-plane";

it("the cluster comes up, and is as it is declared", async () => {
  expect(await tenant.readyNodes()).toHaveLength(2);
  expect(await stack.changes()).toEqual([]);
});

it("the cluster keeps pods from the keys in the user data of their machine, and hostNetwork from tenants", async () => {
  for (const selector of [CONTROL_PLANE, `!${CONTROL_PLANE}`]) {
    const { name } = await tenant.node(selector);
    expect(await userDataReaders(tenant, name)).toEqual({ pod: false, hostNetwork: true });
  }
  const { stderr } = await tenant.tryKubectl([
    ...["run", "asks", "--namespace=default", "--image=docker.io/library/busybox:1.36"],
    '--overrides={"spec": {"hostNetwork": true}}',
  ]);
  expect(stderr).toContain('violates PodSecurity "baseline:latest": host namespaces (hostNetwork=true)');
});

it("the cluster passes the CIS Benchmark, but for what docs/hardening.md says is not done", async () => {
  const { serverId: controlPlane } = await tenant.node(CONTROL_PLANE);
  expect(await failedChecks(controlPlane, ["master", "etcd", "controlplane"])).toEqual(["1.1.12", "1.2.5"]);
  const { serverId: worker } = await tenant.node(`!${CONTROL_PLANE}`);
  expect(await failedChecks(worker, ["node"])).toEqual([]);
});
